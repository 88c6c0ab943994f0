/** Persons and doors that strategies cover. Not each pair of a person and a door is examined: those that are alike are examined once. */
import type { StrategyFacts } from './standing.ts'
import type { StandingPerson, StandingDoor } from './standing-types.ts'

type Reach = Pick<StrategyFacts, 'id' | 'personIds' | 'groupIds' | 'deviceIds' | 'deviceGroupIds'>

const EMPTY: readonly string[] = []

function put(map: Map<string, string[]>, key: string, id: string): void {
  const ids = map.get(key)
  if (ids === undefined) map.set(key, [id])
  else if (ids.at(-1) !== id) ids.push(id)
}

/** Return a lookup of the strategies that cover a person, in a fixed order. Persons covered by their group alone share one array. */
export function coverageOf(strategies: Iterable<Reach>): (person: Pick<StandingPerson, 'id' | 'groupId'>) => readonly string[] {
  const byPerson = new Map<string, string[]>()
  const byGroup = new Map<string, string[]>()
  for (const { id, personIds, groupIds } of [...strategies].toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    for (const personId of personIds) put(byPerson, personId, id)
    for (const groupId of groupIds) put(byGroup, groupId, id)
  }
  return ({ id, groupId }) => {
    const [single, grouped] = [byPerson.get(id), byGroup.get(groupId) ?? EMPTY]
    return single === undefined ? grouped : [...new Set([...grouped, ...single])].toSorted()
  }
}

/** Return the strategies that name each door, directly or by its group, in a fixed order; a door that no strategy names is absent. */
export function strategiesAtDoors(
  strategies: Iterable<Reach>,
  doors: ReadonlyMap<string, Pick<StandingDoor, 'id' | 'groupId'>>,
): Map<string, string[]> {
  const inGroup = new Map<string, string[]>()
  for (const { id, groupId } of doors.values()) if (groupId !== null) put(inGroup, groupId, id)
  const found = new Map<string, string[]>()
  for (const { id, deviceIds, deviceGroupIds } of [...strategies].toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    for (const deviceId of deviceIds) if (doors.has(deviceId)) put(found, deviceId, id)
    for (const groupId of deviceGroupIds) for (const deviceId of inGroup.get(groupId) ?? EMPTY) put(found, deviceId, id)
  }
  return found
}

/** Group things by a key, in the order of the first thing of each group. */
export const alike = <Thing>(things: Iterable<Thing>, keyOf: (thing: Thing) => string): Thing[][] => [
  ...Map.groupBy(things, keyOf).values(),
]

/** Return a key of a door: doors with the same key open alike under the same strategies. */
export const doorKey = ({ zone, methods = [] }: StandingDoor): string => `${zone} ${methods.join()}`
