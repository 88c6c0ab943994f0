/** The small language the cases are written in: somebody who may pass, and what is different this time. */
import type { Evidence, FaceEvidence, PersonFactor } from '../evidence.ts'
import type { AccessDevice, AccessPerson, AccessStrategy, DecisionInput, TimeRule } from '../model.ts'

/** `allowed`, the fail reason of a rejection, or what a pending passage waits for. */
export type Expected = 'allowed' | number | 'waits for the server' | `waits for ${string}`

export interface Case {
  name: string
  input: DecisionInput
  expected: Expected
}

/** Monday 2026-03-02, 10:00 in Shanghai. */
export const NOW = Date.parse('2026-03-02T10:00+08:00')
export const TODAY = '2026-03-02'
export const SECOND = 1000
export const HOUR = 3_600_000
export const DAY = 24 * HOUR

export const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7]
const WORKDAYS = [1, 2, 3, 4, 5]
/** Periods written `09:00-18:00`, the same on each of some weekdays. */
export const periods = (weekdays: readonly number[], ...spans: string[]) =>
  weekdays.flatMap((weekday) => spans.map((span) => ({ weekday, start: span.slice(0, 5), end: span.slice(6) })))

export const rule = (id: string, fields: Partial<TimeRule> = {}): TimeRule => ({
  id,
  periods: periods(WORKDAYS, '09:00-18:00'),
  allowedExceptionDates: [],
  forbiddenExceptionDates: [],
  ...fields,
})
export const always = (fields: Partial<TimeRule> = {}) => rule('always', { periods: periods(EVERY_DAY, '00:00-24:00'), ...fields })
export const never = (fields: Partial<TimeRule> = {}) => rule('never', { periods: [], ...fields })

const strategy = (fields: Partial<AccessStrategy> = {}): AccessStrategy => ({
  id: 'strategy',
  timeRuleIds: ['office'],
  methods: [1],
  ...fields,
})
export const person = (fields: Partial<AccessPerson> = {}): AccessPerson => ({
  id: 'ann',
  enabled: true,
  validFrom: null,
  validTo: null,
  ...fields,
})

/** A face by its score; 60 is asked for. */
export const face = (score: number | null = 90, fields: Partial<FaceEvidence> = {}): FaceEvidence => ({
  personId: 'ann',
  score,
  seenAt: NOW,
  ...fields,
})
/** Return what is no boolean as one: decisions are made of what arrives, whose types nothing has checked. */
export const mistypedBoolean = (value: string | number): boolean => value as unknown as boolean

/** Something of Ann's that matches. */
export const anns = (fields: Partial<PersonFactor> = {}): PersonFactor => ({ personId: 'ann', matched: true, seenAt: NOW, ...fields })

interface Change extends Omit<Partial<DecisionInput>, 'device' | 'strategies' | 'timeRules'> {
  device?: Partial<AccessDevice>
  strategies?: readonly Partial<AccessStrategy>[]
  rules?: readonly TimeRule[]
}

/** Ann, by her face, on a Monday at ten, where faces pass in office hours; each case changes what it is about. */
export function passage({ device, strategies = [{}], rules = [rule('office')], ...fields }: Change = {}): DecisionInput {
  return {
    revision: 'revision',
    device: {
      id: 'door',
      direction: 1,
      zone: 'Asia/Shanghai',
      thresholds: { face: 60 },
      factorTimeoutMs: 10 * SECOND,
      secondVerification: null,
      ...device,
    },
    moment: NOW,
    evidence: { face: face() },
    person: person(),
    strategies: strategies.map(strategy),
    timeRules: new Map(rules.map((each) => [each.id, each])),
    ...fields,
  }
}

/** What is shown, where strategies take these methods; the person is Ann unless told. */
export const showing = (evidence: Evidence, methods: readonly number[], change: Change = {}) =>
  passage({ evidence, strategies: [{ methods }], ...change })

/** A row of a table as a case. */
export const cases = (rows: readonly (readonly [name: string, expected: Expected, input: DecisionInput])[]): Case[] =>
  rows.map(([name, expected, input]) => ({ name, expected, input }))
