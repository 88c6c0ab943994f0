/** Which days of captures are in memory, who uses them, and which are given back when others need the room. */
import type { Scope } from '../../platform/session/session.ts'

/** A day as it was read once. Read again, it is another one, so that nothing of one reading is ever taken for the other's. */
export interface ReadDay {
  parkId: string
  day: number
  /** What the threads call it. */
  segment: string
  bytes: number
  /** Who fills it or is about to scan it: until there is nobody, its memory stays. */
  uses: number
  /** It was filled as a whole. */
  ready: Promise<void>
}

export interface DaysInMemory {
  /** Whether a search to come will find a day. */
  has(scope: Scope, day: number): boolean
  /**
   * Return a day, which is filled first where it is not in memory; it stays until it is given back.
   * @param fill reads what belongs to it; where that is rejected, no search to come finds it
   */
  take(scope: Scope, day: number, fill: (made: ReadDay) => Promise<void>): ReadDay
  giveBack(day: ReadDay): void
  /** Let no search to come find a day. */
  retire(day: ReadDay): void
  /** Return the days of a park that searches to come will find. */
  of(scope: Scope): ReadDay[]
  /** Whether a day takes memory, also when only searches under way use it. */
  takesMemory(day: ReadDay): boolean
  /** Give days back that nobody uses, the least recently used first, until there is room for so many bytes. */
  makeRoom(bytes: number): void
  /** Forget all days: what held them is gone. */
  clear(): void
}

/** @param memory bytes that all days may take @param drop gives back the memory of a segment */
export function createDaysInMemory(memory: number, drop: (segment: string) => void): DaysInMemory {
  /** Days that searches to come will find; the least recently used first. */
  const resident = new Map<string, ReadDay>()
  /** All that take memory: also those that are only used by searches under way. */
  const taking = new Set<ReadDay>()
  let readings = 0

  const keyOf = ({ parkId }: Pick<ReadDay, 'parkId'>, day: number): string => `${parkId}/${day}`

  /** Give the memory of a day back once nobody uses it any more. */
  function release(day: ReadDay): void {
    if (day.uses > 0 || resident.get(keyOf(day, day.day)) === day || !taking.delete(day)) return
    drop(day.segment)
  }

  function retire(day: ReadDay): void {
    const key = keyOf(day, day.day)
    if (resident.get(key) === day) resident.delete(key)
    release(day)
  }

  function read(scope: Scope, day: number, fill: (made: ReadDay) => Promise<void>): ReadDay {
    const segment = `${keyOf(scope, day)}/${readings++}`
    const made: ReadDay = { parkId: scope.parkId, day, segment, bytes: 0, uses: 1, ready: Promise.resolve() }
    resident.set(keyOf(scope, day), made)
    taking.add(made)
    made.ready = fill(made).finally(() => made.uses--)
    made.ready.then(
      () => release(made),
      () => retire(made),
    )
    return made
  }

  return {
    has: (scope, day) => resident.has(keyOf(scope, day)),
    take(scope, day, fill) {
      const key = keyOf(scope, day)
      const taken = resident.get(key) ?? read(scope, day, fill)
      resident.delete(key)
      resident.set(key, taken)
      taken.uses++
      return taken
    },
    giveBack(day) {
      day.uses--
      release(day)
    },
    retire,
    of: ({ parkId }) => [...resident.values()].filter((day) => day.parkId === parkId),
    takesMemory: (day) => taking.has(day),
    makeRoom(bytes) {
      for (const day of resident.values()) {
        const taken = [...taking].reduce((sum, { bytes: ofDay }) => sum + ofDay, 0)
        if (taken + bytes <= memory) return
        if (day.uses === 0) retire(day)
      }
    },
    clear() {
      resident.clear()
      taking.clear()
    },
  }
}
