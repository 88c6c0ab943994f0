/** What a simulated device decides about those who come to the demo campus: by what it holds, and held then. */
import type { RecordObject } from '@gatehouse/contract/device/protocol'
import type { SimulatedHoldings } from '../simulator/holdings.ts'
import { passageOf, type HeldThen } from '../simulator/passage.ts'
import type { Approach } from './passages.ts'
import type { DemoPerson } from './roster.ts'

/** A person of the roster as the server knows it. */
export interface RegisteredPerson extends DemoPerson {
  id: string
}

/** The records of a list of approaches, numbered from 1 by their place in it. @param pictured how many of the last have a picture */
export function recordsOf(
  approaches: readonly Approach[],
  holdings: SimulatedHoldings,
  people: ReadonlyMap<string, RegisteredPerson>,
  pictured: number,
): RecordObject[] {
  return approaches.map(({ workNumber, score, moment }, index) => {
    const known = workNumber === null ? undefined : people.get(workNumber)
    const hasPicture = index >= approaches.length - pictured
    const heldThen = known && heldAt(known, moment, holdings, people)
    const passage = passageOf(holdings, { personId: known?.id ?? null, score, moment }, { hasPicture, heldThen })
    if (passage === null) throw new Error('the device has no settings yet')
    return { seq: index + 1, ...passage.record }
  })
}

/** Whoever has left, or is disabled now, was not before. */
function heldAt(
  known: RegisteredPerson,
  moment: number,
  holdings: SimulatedHoldings,
  people: ReadonlyMap<string, RegisteredPerson>,
): HeldThen | undefined {
  const { id, name, validFrom, validTo, leftAt } = known
  if (leftAt === null || moment >= leftAt) return undefined
  const held = holdings.person(id)
  if (held !== undefined) return { person: { ...held, enabled: true }, strategies: holdings.strategiesOf(id) }
  const colleague = [...people.values()].find((other) => other.department === known.department && holdings.person(other.id) !== undefined)
  return colleague && { person: { id, name, enabled: true, validFrom, validTo }, strategies: holdings.strategiesOf(colleague.id) }
}
