/** Who may pass by what is written, with nobody at the door: the rules of the decision, asked without evidence. */
import { authorisedObject } from '@gatehouse/contract/enums'
import { localTime } from './local-time.ts'
import type { AccessDevice, AccessPerson, AccessStrategy, TimeRule } from './model.ts'
import { during, openSpans, unionOf, type Span } from './open-hours.ts'
import { explainRuleAt } from './time-rule.ts'
import { hasStarted, hasEnded } from './validity.ts'

/** What of a device decides when nobody is there yet. */
export type Door = Pick<AccessDevice, 'zone' | 'methods'>

/** A strategy that opens a door at a moment: by which of its rules, and by which methods. */
export interface Opening {
  strategyId: string
  /** The first of its rules that is open. */
  ruleId: string
  methods: number[]
}

/** The methods of a strategy that a device accepts, of those the person may use. @param person null or absent: whoever it is */
export function acceptedMethods(
  methods: readonly number[],
  { methods: accepted = [] }: Pick<AccessDevice, 'methods'>,
  person?: Pick<AccessPerson, 'methods'> | null,
): number[] {
  const own = person?.methods ?? null
  return methods.filter((method) => (accepted.length === 0 || accepted.includes(method)) && (own === null || own.includes(method)))
}

/** Whether a person is enabled and within the validity. */
export const isEntitled = (person: Pick<AccessPerson, 'enabled' | 'validFrom' | 'validTo'>, moment: number): boolean =>
  person.enabled && hasStarted(person, moment) && !hasEnded(person, moment)

/** It opens nothing to the persons it covers: others come in their place. */
const isForContactsAlone = ({ authorisedObject: authorised }: AccessStrategy): boolean => authorised === authorisedObject.contact

/**
 * The strategies of these that open a door to the persons they cover at a moment.
 * @param timeRules a rule that is missing is closed
 * @throws RangeError for an unknown zone
 */
export function openingsAt(
  strategies: readonly AccessStrategy[],
  door: Door,
  moment: number,
  timeRules: ReadonlyMap<string, TimeRule>,
): Opening[] {
  const local = localTime(moment, door.zone)
  return strategies.flatMap((strategy) => {
    if (isForContactsAlone(strategy)) return []
    if (!hasStarted(strategy, moment) || hasEnded(strategy, moment)) return []
    const methods = acceptedMethods(strategy.methods, door)
    const ruleId = strategy.timeRuleIds.find((id) => {
      const rule = timeRules.get(id)
      return rule !== undefined && explainRuleAt(rule, local).open
    })
    return methods.length === 0 || ruleId === undefined ? [] : [{ strategyId: strategy.id, ruleId, methods }]
  })
}

/**
 * The hours at which a strategy opens a door to the persons it covers, from an instant to another.
 * @param timeRules a rule that is missing is closed
 * @throws RangeError for an unknown zone
 */
export function strategyHours(strategy: AccessStrategy, door: Door, timeRules: ReadonlyMap<string, TimeRule>, { from, to }: Span): Span[] {
  if (isForContactsAlone(strategy) || acceptedMethods(strategy.methods, door).length === 0) return []
  const rules = strategy.timeRuleIds.flatMap((id) => timeRules.get(id) ?? [])
  return during(unionOf(rules.flatMap((rule) => openSpans(rule, from, to, door.zone))), strategy)
}
