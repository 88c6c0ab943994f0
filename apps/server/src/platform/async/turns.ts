/**
 * A mutex for each key: one holder at a time, and the others wait in the order of arrival, with optional limits on their number and time.
 */
import { createSemaphore, type Semaphore } from './semaphore.ts'

export interface Turns {
  /**
   * Resolve once the caller holds the mutex. The caller calls the returned function once when done.
   * @throws SemaphoreFull at once where too many wait, and after waiting too long
   */
  enter(key: string): Promise<() => void>
  /** Do work while holding the mutex, whether or not earlier work failed. @throws SemaphoreFull as `enter` does */
  during<Value>(key: string, work: () => Promise<Value>): Promise<Value>
}

/**
 * Create mutexes.
 * @param waitingMax how many may wait for one key; no limit by default
 * @param patienceMs how long to wait; for ever by default
 */
export function createTurns({ waitingMax = Infinity, patienceMs }: { waitingMax?: number; patienceMs?: number } = {}): Turns {
  const semaphores = new Map<string, Semaphore>()

  async function enter(key: string): Promise<() => void> {
    const semaphore = semaphores.get(key) ?? createSemaphore(1, waitingMax)
    semaphores.set(key, semaphore)
    const leave = await semaphore.enter(1, '', patienceMs === undefined ? undefined : AbortSignal.timeout(patienceMs))
    return () => {
      leave()
      if (semaphore.idle()) semaphores.delete(key)
    }
  }

  return {
    enter,
    async during(key, work) {
      const leave = await enter(key)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

/**
 * Return the same work in runs that follow one another. For reading into a cache: a read that began before a change must not end after
 * the read that follows the change.
 */
export function serialised<Value>(work: () => Promise<Value>): () => Promise<Value> {
  const turns = createTurns()
  return () => turns.during('', work)
}
