/** What a simulated device decides about those who come to the demo campus: by what it holds, and held then. */
import type { SimulatedHoldings } from '../simulator/holdings.ts'
import { passageOf, type HeldThen, type UnnumberedRecord } from '../simulator/passage.ts'
import type { Approach } from './passages.ts'
import type { DemoPerson } from './roster.ts'

/** A person of the roster as the server knows it. */
export interface RegisteredPerson extends DemoPerson {
  id: string
}

/** By whom and when is decided. */
export interface Verdicts {
  holdings: SimulatedHoldings
  /** By work number. */
  people: ReadonlyMap<string, RegisteredPerson>
  /** The demo's first start: until then people were still there who have left; from then on only what is held counts. */
  anchor: number
}

/** The record of an approach; null while the device has no settings to decide by. */
export function recordOf({ workNumber, recognised, score, moment }: Approach, verdicts: Verdicts): UnnumberedRecord | null {
  const { holdings, people } = verdicts
  const known = workNumber === null || !recognised ? undefined : people.get(workNumber)
  const heldThen = known && heldAt(known, moment, verdicts)
  return passageOf(holdings, { personId: known?.id ?? null, score, moment }, { heldThen })?.record ?? null
}

/** Whoever has left, or is disabled now, was not before. */
function heldAt(known: RegisteredPerson, moment: number, { holdings, people, anchor }: Verdicts): HeldThen | undefined {
  const { id, name, validFrom, validTo, leftAt } = known
  if (moment >= anchor || leftAt === null || moment >= leftAt) return undefined
  const held = holdings.person(id)
  if (held !== undefined) return { person: { ...held, enabled: true }, strategies: holdings.strategiesOf(id) }
  const colleague = [...people.values()].find((other) => other.department === known.department && holdings.person(other.id) !== undefined)
  return colleague && { person: { id, name, enabled: true, validFrom, validTo }, strategies: holdings.strategiesOf(colleague.id) }
}
