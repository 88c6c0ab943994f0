/** Breaches of written rules, and the refusal of a change that breaks one. */
import { unionOfHours, weekPeriods, type WallHours } from '@gatehouse/access-rules'
import type { Breach } from '@gatehouse/contract/approvals/written-rules'
import { Hindered } from '../../platform/http/refusal.ts'
import type { NewPassage } from '../strategies/index.ts'
import type { Forbidden, Hit } from './written-rules-check.ts'
import type { WrittenRuleRow } from './written-rules-data.ts'

/** Largest number of doors named in a breach. */
const NAMED = 3

/** A breach, with its hits and passages. */
export interface Found {
  hits: readonly Hit[]
  breach: Breach
  passages: NewPassage[]
}

/** The refusal of a change that breaks rules; `breaches` are those without agreement. */
export class AgainstWrittenRules extends Hindered {
  readonly breaches: Breach[]
  /** The passages of the breaches by person, door and hour, keyed by rule id. */
  readonly passages: Record<string, NewPassage[]>
  constructor(found: readonly Found[], field: string) {
    const breaches = found.map(({ breach }) => breach)
    const refused = breaches.filter(({ reaction }) => reaction === 'refuse')
    const [rule, named] = refused.length > 0 ? (['writtenRule', refused] as const) : (['writtenRuleAsks', breaches] as const)
    super(
      // Zero: only at doors that the user may not see.
      named.map((one) => ({ path: field, rule: one.deviceCount === 0 ? 'writtenRuleElsewhere' : rule, params: breachParams(one) })),
      { breaches },
    )
    this.breaches = breaches
    this.passages = Object.fromEntries(found.map(({ breach, passages }) => [breach.rule.id, passages]))
  }
}

/** Return the parameters of the text about a breach. */
export const breachParams = ({ rule, personCount, deviceCount, deviceNames, periods, dates }: Breach): Record<string, string | number> => {
  const spans = [...new Set(periods.map(({ start, end }) => `${start}–${end}`)), ...dates]
  const shortened = (some: readonly string[], all: number): string => `${some.slice(0, NAMED).join(', ')}${all > NAMED ? ' …' : ''}`
  return {
    name: rule.name,
    persons: personCount,
    doors: shortened(deviceNames, deviceCount),
    hours: shortened(spans, spans.length),
    sentence: rule.sentence,
  }
}

const { compare } = new Intl.Collator()
const byName = (one: { name: string }, other: { name: string }): number => compare(one.name, other.name)

export const forbiddenBy = ({ periods, ...rule }: WrittenRuleRow): Forbidden => ({ ...rule, periods: periods as Forbidden['periods'] })

/** Return the doors and hours of hits together. */
export function placesOf(hits: readonly Hit[]) {
  const doors = [...new Map(hits.flatMap((hit) => hit.doors.map((door) => [door.id, door] as const))).values()].toSorted(byName)
  const { week, dates }: WallHours = unionOfHours(hits.map(({ hours }) => hours))
  return { deviceCount: doors.length, deviceNames: doors.slice(0, NAMED).map(({ name }) => name), periods: weekPeriods(week), dates }
}

export function breachOf({ id, name, sentence, reaction }: WrittenRuleRow, hits: readonly Hit[]): Breach {
  return {
    rule: { id, name, sentence },
    reaction,
    personCount: new Set(hits.flatMap((hit) => hit.persons.map((person) => person.id))).size,
    ...placesOf(hits),
  }
}
