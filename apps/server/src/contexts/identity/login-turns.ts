/** Lets tries at one account follow one another: a hundred at once would all be tried before the sixth could lock it. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work)
    const done = mine.catch(() => {})
    last.set(key, done)
    try {
      return await mine
    } finally {
      if (last.get(key) === done) last.delete(key)
    }
  }
}
