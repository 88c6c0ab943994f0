/** Work on one batch at a time: what arrives meanwhile is the next batch. */

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Create a function that does work on items: on one at once, and on those that arrive meanwhile in batches.
 * @param work on some items of a key, in the order of their arrival; returns a result for each, an Error where it is refused. Where it
 * rejects, it is tried again with each item by itself, so that none fails because of another.
 * @param itemsMax items of a batch
 */
export function createBatches<Item, Result>(
  work: (key: string, items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
  itemsMax: number,
): (key: string, item: Item) => Promise<Result> {
  /** Of each key with work under way. */
  const waiting = new Map<string, Waiting<Item, Result>[]>()

  async function settle(key: string, batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await work(
        key,
        batch.map(({ item }) => item),
      )
      for (const [at, { resolve, reject }] of batch.entries()) {
        const result = results[at]!
        if (result instanceof Error) reject(result)
        else resolve(result)
      }
    } catch (error) {
      if (batch.length === 1) return batch[0]!.reject(error)
      for (const one of batch) await settle(key, [one])
    }
  }

  async function run(key: string, queue: Waiting<Item, Result>[]): Promise<void> {
    while (queue.length > 0) await settle(key, queue.splice(0, itemsMax))
    waiting.delete(key)
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const queue = waiting.get(key)
      const one = { item, resolve, reject }
      if (queue !== undefined) return void queue.push(one)
      const started = [one]
      waiting.set(key, started)
      void run(key, started)
    })
}
