/** A place where a limited number are served at once and the others wait in the order they came. */

export interface Semaphore {
  /**
   * Resolves once there is room; whoever entered calls the answer when done, once.
   * @param size share of the room taken; one larger than all of it enters alone
   * @param owner whose share of the room it counts against
   * @param signal ends the waiting; whoever is inside stays
   * @throws SemaphoreFull at once where too many wait, and where the waiting was ended
   */
  enter(size?: number, owner?: string, signal?: AbortSignal): Promise<() => void>
  /** Nobody is inside, nobody waits. */
  idle(): boolean
}

export class SemaphoreFull extends Error {
  override readonly name = 'SemaphoreFull'
}

/**
 * @param room sum of the sizes inside
 * @param waitingMax how many may wait
 * @param share largest part of the room, and of the waiting places, that one owner takes, from 0 to 1; beyond it an owner
 *   is overtaken by the others. An owner who is not inside yet may enter with one size that is larger.
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
          // Whom it held up may fit.
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
