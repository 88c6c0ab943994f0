/** A place where a limited number are served at once and the others wait in the order they came. */

export interface Line {
  /**
   * Resolves once there is room; whoever entered calls the answer when done, once.
   * @param size share of the room taken; one larger than all of it enters alone
   * @throws LineFull at once where too many wait
   */
  enter(size?: number): Promise<() => void>
  /** Nobody is inside, nobody waits. */
  idle(): boolean
}

export class LineFull extends Error {
  override readonly name = 'LineFull'
}

/**
 * @param room sum of the sizes inside
 * @param waitingMax how many may wait
 */
export function createLine(room: number, waitingMax: number): Line {
  const waiting: { size: number; enter(): void }[] = []
  let taken = 0

  const fits = (size: number): boolean => taken === 0 || taken + size <= room

  function admit(size: number): () => void {
    taken += size
    let left = false
    return () => {
      if (left) return
      left = true
      taken -= size
      while (waiting.length > 0 && fits(waiting[0]!.size)) waiting.shift()!.enter()
    }
  }

  return {
    async enter(size = 1) {
      if (waiting.length === 0 && fits(size)) return admit(size)
      if (waiting.length >= waitingMax) throw new LineFull(`${waiting.length} are waiting`)
      return new Promise((resolve) => waiting.push({ size, enter: () => resolve(admit(size)) }))
    },
    idle: () => taken === 0 && waiting.length === 0,
  }
}
