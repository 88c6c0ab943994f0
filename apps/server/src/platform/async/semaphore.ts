/** A semaphore: a limited amount is admitted at once, and the others wait in the order of arrival. */

export interface Semaphore {
  /**
   * Resolve once there is room. The caller calls the returned function once when done.
   * @param size part of the room taken; one larger than the room enters alone
   * @param owner whose share of the room it counts against
   * @param signal ends the waiting; it has no effect after entry
   * @throws SemaphoreFull at once where too many wait, and where the waiting was ended
   */
  enter(size?: number, owner?: string, signal?: AbortSignal): Promise<() => void>
  /** Return whether nothing is inside and nothing waits. */
  idle(): boolean
}

export class SemaphoreFull extends Error {
  override readonly name = 'SemaphoreFull'
}

/**
 * Create a semaphore.
 * @param room sum of the sizes inside
 * @param waitingMax how many may wait
 * @param share largest part of the room, and of the waiting places, that one owner takes, from 0 to 1; an owner beyond it is overtaken by
 * others. An owner who is not inside yet may enter with one size that is larger.
 */
export function createSemaphore(room: number, waitingMax: number, share = 1): Semaphore {
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

  /**
   * Admit in the order of arrival, also among requests of one owner. A request that waits for room delays all later ones; one that waits
   * for its owner's share delays that owner only.
   */
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
    enter: (size = 1, owner = '', signal) =>
      new Promise((resolve, reject) => {
        const one: Waiting = {
          size,
          owner,
          enter() {
            signal?.removeEventListener('abort', leave)
            resolve(admit(size, owner))
          },
        }
        function leave(): void {
          waiting.splice(waiting.indexOf(one), 1)
          signal?.removeEventListener('abort', leave)
          reject(new SemaphoreFull(`${waiting.length} are waiting`))
          // Requests that it delayed may fit now.
          admitWaiting()
        }
        waiting.push(one)
        admitWaiting()
        if (!waiting.includes(one)) return
        if (areTooMany(owner) || signal?.aborted === true) leave()
        else signal?.addEventListener('abort', leave)
      }),
    idle: () => taken === 0 && waiting.length === 0,
  }
}
