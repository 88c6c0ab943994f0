/** One after the other: a decision that waits for the server must not be overtaken by the next thing shown. */
export function createSerial(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next.catch(() => {})
    return next
  }
}
