import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHECKS_MAX_BYTES, decodeChecks, encodeChecks, type Check } from './checks.ts'

const bytes = (text: string) => Buffer.byteLength(text, 'utf8')

const fraction = fc.option(fc.integer({ min: 0, max: 10_000 }).map((value) => value / 10_000))
/** Of a score, which passes 100. */
const points = fc.integer({ min: 0, max: 1_500_000 }).map((value) => value / 10_000)
const number = fc.option(points)
const count = fc.option(fc.nat({ max: 100_000 }))
const method = fc.option(fc.integer({ min: 1, max: 15 }))
const instant = fc.option(fc.integer({ min: 0, max: 8_640_000_000_000_000 }))

/** Every check a decision makes, with all its data, in its order; `id` makes the ids. */
const allChecks = (id: fc.Arbitrary<string>) => {
  const ok = fc.boolean()
  const optionalId = fc.option(id)
  return fc.tuple(
    fc.record(
      {
        code: fc.constant('face' as const),
        ok,
        score: number,
        threshold: number,
        distance: number,
        templates: fc.nat(100_000),
        usual: points,
      },
      { requiredKeys: ['code', 'ok', 'score', 'threshold', 'distance'] },
    ),
    fc.record({ code: fc.constant('registered' as const), ok }),
    fc.record({ code: fc.constant('runnerUp' as const), ok, score: number, margin: number }),
    fc.record({ code: fc.constant('liveness' as const), ok, score: fraction, threshold: fraction }),
    fc.record({ code: fc.constant('enabled' as const), ok }),
    fc.record({ code: fc.constant('validity' as const), ok, from: instant, to: instant }),
    fc.record({ code: fc.constant('strategy' as const), ok, count }),
    fc.record({ code: fc.constant('strategyBegun' as const), ok, from: instant }),
    fc.record({
      code: fc.constant('timeRule' as const),
      ok,
      strategyId: optionalId,
      ruleId: optionalId,
      reason: fc.constantFrom('period', 'allowedDate', 'forbiddenDate', 'beforeEffective', 'noPeriod', 'missing', null),
    }),
    fc.record({ code: fc.constant('method' as const), ok, method }),
  ) satisfies fc.Arbitrary<Check[]>
}

/** What a passage is judged by once it is known who came, as long as it can be. */
const RIGHTS: readonly Check[] = [
  { code: 'enabled', ok: true },
  { code: 'validity', ok: true, from: 1_700_000_000_123, to: 1_800_000_000_123 },
  { code: 'strategy', ok: true, count: 10_000 },
  { code: 'strategyBegun', ok: true, from: null },
  {
    code: 'timeRule',
    ok: true,
    strategyId: '0197f1c0-0000-7000-8000-000000000001',
    ruleId: '0197f1c0-0000-7000-8000-000000000002',
    reason: 'beforeEffective',
  },
  { code: 'method', ok: true, method: 14 },
]

describe('the compact form of checks', () => {
  test('is final: records are read by it years later', () => {
    const checks: Check[] = [
      { code: 'face', ok: true, score: 87.5, threshold: 60, distance: null },
      { code: 'registered', ok: true },
      { code: 'enabled', ok: true },
      { code: 'validity', ok: true, from: null, to: 1_800_000_000_000 },
      { code: 'strategy', ok: true, count: 2 },
      { code: 'strategyBegun', ok: true, from: null },
      { code: 'timeRule', ok: true, strategyId: 'strategy', ruleId: 'rule', reason: 'period' },
      { code: 'method', ok: false, method: 1 },
    ]
    const text = '[[0,1,87.5,60],[1,1],[2,1],[3,1,null,1800000000000],[4,1,2],[5,1],[6,1,"strategy","rule","period"],[7,0,1]]'
    expect(encodeChecks(checks)).toBe(text)
    expect(decodeChecks(text)).toEqual(checks)
  })

  test('tells for how many a threshold was worked out, and what was asked of others, where there is something to tell', () => {
    const face = { code: 'face', ok: false, score: 96.2, threshold: 97.1, distance: 0.6 } as const
    const encodings: [Check, string][] = [
      [face, '[[0,0,96.2,97.1,0.6]]'],
      [{ ...face, templates: 300 }, '[[0,0,96.2,97.1,0.6,300]]'],
      [{ ...face, usual: 90 }, '[[0,0,96.2,97.1,0.6,null,90]]'],
      [{ ...face, templates: 300, usual: 90 }, '[[0,0,96.2,97.1,0.6,300,90]]'],
    ]
    for (const [check, text] of encodings) {
      expect(encodeChecks([check])).toBe(text)
      expect(decodeChecks(text)).toEqual([check])
    }
  })

  test('loses nothing with ids as the product makes them, and leaves room for four checks more', () => {
    fc.assert(
      fc.property(allChecks(fc.uuid({ version: 7 })), (checks) => {
        const text = encodeChecks(checks)
        expect(decodeChecks(text)).toEqual(checks)
        expect(bytes(text)).toBeLessThanOrEqual(CHECKS_MAX_BYTES - 4 * 10)
      }),
    )
  })

  test('loses nothing of the longest passage: two factors in time, of one person, and the word of the server', () => {
    const longest: Check[] = [
      { code: 'idCard', ok: true },
      { code: 'registered', ok: true },
      { code: 'factorTime', ok: true, elapsed: 59_999, limit: 60_000 },
      { code: 'face', ok: true, score: 127.1234, threshold: 103.1234, distance: 12_345.6789, templates: 100_000, usual: 101.1234 },
      { code: 'samePerson', ok: true },
      ...RIGHTS,
      { code: 'secondVerification', ok: false, outcome: 'refused', restriction: 'alreadyOutside' },
      { code: 'liveness', ok: true, score: 0.9876, threshold: 0.6543 },
    ]
    const text = encodeChecks(longest)
    expect(decodeChecks(text)).toEqual(longest)
    expect(text).toContain('[18,1,59999,60000]')
    expect(text).toContain('[19,0,"refused","alreadyOutside"]')
    expect(text).toContain('[21,1,0.9876,0.6543]')
    // Room for mask and helmet.
    expect(bytes(text)).toBeLessThanOrEqual(CHECKS_MAX_BYTES - 2 * 10)
  })

  test('loses nothing where a face names the person: it leads the next, is a living one, and the server confirms', () => {
    const checks: Check[] = [
      { code: 'face', ok: true, score: 127.1234, threshold: 103.1234, distance: 12_345.6789, templates: 100_000, usual: 101.1234 },
      { code: 'registered', ok: true },
      { code: 'runnerUp', ok: true, score: 67.1234, margin: 10.1234 },
      { code: 'factorTime', ok: true, elapsed: 59_999, limit: 60_000 },
      { code: 'devicePassword', ok: true },
      { code: 'samePerson', ok: true },
      { code: 'liveness', ok: true, score: 0.9876, threshold: 0.6543 },
      ...RIGHTS,
      { code: 'secondVerification', ok: true, outcome: 'confirmed', restriction: null },
    ]
    const text = encodeChecks(checks)
    expect(decodeChecks(text)).toEqual(checks)
    expect(text).toContain('[20,1,67.1234,10.1234]')
    expect(bytes(text)).toBeLessThanOrEqual(CHECKS_MAX_BYTES)
  })

  test('leaves out what came later before it loses anything else', () => {
    const face = { code: 'face', ok: true, score: 127.1234, threshold: 103.1234, distance: 1.2345 } as const
    const others: Check[] = [
      { code: 'registered', ok: true },
      { code: 'runnerUp', ok: true, score: 103.1234, margin: 10.1234 },
      { code: 'factorTime', ok: true, elapsed: 9_999, limit: 10_000 },
      { code: 'smartPersonalPassword', ok: true },
      { code: 'samePerson', ok: true },
      { code: 'liveness', ok: true, score: 0.9876, threshold: 0.6543 },
      ...RIGHTS,
      { code: 'temperature', ok: true, value: 36.6 },
      { code: 'mask', ok: true, worn: 1 },
      { code: 'helmet', ok: true, worn: 1 },
      { code: 'secondVerification', ok: true, outcome: 'confirmed', restriction: null },
    ]
    const text = encodeChecks([{ ...face, templates: 50_000, usual: 101.1234 }, ...others])
    expect(bytes(text)).toBeLessThanOrEqual(CHECKS_MAX_BYTES)
    expect(decodeChecks(text)).toEqual([face, ...others])
  })

  test('gives every factor the number it keeps', () => {
    const codes = [
      'card',
      'idCard',
      'idNumber',
      'idPortrait',
      'qrCode',
      'devicePassword',
      'personalPassword',
      'smartPersonalPassword',
      'handprint',
      'samePerson',
    ] as const
    expect(encodeChecks(codes.map((code) => ({ code, ok: true })))).toBe(
      '[[8,1],[9,1],[10,1],[11,1],[12,1],[13,1],[14,1],[15,1],[16,1],[17,1]]',
    )
  })

  test('loses nothing with ids of 64 letters, the longest a schema takes, or what came later alone', () => {
    fc.assert(
      fc.property(allChecks(fc.stringMatching(/^[\w-]{64}$/)), ([{ templates: _templates, usual: _usual, ...face }, ...others]) => {
        const whole = [{ ...face, templates: 300, usual: 90.5 }, ...others]
        expect([whole, [face, ...others]]).toContainEqual(decodeChecks(encodeChecks(whole)))
      }),
    )
  })

  test('never exceeds its bytes: codes and outcomes stay whatever the ids', () => {
    let shortened = 0
    fc.assert(
      fc.property(allChecks(fc.string({ unit: 'binary', minLength: 20, maxLength: 150, size: 'max' })), (checks) => {
        const text = encodeChecks(checks)
        const read = decodeChecks(text)
        shortened += Number(!isDeepStrictEqual(read, checks))
        expect(bytes(text)).toBeLessThanOrEqual(CHECKS_MAX_BYTES)
        expect(read.map(({ code, ok }) => ({ code, ok }))).toEqual(checks.map(({ code, ok }) => ({ code, ok })))
      }),
      { numRuns: 60 },
    )
    expect(shortened).toBeGreaterThan(0)
  })

  test('keeps the place of a check that a later version made', () => {
    const text = '[[1,1],[40,0,"data"]]'
    const checks = decodeChecks(text)
    expect(checks).toEqual([
      { code: 'registered', ok: true },
      { code: 'unknown', ok: false, number: 40 },
    ])
    expect(encodeChecks(checks)).toBe('[[1,1],[40,0]]')
  })

  const foreign = ['', 'null', '{}', '[1]', '[[]]', '[["face",1]]', '[[0,2]]', '[[-1,1]]', '[[0.5,1]]', '[[0,1,{}]]', '[[0,1']
  test.each(foreign)('%s is refused', (text) => {
    expect(() => decodeChecks(text)).toThrow(SyntaxError)
  })
})
