/** Values of associated rules, and what a change makes of them. */
import type { z } from 'zod'
import { validateAudience, validateStrategy } from '@gatehouse/access-rules'
import { authorisedObject } from '@gatehouse/contract/enums'
import type { associatedRuleChangeFields, associatedRuleFields } from '@gatehouse/contract/strategies/associated-rules'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { refuseIssues } from './issues.ts'
import type { MemberKind } from './schema.ts'
import { distinct } from './strategy-changes.ts'

export type Fields = z.output<typeof associatedRuleFields>
export type Change = z.output<typeof associatedRuleChangeFields>

export interface Chosen {
  personIds: string[]
  personGroupIds: string[]
  deviceIds: string[]
  deviceGroupIds: string[]
}
export const FIELDS = {
  personIds: 'person',
  personGroupIds: 'personGroup',
  deviceIds: 'device',
  deviceGroupIds: 'deviceGroup',
} as const satisfies Record<keyof Chosen, MemberKind>

/** A link shares persons, and not their contacts. */
export const OF_PERSONS = { authorizedObject: authorisedObject.person }

export interface Values extends Chosen {
  strategy: { name: string; kind: string; methods: number[]; validFrom: number | null; validTo: number | null }
  everybody: boolean
  /** False where nobody has confirmed yet that the rule is about everybody. */
  everybodyConfirmed?: boolean
  timeRuleIds: string[]
}

/** A rule as it would be saved, with the park whose people may pass; a rule about visitors is always about all. */
export type Whole = Omit<Fields, 'validFrom' | 'validTo'> & { validFrom: number | null; validTo: number | null }

export const NOTHING_YET: Omit<Whole, 'parkId'> = {
  name: '',
  kind: 'staff',
  methods: [],
  validFrom: null,
  validTo: null,
  everybody: false,
  timeRuleIds: [],
  personIds: [],
  personGroupIds: [],
  deviceIds: [],
  deviceGroupIds: [],
}

const NOBODY = { everybody: false, personIds: [], personGroupIds: [] }

/**
 * Return a rule with a change laid over it. A change that names persons or groups ends "everybody", and one that sets "everybody" clears
 * them; another park, or another kind, clears both.
 */
export function changed(change: Change, stored: Whole): Whole {
  const { parkId, kind } = leftAsItWas({ parkId: stored.parkId, kind: stored.kind }, change)
  const isAboutOthers = parkId !== stored.parkId || kind !== stored.kind
  const namesSome = [change.personIds, change.personGroupIds].some((ids) => ids !== undefined && ids.length > 0)
  const before =
    isAboutOthers || change.everybody === true ? { ...stored, ...NOBODY } : namesSome ? { ...stored, everybody: false } : stored
  return leftAsItWas(before, change)
}

export const strategyIn = ({ name, kind, methods, validFrom, validTo }: Whole): Values['strategy'] => ({
  name,
  kind,
  methods: [...new Set(methods)].toSorted((one, other) => one - other),
  validFrom,
  validTo,
})

/** Return the values of a rule as it would be saved. @throws InvalidRequest; Refusal 300206, 900007 */
export function valuesOf(fields: Whole): Values {
  refuseIssues([...validateStrategy(fields), ...validateAudience(fields)])
  const { kind, deviceIds, deviceGroupIds, timeRuleIds } = fields
  return {
    strategy: strategyIn(fields),
    everybody: kind === 'visitor' || fields.everybody,
    timeRuleIds: distinct(timeRuleIds),
    personIds: distinct(fields.personIds),
    personGroupIds: distinct(fields.personGroupIds),
    deviceIds: distinct(deviceIds),
    deviceGroupIds: distinct(deviceGroupIds),
  }
}
