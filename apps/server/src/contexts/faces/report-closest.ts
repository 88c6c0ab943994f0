/** The pairs of different persons in a gallery whose photographs are closest, each pair once. Pure. */

export interface CloseSide {
  personId: string
  faceId: string
}

export interface CloseFaces {
  first: CloseSide
  second: CloseSide
  distance: number
}

export interface ClosestPairs {
  /** Offer two photographs of different persons; both orders are the same pair. */
  offer(one: CloseSide, other: CloseSide, distance: number): void
  /** Distance above which pairs need not be offered any more. */
  within(): number
  /** Nearest first. */
  list(): CloseFaces[]
}

/** @param limit pairs kept @param reach distance beyond which a pair is not close at all */
export function createClosestPairs(limit: number, reach: number): ClosestPairs {
  const pairs = new Map<string, CloseFaces>()
  const sorted = () => [...pairs].toSorted(([keyA, a], [keyB, b]) => a.distance - b.distance || (keyA < keyB ? -1 : 1))
  let bound = reach

  return {
    offer(one, other, distance) {
      if (distance > bound) return
      const [first, second] = one.personId < other.personId ? [one, other] : [other, one]
      const key = `${first.personId} ${second.personId}`
      const previous = pairs.get(key)
      if (previous !== undefined && previous.distance <= distance) return
      pairs.set(key, { first, second, distance })
      if (pairs.size < limit) return
      const order = sorted()
      if (order.length > limit) pairs.delete(order.pop()![0])
      bound = order.at(-1)![1].distance
    },
    within: () => bound,
    list: () => sorted().map(([, pair]) => pair),
  }
}
