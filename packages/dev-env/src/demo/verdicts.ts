/** Decisions of a simulated device about the people who come to the demo campus, from what it stores now and what it stored earlier. */
import type { SimulatedHoldings } from '../simulator/holdings.ts'
import { passageOf, type StoredThen, type UnnumberedRecord } from '../simulator/passage.ts'
import type { Approach } from './passages.ts'
import type { DemoPerson } from './roster.ts'

/** A person of the roster as the server knows it. */
export interface RegisteredPerson extends DemoPerson {
  id: string
}

/** What a decision is based on. */
export interface Verdicts {
  holdings: SimulatedHoldings
  /** By work number. */
  people: ReadonlyMap<string, RegisteredPerson>
  /** The demo's first start. Until then, people who have left were still registered; from then on only what the device stores counts. */
  anchor: number
}

/** Return the record of an approach; null while the device has no settings to decide by. */
export function recordOf({ workNumber, recognised, score, moment }: Approach, verdicts: Verdicts): UnnumberedRecord | null {
  const { holdings, people } = verdicts
  const registered = workNumber === null || !recognised ? undefined : people.get(workNumber)
  const storedThen = registered && storedAt(registered, moment, verdicts)
  return passageOf(holdings, { personId: registered?.id ?? null, score, moment }, { storedThen })?.record ?? null
}

/** Return a person who has left, or is disabled now, as the device stored them before; undefined where only what it stores now counts. */
function storedAt(registered: RegisteredPerson, moment: number, { holdings, people, anchor }: Verdicts): StoredThen | undefined {
  const { id, name, validFrom, validTo, leftAt } = registered
  if (moment >= anchor || leftAt === null || moment >= leftAt) return undefined
  const stored = holdings.person(id)
  if (stored !== undefined) return { person: { ...stored, enabled: true }, strategies: holdings.strategiesOf(id) }
  const colleague = [...people.values()].find(
    (other) => other.department === registered.department && holdings.person(other.id) !== undefined,
  )
  return colleague && { person: { id, name, enabled: true, validFrom, validTo }, strategies: holdings.strategiesOf(colleague.id) }
}
