/** Mutual exclusion: pieces of work run one at a time, in the order in which they were requested. */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>

/** Return a mutex. A piece of work that fails does not stop those behind it. */
export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next.catch(() => {})
    return next
  }
}
