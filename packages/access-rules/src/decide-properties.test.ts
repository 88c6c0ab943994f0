import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHECKS_MAX_BYTES, decodeChecks, encodeChecks } from './checks.ts'
import { decide } from './decide.ts'
import type { Evidence, FaceEvidence, Factor } from './evidence.ts'
import { localDate } from './local-time.ts'
import { factorsOf, methodOf } from './methods.ts'
import type { DecisionInput } from './model.ts'
import { scenario, scenarios, terminalInputOf, type Scenario } from './testing/scenarios.ts'
import { isOpen } from './time-rule.ts'

const RUNS = { numRuns: 3000 }
const generated = scenarios(5000, 20_260_302).map(terminalInputOf)

/** What a card, a chip or a code says needs no lead over others; what the device's password or one's own says does. */
const NAMES_BEFORE_FACE: readonly Factor[] = ['card', 'idCard', 'qrCode', 'handprint']

/** Whether a face is good enough for its person, leads all others and is a living one, as far as each is asked for. */
function faceWillDo({ device, person }: DecisionInput, { personId, score, runnerUp, liveness }: FaceEvidence, names: boolean): boolean {
  const usual = device.thresholds.face
  const own = person?.id === personId && typeof person.faceThreshold === 'number' ? person.faceThreshold : usual
  const threshold = own < usual && !person?.faceThresholdLoosens ? usual : own
  const margins = [device.margin!, person?.lookAlikes?.includes(runnerUp?.personId ?? '') ? device.lookAlikeMargin! : 0]
  const leads = !names || !runnerUp || runnerUp.lead >= Math.max(...margins)
  const alive = !device.liveness?.refuses || (liveness?.score ?? 0) >= (device.liveness.threshold ?? 2)
  return score! >= threshold && leads && alive
}

/** Who may pass, said without an order and without a reason. */
function mayPass(input: DecisionInput): boolean {
  const { device, evidence, moment, person, strategies, timeRules } = input
  const method = methodOf(evidence)
  if (method === null) return false
  const within = ({ validFrom, validTo }: { validFrom?: number | null; validTo?: number | null }) =>
    moment >= (validFrom ?? moment) && moment <= (validTo ?? moment)
  const shown = factorsOf(method).map((factor) => evidence[factor]!)
  const searched = !factorsOf(method).some((factor) => NAMES_BEFORE_FACE.includes(factor))
  const right = shown.every((factor) => ('score' in factor ? faceWillDo(input, factor, searched) : factor.matched))
  const names = shown.flatMap((factor) => ('personId' in factor ? [factor.personId] : []))
  const times = shown.map(({ seenAt }) => seenAt ?? Number.NaN)
  const inTime = shown.length < 2 || Math.max(...times) - Math.min(...times) <= device.factorTimeoutMs!
  const portraitIsAlive =
    !evidence.idPortrait || !device.liveness?.refuses || (evidence.idPortrait.liveness?.score ?? 0) >= (device.liveness.threshold ?? 2)
  const personal =
    names.length === 0 ? person === null && method === 8 : names.every((name) => name === person?.id) && person!.enabled && within(person!)
  const open = strategies.some(
    (each) =>
      within(each) &&
      each.methods.includes(method) &&
      each.timeRuleIds.some((id) => timeRules.has(id) && isOpen(timeRules.get(id)!, moment, device.zone)),
  )
  const confirmed = device.secondVerification === null || (names.length > 0 && evidence.secondVerification?.outcome === 'confirmed')
  return right && portraitIsAlive && inTime && personal && open && confirmed
}

describe('whatever comes', () => {
  test('lets in exactly those who may pass, and says one reason for all others', () => {
    const verdicts = { allowed: 0, rejected: 0, pending: 0 }
    for (const input of generated) {
      const decision = decide(input)
      verdicts[decision.verdict] += 1
      expect(decision.verdict === 'allowed').toBe(mayPass(input))
      expect(decision.failReason !== null).toBe(decision.verdict === 'rejected')
      expect(decision.awaits !== null).toBe(decision.verdict === 'pending')
      expect(decision.checks.filter(({ ok }) => !ok)).toEqual(decision.verdict === 'rejected' ? decision.checks.slice(-1) : [])
    }
    // Without enough of each the property would prove little.
    expect(Math.min(verdicts.allowed, verdicts.rejected)).toBeGreaterThan(800)
    expect(verdicts.pending).toBeGreaterThan(100)
  })

  test('every fail reason a decision can have comes up', () => {
    const reasons = new Set(generated.map((input) => decide(input).failReason))
    for (const reason of [2, 3, 4, 5, 6, 9, 10, 14, 15, 16, 17, 19, 20, 21, 99, 102, 902, 904])
      expect(reasons.has(reason as 2), `reason ${reason}`).toBe(true)
  })

  test('the checks come back whole from their compact form', () => {
    for (const input of generated) {
      const { checks } = decide(input)
      const text = encodeChecks(checks)
      expect(decodeChecks(text)).toEqual(checks)
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(CHECKS_MAX_BYTES)
    }
  })

  test('every way a face can fail comes up, and every way it can do', () => {
    const checksSeen = new Set(generated.flatMap((input) => decide(input).checks.map(({ code, ok }) => `${code} ${ok}`)))
    for (const outcome of ['face true', 'face false', 'runnerUp true', 'runnerUp false', 'liveness true', 'liveness false'])
      expect(checksSeen).toContain(outcome)
    const own = generated.filter((input) => typeof input.person?.faceThreshold === 'number').map((input) => [input, decide(input)] as const)
    for (const [{ device, evidence }, { verdict }] of own)
      if (verdict === 'allowed' && evidence.face) expect(evidence.face.score).toBeGreaterThanOrEqual(device.thresholds.face - 10)
    const letInBelow = own.filter(
      ([{ device, evidence }, { verdict }]) => verdict === 'allowed' && evidence.face && evidence.face.score! < device.thresholds.face,
    )
    expect(letInBelow).not.toEqual([])
    expect(letInBelow.filter(([{ person }]) => person?.faceThresholdLoosens !== true)).toEqual([])
  })

  test('a trial of liveness changes no verdict, and looking at nothing but the score asks for less', () => {
    for (const input of generated) {
      const trial = decide({ ...input, device: { ...input.device, liveness: { refuses: false, threshold: null } } })
      const plain = decide({ ...input, device: { ...input.device, liveness: null } })
      expect([trial.verdict, trial.failReason]).toEqual([plain.verdict, plain.failReason])
      if (decide(input).verdict === 'allowed')
        expect(decide({ ...input, device: { ...input.device, liveness: null, margin: 0, lookAlikeMargin: 0 } }).verdict).toBe('allowed')
    }
  })

  test('the order of strategies and rules changes neither verdict nor reason', () => {
    const shuffled = scenario.chain((each) =>
      fc.record({
        each: fc.constant(each),
        strategies: fc.shuffledSubarray(each.strategies, { minLength: each.strategies.length }),
        turned: fc.boolean(),
      }),
    )
    fc.assert(
      fc.property(shuffled, ({ each, strategies, turned }) => {
        const reordered = strategies.map((one) => ({
          ...one,
          timeRuleIds: turned ? one.timeRuleIds.toReversed() : one.timeRuleIds,
          methods: one.methods.toReversed(),
        }))
        const decisions = [each, { ...each, strategies: reordered, timeRules: each.timeRules.toReversed() }].map((one) =>
          decide(terminalInputOf(one)),
        )
        const [before, after] = decisions.map(({ verdict, failReason, awaits, personId }) => ({ verdict, failReason, awaits, personId }))
        expect(after).toEqual(before)
      }),
      RUNS,
    )
  })

  test('the order in which factors were noted changes nothing', () => {
    for (const input of generated.slice(0, 2000)) {
      const evidence = Object.fromEntries(Object.entries(input.evidence).toReversed()) as Evidence
      expect(decide({ ...input, evidence })).toEqual(decide(input))
    }
  })

  test('a passage decided again from its wire form is decided the same', () => {
    fc.assert(
      fc.property(scenario, (each) => {
        const wired = JSON.parse(JSON.stringify(each)) as Scenario
        expect(decide(terminalInputOf(wired))).toEqual(decide(terminalInputOf(each)))
      }),
      RUNS,
    )
  })

  test('a forbidden date wins within its rule: forbidden by all, nobody passes', () => {
    let wouldPass = 0
    for (const input of generated) {
      const date = localDate(input.moment, input.device.zone)
      const forbidden = [...input.timeRules.values()].map((rule) => ({
        ...rule,
        allowedExceptionDates: [date],
        forbiddenExceptionDates: [...rule.forbiddenExceptionDates, date],
      }))
      const decision = decide({ ...input, timeRules: new Map(forbidden.map((rule) => [rule.id, rule])) })
      expect(decision.verdict).toBe('rejected')
      if (decide(input).verdict === 'rejected') continue
      wouldPass += 1
      expect(decision).toMatchObject({ failReason: 6, personId: input.person?.id ?? null })
    }
    expect(wouldPass).toBeGreaterThan(800)
  })

  test('the factor a passage waits for lets it go on, and only in time', () => {
    let waited = 0
    for (const input of generated) {
      const { awaits, verdict } = decide(input)
      if (verdict !== 'pending' || awaits?.what !== 'factor' || !input.person) continue
      // No face is living enough where nobody said how much is asked.
      if (input.device.liveness?.refuses && input.device.liveness.threshold === null) continue
      waited += 1
      const { id } = input.person
      const seen = (factor: Factor, seenAt: number): Evidence => ({
        ...input.evidence,
        [factor]: { personId: id, matched: true, score: 100, seenAt, liveness: { score: 1 } },
      })
      for (const factor of awaits.factors) {
        const followed = decide({ ...input, evidence: seen(factor, awaits.until) })
        expect(followed.checks).toContainEqual({ code: 'method', ok: true, method: methodOf(seen(factor, awaits.until)) })
        expect(followed.awaits?.what).not.toBe('factor')
        expect(decide({ ...input, evidence: seen(factor, awaits.until + 1) })).toMatchObject({ verdict: 'rejected', failReason: 16 })
      }
    }
    expect(waited).toBeGreaterThan(30)
  })
})
