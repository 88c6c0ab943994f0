import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeChecks, encodeChecks } from './checks.ts'
import { decide } from './decide.ts'
import type { AccessPerson, AccessStrategy, DecisionInput, TimeRule } from './model.ts'

const HOUR = 3_600_000
/** Monday 10:00 in Shanghai, where it is still 02:00 UTC. */
const MOMENT = Date.parse('2026-03-02T10:00:00+08:00')
const DATE = '2026-03-02'

const rule = (id: string, fields: Partial<TimeRule> = {}): TimeRule => ({
  id,
  periods: [{ weekday: 1, start: '09:00', end: '18:00' }],
  allowedExceptionDates: [],
  forbiddenExceptionDates: [],
  ...fields,
})
const person = (fields: Partial<AccessPerson> = {}): AccessPerson => ({ id: 'person', enabled: true, ...fields })
const strategy = (fields: Partial<AccessStrategy> = {}): AccessStrategy => ({
  id: 'strategy',
  timeRuleIds: ['office'],
  methods: [1, 4],
  ...fields,
})
const device = (face: number) => ({ id: 'device', direction: 1, zone: 'Asia/Shanghai', thresholds: { face } })
const rules = (...list: TimeRule[]) => new Map(list.map((each) => [each.id, each]))

/** Somebody who may pass; each test changes one thing. */
function passage(fields: Partial<DecisionInput> = {}): DecisionInput {
  return {
    revision: 'revision',
    device: device(60),
    moment: MOMENT,
    evidence: { face: { personId: 'person', score: 87.5, distance: 0.31 } },
    person: person(),
    strategies: [strategy()],
    timeRules: rules(rule('office')),
    ...fields,
  }
}
const facing = (score: number | null, personId: string | null = 'person') => passage({ evidence: { face: { personId, score } } })
const last = (input: DecisionInput) => decide(input).checks.at(-1)

describe('somebody permitted', () => {
  test('passes, with every check that led to it', () => {
    expect(decide(passage())).toEqual({
      verdict: 'allowed',
      failReason: null,
      awaits: null,
      personId: 'person',
      contactId: null,
      revision: 'revision',
      checks: [
        { code: 'face', ok: true, score: 87.5, threshold: 60, distance: 0.31 },
        { code: 'registered', ok: true },
        { code: 'enabled', ok: true },
        { code: 'validity', ok: true, from: null, to: null },
        { code: 'strategy', ok: true, count: 1 },
        { code: 'strategyBegun', ok: true, from: null },
        { code: 'timeRule', ok: true, strategyId: 'strategy', ruleId: 'office', reason: 'period' },
        { code: 'method', ok: true, method: 1 },
      ],
    })
  })

  test.each([
    ['at the threshold', facing(60)],
    ['in the first instant of his validity', passage({ person: person({ validFrom: MOMENT }) })],
    ['in the last instant of his validity', passage({ person: person({ validTo: MOMENT }) })],
    ['in the first instant of the strategy', passage({ strategies: [strategy({ validFrom: MOMENT })] })],
    ['in the last instant of the strategy', passage({ strategies: [strategy({ validTo: MOMENT })] })],
    ['by another strategy than one that has ended', passage({ strategies: [strategy({ validTo: MOMENT - 1 }), strategy()] })],
    ['by the second rule of a strategy', passage({ strategies: [strategy({ timeRuleIds: ['none', 'office'] })] })],
    [
      'on an allowed date of one rule that another forbids',
      passage({
        strategies: [strategy({ timeRuleIds: ['closed', 'open'] })],
        timeRules: rules(rule('closed', { forbiddenExceptionDates: [DATE] }), rule('open', { periods: [], allowedExceptionDates: [DATE] })),
      }),
    ],
  ])('passes %s', (_, input) => {
    expect(decide(input)).toMatchObject({ verdict: 'allowed', failReason: null, personId: 'person' })
  })

  test('is told the strategy that let him in, not one that is open for cards only', () => {
    const input = passage({ strategies: [strategy({ id: 'cards', methods: [4] }), strategy({ id: 'faces' })] })
    expect(decide(input).checks.slice(-2)).toEqual([
      { code: 'timeRule', ok: true, strategyId: 'faces', ruleId: 'office', reason: 'period' },
      { code: 'method', ok: true, method: 1 },
    ])
  })
})

describe('a stranger is rejected with 904 and stays nobody', () => {
  test.each([
    ['just below the threshold', facing(59.999)],
    ['while the gallery is empty', facing(null, null)],
    ['with a candidate nobody compared', facing(null)],
    ['with a candidate the device does not hold', passage({ person: null })],
    ['with evidence that names somebody else than the person given', facing(99, 'other')],
    ['without any evidence', passage({ evidence: {} })],
    ['with a score that is no number', facing(Number.NaN)],
    ['under a threshold of 0 with a candidate nobody compared', passage({ ...facing(null), device: device(0) })],
    ['under a threshold that is no number', passage({ device: device(Number.NaN) })],
  ])('%s', (_, input) => {
    expect(decide(input)).toMatchObject({ verdict: 'rejected', failReason: 904, personId: null })
  })

  test('the score and the threshold it missed are told', () => {
    expect(last(facing(41.23456))).toEqual({ code: 'face', ok: false, score: 41.2346, threshold: 60, distance: null })
  })
})

describe('what is told of a face', () => {
  const seen = (evidence: object, fields: Partial<DecisionInput> = {}) =>
    decide(passage({ evidence: { face: { personId: 'person', score: 87.5, ...evidence } }, ...fields }))
  const demanding = { ...device(60), margin: 5, lookAlikeMargin: 12, liveness: { refuses: true, threshold: 0.6 } }

  test('the threshold that applied is that of his own', () => {
    const own = passage({ person: person({ faceThreshold: 90 }) })
    expect(last(own)).toEqual({ code: 'face', ok: false, score: 87.5, threshold: 90, distance: 0.31, usual: 60 })
    const loose = { faceThreshold: 40, faceThresholdLoosens: true }
    expect(decide(passage({ person: person(loose) })).checks[0]).toMatchObject({ threshold: 40, usual: 60, ok: true })
    expect(decide(passage({ person: person({ faceThreshold: 40 }) })).checks[0]).toEqual({
      code: 'face',
      ok: true,
      score: 87.5,
      threshold: 60,
      distance: 0.31,
    })
    expect(
      decide(passage({ person: person({ id: 'other', ...loose }), evidence: { face: { personId: 'person', score: 50 } } })).checks,
    ).toMatchObject([{ threshold: 60, ok: false }])
  })

  test('for how many the threshold was worked out, where it was', () => {
    const door = { ...device(60), thresholds: { face: 95.0309, templates: 158 } }
    expect(seen({ score: 95.0309 }, { device: door }).checks[0]).toMatchObject({ ok: true, threshold: 95.0309, templates: 158 })
    expect(seen({ score: 95.0308 }, { device: door }).checks).toMatchObject([{ ok: false, threshold: 95.0309, templates: 158 }])
    expect(seen({}, { device: door, person: person({ faceThreshold: 97 }) }).checks).toMatchObject([
      { ok: false, threshold: 97, usual: 95.0309, templates: 158 },
    ])
    expect(seen({}).checks[0]).not.toHaveProperty('templates')
  })

  test('the next and the lead that was asked for, and how alive it looked against what', () => {
    const { verdict, checks } = seen(
      { runnerUp: { personId: 'other', score: 70.123456, lead: 17.4 }, liveness: { score: 0.912345 } },
      { device: demanding },
    )
    expect(verdict).toBe('allowed')
    expect(checks.slice(1, 4)).toEqual([
      { code: 'registered', ok: true },
      { code: 'runnerUp', ok: true, score: 70.1235, margin: 5 },
      { code: 'liveness', ok: true, score: 0.9123, threshold: 0.6 },
    ])
  })

  test('without its lead over a look-alike it is rejected with 2, and the one who came nearest stays named', () => {
    const decision = seen(
      { runnerUp: { personId: 'twin', score: 80, lead: 7.5 } },
      { device: demanding, person: person({ lookAlikes: ['twin'] }) },
    )
    expect(decision).toMatchObject({ verdict: 'rejected', failReason: 2, personId: 'person' })
    expect(decision.checks.at(-1)).toEqual({ code: 'runnerUp', ok: false, score: 80, margin: 12 })
  })

  test('a picture held up is rejected with 17, by name; also where the engine cannot tell', () => {
    const picture = seen({ liveness: { score: 0.1 } }, { device: demanding })
    expect(picture).toMatchObject({ verdict: 'rejected', failReason: 17, personId: 'person' })
    expect(picture.checks.at(-1)).toEqual({ code: 'liveness', ok: false, score: 0.1, threshold: 0.6 })
    expect(seen({}, { device: demanding }).checks.at(-1)).toEqual({ code: 'liveness', ok: false, score: null, threshold: 0.6 })
  })

  test('a trial notes the score, and nothing where there is none', () => {
    const trial = { ...device(60), liveness: { refuses: false, threshold: 0.6 } }
    expect(seen({ liveness: { score: 0.1 } }, { device: trial }).checks).toContainEqual({
      code: 'liveness',
      ok: true,
      score: 0.1,
      threshold: null,
    })
    expect(seen({}, { device: trial }).checks.map(({ code }) => code)).not.toContain('liveness')
  })

  test('where nothing is asked for, nothing is said: the record is as short as before', () => {
    const { checks } = seen({ distance: 0.31, runnerUp: { personId: 'other', score: 87, lead: 0.5 }, liveness: { score: 0.9 } })
    expect(checks).toEqual(decide(passage()).checks)
  })
})

describe('somebody known is rejected, by name', () => {
  test.each<[string, number, Partial<DecisionInput>, object]>([
    ['disabled', 902, { person: person({ enabled: false }) }, { code: 'enabled' }],
    ['before his validity', 902, { person: person({ validFrom: MOMENT + 1 }) }, { code: 'validity', from: MOMENT + 1, to: null }],
    ['after his validity', 902, { person: person({ validTo: MOMENT - 1 }) }, { code: 'validity', from: null, to: MOMENT - 1 }],
    ['with a validity that cannot be read', 902, { person: person({ validTo: Number.NaN }) }, { code: 'validity' }],
    ['without a strategy', 19, { strategies: [] }, { code: 'strategy', count: 0 }],
    ['after his only strategy', 19, { strategies: [strategy({ validTo: MOMENT - 1 })] }, { code: 'strategy', count: 0 }],
    [
      'before his strategies',
      6,
      { strategies: [strategy({ validFrom: MOMENT + HOUR }), strategy({ validFrom: MOMENT + 1 }), strategy({ validTo: MOMENT - 1 })] },
      { code: 'strategyBegun', from: MOMENT + 1 },
    ],
    ['outside the periods', 6, { moment: MOMENT + 8 * HOUR }, { code: 'timeRule', ruleId: 'office', reason: 'noPeriod' }],
    [
      'on a forbidden date',
      6,
      { timeRules: rules(rule('office', { forbiddenExceptionDates: [DATE] })) },
      { code: 'timeRule', reason: 'forbiddenDate' },
    ],
    [
      'before the rule takes effect',
      6,
      { timeRules: rules(rule('office', { effectiveDate: '2026-03-03' })) },
      { code: 'timeRule', reason: 'beforeEffective' },
    ],
    ['by a rule the device lacks', 6, { timeRules: rules() }, { code: 'timeRule', ruleId: 'office', reason: 'missing' }],
    ['by a strategy without a rule', 6, { strategies: [strategy({ timeRuleIds: [] })] }, { code: 'timeRule', ruleId: null, reason: null }],
    ['by face where only cards pass', 2, { strategies: [strategy({ methods: [4] })] }, { code: 'method', method: 1 }],
    [
      'by face where the strategy for faces is closed',
      2,
      { strategies: [strategy({ timeRuleIds: ['none'] }), strategy({ id: 'cards', methods: [4] })] },
      { code: 'method', method: 1 },
    ],
  ])('%s: %i', (_, failReason, fields, check) => {
    const input = passage(fields)
    expect(decide(input)).toMatchObject({ verdict: 'rejected', failReason, personId: 'person' })
    expect(last(input)).toMatchObject({ ok: false, ...check })
  })

  test('of several closed rules the forbidden date is told', () => {
    const input = passage({
      strategies: [strategy({ timeRuleIds: ['night', 'holiday'] })],
      timeRules: rules(
        rule('night', { periods: [{ weekday: 1, start: '22:00', end: '24:00' }] }),
        rule('holiday', { forbiddenExceptionDates: [DATE] }),
      ),
    })
    expect(last(input)).toMatchObject({ strategyId: 'strategy', ruleId: 'holiday', reason: 'forbiddenDate' })
  })

  test('the clock is that of the device', () => {
    expect(decide(passage({ device: { ...device(60), zone: 'Europe/London' } })).failReason).toBe(6)
  })
})

test('an unknown zone is an error, never a passage', () => {
  expect(() => decide(passage({ device: { ...device(60), zone: 'Moon/Sea' } }))).toThrow(RangeError)
})

describe('whatever comes', () => {
  const beginning = fc.constantFrom(null, MOMENT - HOUR, MOMENT - 1, MOMENT, MOMENT + 1)
  const end = fc.constantFrom(null, MOMENT - 1, MOMENT, MOMENT + 1, MOMENT + HOUR)
  const generatedRule = (id: string) =>
    fc
      .record({
        periods: fc.constantFrom([{ weekday: 1, start: '09:00', end: '18:00' }], [{ weekday: 2, start: '09:00', end: '18:00' }]),
        forbiddenExceptionDates: fc.constantFrom([], [DATE]),
        effectiveDate: fc.constantFrom(null, '2026-03-03'),
      })
      .map((fields) => rule(id, fields))
  const generatedStrategy = fc.record({
    id: fc.uuid(),
    timeRuleIds: fc.subarray(['a', 'b', 'absent']),
    methods: fc.subarray([1, 4, 5]),
    validFrom: beginning,
    validTo: end,
  })
  const input = fc
    .record({
      enabled: fc.boolean(),
      validFrom: beginning,
      validTo: end,
      score: fc.constantFrom(59.9, 60, 100),
      strategies: fc.array(generatedStrategy, { maxLength: 4 }),
      timeRules: fc.tuple(generatedRule('a'), generatedRule('b')),
    })
    .map(({ score, strategies, timeRules, ...fields }) =>
      passage({ evidence: { face: { personId: 'person', score } }, person: person(fields), strategies, timeRules: rules(...timeRules) }),
    )

  /** Who may pass, said without an order. */
  function mayPass({ evidence, person: who, strategies, timeRules }: DecisionInput): boolean {
    const within = (from?: number | null, to?: number | null) => (from ?? -Infinity) <= MOMENT && MOMENT <= (to ?? Infinity)
    const open = (id: string) => {
      const { effectiveDate = '', forbiddenExceptionDates = [], periods = [] } = timeRules.get(id) ?? {}
      return effectiveDate === null && forbiddenExceptionDates.length === 0 && periods.some(({ weekday }) => weekday === 1)
    }
    return (
      evidence.face!.score! >= 60 &&
      who!.enabled &&
      within(who!.validFrom, who!.validTo) &&
      strategies.some((each) => within(each.validFrom, each.validTo) && each.methods.includes(1) && each.timeRuleIds.some(open))
    )
  }

  test('lets in exactly those who may pass, and says one reason for all others', () => {
    let allowed = 0
    fc.assert(
      fc.property(input, (generated) => {
        const decision = decide(generated)
        const expected = mayPass(generated)
        allowed += Number(expected)
        expect(decision.verdict).toBe(expected ? 'allowed' : 'rejected')
        expect(decision.failReason === null).toBe(expected)
        expect(decodeChecks(encodeChecks(decision.checks))).toEqual(decision.checks)
        expect(decision.checks.filter(({ ok }) => !ok)).toEqual(expected ? [] : [decision.checks.at(-1)])
      }),
      { numRuns: 5000 },
    )
    // Few random passages are allowed; without any the property would prove nothing.
    expect(allowed).toBeGreaterThan(10)
  })

  test('the order of strategies changes neither verdict nor reason', () => {
    fc.assert(
      fc.property(input, (generated) => {
        const { verdict, failReason } = decide(generated)
        expect(decide({ ...generated, strategies: generated.strategies.toReversed() })).toMatchObject({ verdict, failReason })
      }),
    )
  })
})
