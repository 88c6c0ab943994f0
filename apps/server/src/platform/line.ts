/** A place where a limited number are served at once and the others wait in the order they came. */

export interface Line {
  /**
   * Resolves once there is room; whoever entered calls the answer when done, once.
   * @param size share of the room taken; one larger than all of it enters alone
   * @param owner whose share of the room it counts against
   * @throws LineFull at once where too many wait
   */
  enter(size?: number, owner?: string): Promise<() => void>
  /** Nobody is inside, nobody waits. */
  idle(): boolean
}

export class LineFull extends Error {
  override readonly name = 'LineFull'
}

/**
 * @param room sum of the sizes inside
 * @param waitingMax how many may wait
 * @param share largest part of the room, and of the waiting places, that one owner takes, from 0 to 1; beyond it an owner
 *   is overtaken by the others. An owner who is not inside yet may enter with one size that is larger.
 */
export function createLine(room: number, waitingMax: number, share = 1): Line {
  interface Waiting {
    size: number
    owner: string
    enter(): void
  }
  const waiting: Waiting[] = []
  const takenBy = new Map<string, number>()
  let taken = 0

  const fits = (size: number): boolean => taken === 0 || taken + size <= room
  function isWithinShare({ size, owner }: Waiting): boolean {
    const own = takenBy.get(owner)
    return own === undefined || own + size <= room * share
  }

  function admit(size: number, owner: string): () => void {
    taken += size
    takenBy.set(owner, (takenBy.get(owner) ?? 0) + size)
    let left = false
    return () => {
      if (left) return
      left = true
      taken -= size
      const own = takenBy.get(owner)! - size
      if (own > 0) takenBy.set(owner, own)
      else takenBy.delete(owner)
      admitWaiting()
    }
  }

  /** In the order of arrival, also among those of one owner. Whoever waits for room holds up all who came later; an owner's share, the owner alone. */
  function admitWaiting(): void {
    const overtaken = new Set<string>()
    for (const one of waiting.slice()) {
      if (overtaken.has(one.owner) || !isWithinShare(one)) overtaken.add(one.owner)
      else if (!fits(one.size)) return
      else {
        waiting.splice(waiting.indexOf(one), 1)
        one.enter()
      }
    }
  }

  const areTooMany = (owner: string): boolean =>
    waiting.length > waitingMax || waiting.filter((one) => one.owner === owner).length > waitingMax * share

  return {
    enter: (size = 1, owner = '') =>
      new Promise((resolve, reject) => {
        const one: Waiting = { size, owner, enter: () => resolve(admit(size, owner)) }
        waiting.push(one)
        admitWaiting()
        if (!waiting.includes(one) || !areTooMany(owner)) return
        waiting.splice(waiting.indexOf(one), 1)
        reject(new LineFull(`${waiting.length} are waiting`))
      }),
    idle: () => taken === 0 && waiting.length === 0,
  }
}
