/** Gathers what is handed in one by one into batches that are worked on one after the other. */
import { setTimeout as delay } from 'node:timers/promises'

interface BatchQueue<Item, Result> {
  /** @throws QueueFull; whatever the batch of the item came to */
  add(item: Item): Promise<Result>
}

/** More waits than is kept in memory; whoever sent it sends it again. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

interface BatchLimits {
  /** Milliseconds a batch waits for more, unless it is full: fewer, larger transactions. */
  gatherMs: number
  /** Largest weight of a batch of several items. */
  batch: number
  /** Weight that may wait. */
  waiting: number
}

interface Waiting<Item, Result> {
  item: Item
  weight: number
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * A queue in order of arrival.
 * @param work takes a batch and answers, in its order, a result or an Error each; thrown, it is the answer to all
 */
export function createBatchQueue<Item, Result>(
  work: (items: readonly Item[]) => Promise<(Result | Error)[]>,
  weightOf: (item: Item) => number,
  limits: BatchLimits,
): BatchQueue<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  let weight = 0
  let running = false

  /** The first of those that wait, as many as make a batch, and one at least. */
  function take(): Waiting<Item, Result>[] {
    let taken = 0
    let count = 0
    while (count < waiting.length && (count === 0 || taken + waiting[count]!.weight <= limits.batch)) taken += waiting[count++]!.weight
    const batch = waiting.slice(0, count)
    waiting = waiting.slice(count)
    weight -= taken
    return batch
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      if (weight < limits.batch) await delay(limits.gatherMs)
      const batch = take()
      const results = await work(batch.map(({ item }) => item)).catch((error: unknown) => {
        const failure = error instanceof Error ? error : new Error(String(error))
        return batch.map(() => failure)
      })
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index]
        if (result instanceof Error) reject(result)
        else resolve(result as Result)
      }
    }
    running = false
  }

  return {
    add(item) {
      const own = weightOf(item)
      if (weight + own > limits.waiting) return Promise.reject(new QueueFull('too much waits to be stored'))
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      waiting.push({ item, weight: own, resolve, reject })
      weight += own
      if (!running) {
        running = true
        void run()
      }
      return promise
    },
  }
}
