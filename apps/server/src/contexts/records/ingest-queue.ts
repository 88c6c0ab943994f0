/** A queue that gathers single items into batches and processes one batch after the other. */
import { setTimeout as delay } from 'node:timers/promises'

interface BatchQueue<Item, Result> {
  /**
   * Return the result of an item.
   * @throws QueueFull; the error of the item or of its batch
   */
  add(item: Item): Promise<Result>
}

/** More items wait than may be kept in memory; the sender sends the item again. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

interface BatchLimits {
  /** Milliseconds that a batch that is not full waits for more items: fewer, larger transactions. */
  gatherMs: number
  /** Largest weight of a batch of several items. */
  batch: number
  /** Largest weight of all waiting items. */
  waiting: number
}

interface Waiting<Item, Result> {
  item: Item
  weight: number
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Create a queue that keeps the order of arrival.
 * @param work processes a batch and returns a result or an Error for each item, in their order; an error it throws is the result
 *   of all
 */
export function createBatchQueue<Item, Result>(
  work: (items: readonly Item[]) => Promise<(Result | Error)[]>,
  weightOf: (item: Item) => number,
  limits: BatchLimits,
): BatchQueue<Item, Result> {
  let waiting: Waiting<Item, Result>[] = []
  let weight = 0
  let running = false

  /** Take the first waiting items, as many as fit a batch and at least one. */
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
