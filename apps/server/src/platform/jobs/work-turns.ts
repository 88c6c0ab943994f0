/**
 * The order of work: which waiting work starts next, and which attempt gives way to it. The park with the fewest attempts comes first,
 * among equals the one that was served longest ago. So no park waits longer for another than one slice of time.
 */

/** Attempts of one node. Four, because imports and templates mostly wait for the face engine, and requests share the thread with them. */
export const PLACES = 4
/** Most attempts that start over when interrupted; the last place is for those that can give way at any moment. */
export const PLACES_OF_STARTING_OVER = 3

export interface OpenWork {
  id: string
  parkId: string
  kind: string
  createdAt: number
  /** When an attempt last ended without ending the work; null before that. */
  servedAt: number | null
  /** Whether some node works on it. */
  attended: boolean
}

/** Work that occupies a place on this node. */
export interface Placed {
  parkId: string
  startsOver: boolean
}

const attendedBy = (open: readonly OpenWork[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const { parkId, attended } of open) if (attended) counts.set(parkId, (counts.get(parkId) ?? 0) + 1)
  return counts
}

/** Return when the park was last served, or else since when it waits. */
function waitingSince(own: readonly OpenWork[]): number {
  const served = own.flatMap(({ servedAt }) => servedAt ?? [])
  return served.length > 0 ? Math.max(...served) : Math.min(...own.map(({ createdAt }) => createdAt))
}

/** Return the work without an attempt, in the order in which it is to be taken. */
export function inTurn(open: readonly OpenWork[]): OpenWork[] {
  const attended = attendedBy(open)
  const since = new Map([...Map.groupBy(open, ({ parkId }) => parkId)].map(([parkId, own]) => [parkId, waitingSince(own)]))
  return open
    .filter((work) => !work.attended)
    .toSorted(
      (one, other) =>
        (attended.get(one.parkId) ?? 0) - (attended.get(other.parkId) ?? 0) ||
        since.get(one.parkId)! - since.get(other.parkId)! ||
        (one.servedAt ?? one.createdAt) - (other.servedAt ?? other.createdAt) ||
        (one.id < other.id ? -1 : 1),
    )
}

/** Return whether there is a place for the work on this node. One park may take all places but one. */
export function fits(placed: readonly Placed[], one: Placed): boolean {
  const own = placed.filter(({ parkId }) => parkId === one.parkId)
  const hasRoom = (all: readonly Placed[], ofPark: readonly Placed[], places: number) => all.length < places && ofPark.length < places - 1
  if (!hasRoom(placed, own, PLACES)) return false
  const startingOver = ({ startsOver }: Placed): boolean => startsOver
  return !one.startsOver || hasRoom(placed.filter(startingOver), own.filter(startingOver), PLACES_OF_STARTING_OVER)
}

/**
 * Return the attempt that gives way to work without a place; null where none may. Attempts that continue where they stopped give way
 * before those that start over, then those of parks with more attempts, then the oldest.
 * @param attempts whose slice of time is over
 * @param open work that waits or runs on any node
 */
export function toGiveWay<Attempt extends Placed & { since: number }>(
  placed: readonly Placed[],
  attempts: readonly Attempt[],
  one: Placed,
  open: readonly OpenWork[],
): Attempt | null {
  const attended = attendedBy(open)
  const of = (parkId: string): number => attended.get(parkId) ?? 0
  const able = attempts.filter(
    (attempt) =>
      fits(
        placed.filter((other) => other !== attempt),
        one,
      ) &&
      // If the park of the attempt then had fewer attempts than the one that waits, it would get its place back at once.
      (attempt.parkId === one.parkId || of(attempt.parkId) > of(one.parkId)),
  )
  const [first] = able.toSorted(
    (left, right) => Number(left.startsOver) - Number(right.startsOver) || of(right.parkId) - of(left.parkId) || left.since - right.since,
  )
  return first ?? null
}
