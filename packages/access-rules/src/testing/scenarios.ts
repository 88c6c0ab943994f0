/**
 * Whole passages for property tests, as a device receives and sees them: wire objects, ids, evidence. About a quarter is
 * allowed, so that a property is proven on both sides.
 */
import type { DeviceSettings, StrategyObject, TimeRuleObject } from '@gatehouse/contract/device/protocol-manifest'
import type { PersonObject } from '@gatehouse/contract/device/protocol-persons'
import { accessMethod } from '@gatehouse/contract/enums'
import { CAUTION } from '@gatehouse/contract/faces/promise'
import { rateOfScore } from '@gatehouse/contract/score'
import * as fc from 'fast-check'
import { accessDeviceOf, type ComparedFaces } from '../device.ts'
import type { Evidence, Factor } from '../evidence.ts'
import { personNamed } from '../factors.ts'
import { factorsOf } from '../methods.ts'
import type { DecisionInput } from '../model.ts'
import { ruleAround, zonedMoment } from './arbitraries.ts'

export interface Scenario {
  settings: DeviceSettings
  /** Those that hold at the device; the person's are named by `strategyIds`. */
  strategies: StrategyObject[]
  timeRules: TimeRuleObject[]
  /** The person the evidence is about; null when the device stores nobody of that id. */
  person: PersonObject | null
  /** Epoch milliseconds. */
  moment: number
  evidence: Evidence
  /** What the device compares faces with. */
  compared: ComparedFaces
}

const HOUR = 3_600_000
const FACTOR_TIMEOUT = 10_000
const THRESHOLD = 80
/** Faces the device holds: its promise, where there is one, asks for the threshold, too. */
const TEMPLATES = [0, 1, 4, 50] as const
/** Of every model: looser than all that is promised. */
const LOOSEST = 1e-2
/** What a device of so many faces promises that asks for the threshold. */
const promiseFor = (templates: number) => ({ strangersPerThousand: 1000 * CAUTION * rateOfScore(THRESHOLD) * Math.max(1, templates) })
/** Of the device, where it demands a living face. */
const ALIVE = 0.6
const TWIN = 'the twin'
const METHODS: number[] = [...accessMethod.values]
const id = fc.uuid({ version: 7 })
/** True so many times as often as not. */
const mostlyOf = (weight: number) => fc.oneof({ weight, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) })
/** The usual nine times out of ten, else one of all. */
const mostly = <T, U>(usual: T, ...others: U[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(usual, ...others) })

function bound(moment: number, side: -1 | 1) {
  return mostly(null, moment + side, moment, moment - side, moment + side * HOUR, moment - side * HOUR)
}

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: '00:00', end: '24:00' }))

function timeRule(moment: number): fc.Arbitrary<TimeRuleObject> {
  return fc
    .record({ around: ruleAround(moment), ruleId: id, wide: mostlyOf(3) })
    .map(({ around: { periods, allowedExceptionDates, forbiddenExceptionDates, effectiveDate }, ruleId, wide }) => ({
      id: ruleId,
      name: 'Rule',
      periods: wide ? EVERY_DAY : [...periods],
      allowedExceptionDates: [...allowedExceptionDates],
      forbiddenExceptionDates: wide ? [] : [...forbiddenExceptionDates],
      effectiveDate: wide ? null : (effectiveDate ?? null),
    }))
}

function strategy(moment: number, ruleIds: readonly string[]): fc.Arbitrary<StrategyObject> {
  return fc.record({
    id,
    timeRuleIds: fc.subarray([...ruleIds, 'absent'], { minLength: 1 }),
    methods: fc.oneof({ weight: 1, arbitrary: fc.subarray(METHODS) }, { weight: 2, arbitrary: fc.constant(METHODS) }),
    validFrom: bound(moment, -1),
    validTo: bound(moment, 1),
  })
}

/** One in ten doors has none. */
function strategiesOf(moment: number, ruleIds: readonly string[]): fc.Arbitrary<StrategyObject[]> {
  const some = fc.array(strategy(moment, ruleIds), { minLength: 1, maxLength: 4 })
  return fc.oneof({ weight: 9, arbitrary: some }, { weight: 1, arbitrary: fc.constant<StrategyObject[]>([]) })
}

function person(moment: number, strategyIds: readonly string[]): fc.Arbitrary<PersonObject> {
  return fc.record({
    id,
    version: fc.constant('0000000000000000'),
    name: fc.constant('Person'),
    workNumber: fc.constant(''),
    enabled: mostly(true, false),
    validFrom: bound(moment, -1),
    validTo: bound(moment, 1),
    strategyIds: fc.subarray([...strategyIds], { minLength: Math.min(1, strategyIds.length) }),
    faceThreshold: mostly<number | null, number | null>(null, THRESHOLD - 10, THRESHOLD - 5, THRESHOLD + 10, 100),
    faceThresholdLoosens: fc.constantFrom(true as const, undefined),
    lookAlikes: mostly<string[], string[]>([], [TWIN]),
    faces: fc.constant([]),
  })
}

/** What a device measures of a face beside its score: the best of the others, and how alive it looks. */
const besides = fc.record({
  runnerUp: fc.option(
    fc.record({
      personId: fc.constantFrom(TWIN, 'somebody else'),
      behind: fc.oneof(fc.constantFrom(0, 5, 12), fc.double({ min: 0, max: 60, noNaN: true })),
    }),
    { nil: undefined },
  ),
  liveness: fc.option(fc.record({ score: fc.oneof(fc.constantFrom(ALIVE, 1), fc.double({ min: ALIVE - 0.1, max: 1, noNaN: true })) }), {
    nil: null,
    freq: 9,
  }),
})

/** A factor as it should be, or wrong, nobody's, somebody else's, too early, without a time. */
function factorOf(factor: Factor, personId: string, moment: number): fc.Arbitrary<Evidence> {
  return fc
    .record({
      matched: mostly(true, false),
      who: mostly<string | null, string | null>(personId, null, 'somebody else'),
      seenAt: mostly<number | null, number | null>(moment, moment - FACTOR_TIMEOUT, moment - FACTOR_TIMEOUT - 1, null),
      score: mostly(THRESHOLD, 100, THRESHOLD - 10, THRESHOLD + 10).chain((edge) =>
        fc.oneof(fc.constant(edge), fc.double({ min: THRESHOLD - 10, max: 100, noNaN: true }), fc.constant(100)),
      ),
      besides,
    })
    .map(({ matched, who, seenAt, score: reached, besides: { runnerUp, liveness } }) => {
      const shown: Evidence = {}
      const score = matched ? reached : reached / 10
      const next = runnerUp && { personId: runnerUp.personId, score: Math.max(0, score - runnerUp.behind), lead: runnerUp.behind }
      if (factor === 'face') shown.face = { personId: who, score, seenAt, liveness, ...(next && { runnerUp: next }) }
      else if (factor === 'devicePassword' || factor === 'idPortrait') shown[factor] = { matched, seenAt }
      else shown[factor] = { personId: who, matched, seenAt }
      return shown
    })
}

const secondVerification = fc.option(
  fc.record({
    outcome: mostly('confirmed' as const, 'refused' as const, 'offline' as const, 'timedOut' as const, 'failed' as const),
    failReason: fc.constantFrom(null, 6, 14, 902, 12_345),
  }),
  { nil: undefined, freq: 3 },
)

function evidence(personId: string, moment: number): fc.Arbitrary<Evidence> {
  return fc
    .record({
      method: fc.constantFrom(...accessMethod.values),
      shown: mostly<number, number>(2, 1, 3),
      extra: fc.constantFrom<Factor>('card', 'handprint', 'face'),
    })
    .chain(({ method, shown, extra }) => {
      const factors = [...factorsOf(method).slice(0, shown), ...(shown > 2 ? [extra] : [])]
      return fc.tuple(secondVerification, ...factors.map((factor) => factorOf(factor, personId, moment)))
    })
    .map(([answer, ...factors]) => Object.assign({}, ...factors, answer && { secondVerification: answer }) as Evidence)
}

/** A passage at a device with up to four strategies and three rules, about an instant that often lies near a change of clocks. */
export const scenario: fc.Arbitrary<Scenario> = zonedMoment
  .chain(({ zone, moment }) =>
    fc.array(timeRule(moment), { minLength: 1, maxLength: 3 }).chain((timeRules) =>
      strategiesOf(
        moment,
        timeRules.map((rule) => rule.id),
      ).chain((strategies) =>
        person(
          moment,
          strategies.map((each) => each.id),
        ).chain((who) =>
          fc.record({
            /** Null where nothing is promised. */
            templates: fc.constantFrom(null, ...TEMPLATES),
            settings: fc.record({
              deviceId: id,
              name: fc.constant('Door'),
              direction: fc.constantFrom(1, 2),
              zone: fc.constant(zone),
              threshold: fc.constant(THRESHOLD),
              secondVerification: fc.option(fc.constant({ timeoutMs: 3000 }), { nil: null, freq: 3 }),
              factorTimeoutMs: fc.constant(FACTOR_TIMEOUT),
              margin: fc.constantFrom(0, 5),
              lookAlikeMargin: fc.constantFrom(0, 3, 12),
              liveness: fc.option(
                mostly(
                  { refuses: true, threshold: ALIVE as number | null },
                  { refuses: false, threshold: null },
                  { refuses: true, threshold: null },
                ),
                { nil: null, freq: 2 },
              ),
            }),
            strategies: fc.constant(strategies),
            timeRules: fc.constant(timeRules),
            person: mostly<PersonObject | null, PersonObject | null>(who, null),
            moment: fc.constant(moment),
            evidence: evidence(who.id, moment),
          }),
        ),
      ),
    ),
  )
  .map(({ templates, settings, ...rest }) => ({
    ...rest,
    settings: templates === null ? settings : { ...settings, promise: promiseFor(templates) },
    compared: { templates: templates ?? 0, loosest: LOOSEST },
  }))

/** So many passages, the same for the same seed. */
export function scenarios(count: number, seed: number): Scenario[] {
  return fc.sample(scenario, { numRuns: count, seed })
}

/** A passage as a terminal decides it: the person it stores of the id that is named, and their strategies of its manifest. */
export function terminalInputOf(passage: Scenario): DecisionInput {
  const { settings, strategies, timeRules, person: stored, moment, evidence: seen, compared } = passage
  const device = accessDeviceOf(settings, compared)
  const named = personNamed(seen, device, (personId) => (stored?.id === personId ? stored : null))
  const recognised = stored !== null && named === stored.id ? stored : null
  return {
    revision: 'revision',
    device,
    moment,
    evidence: seen,
    person: recognised,
    // A passage that names nobody is decided by whatever holds at the door.
    strategies: strategies.filter(({ id: strategyId }) => named === null || recognised?.strategyIds.includes(strategyId)),
    timeRules: new Map(timeRules.map((rule) => [rule.id, rule])),
  }
}
