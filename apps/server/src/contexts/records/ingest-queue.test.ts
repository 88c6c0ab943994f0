import { describe, expect, test } from 'vitest'
import { QueueFull, createBatchQueue } from './ingest-queue.ts'

const LIMITS = { gatherMs: 1, batch: 5, waiting: 12 }

/** Create a queue of numbers that are their own weights, whose batches wait until they are released. */
function manualQueue() {
  const batches: { items: readonly number[]; finish(results?: (number | Error)[]): void }[] = []
  const queue = createBatchQueue<number, number>(
    (items) => new Promise((resolve) => batches.push({ items, finish: (results = items.map((item) => item * 10)) => resolve(results) })),
    (item) => item,
    LIMITS,
  )
  return { queue, batches }
}

describe('a queue of batches', () => {
  test('works on what has come meanwhile together, in order, no more than fits', async () => {
    const { queue, batches } = manualQueue()
    const first = queue.add(1)
    await expect.poll(() => batches.length).toBe(1)
    const rest = [2, 3, 4, 1].map((item) => queue.add(item))
    batches[0]!.finish()
    expect(await first).toBe(10)
    await expect.poll(() => batches.length).toBe(2)
    expect(batches[1]!.items).toEqual([2, 3])
    batches[1]!.finish()
    await expect.poll(() => batches.length).toBe(3)
    expect(batches[2]!.items).toEqual([4, 1])
    batches[2]!.finish()
    expect(await Promise.all(rest)).toEqual([20, 30, 40, 10])
  })

  test('takes one item heavier than a batch by itself', async () => {
    const { queue, batches } = manualQueue()
    const heavy = queue.add(9)
    await expect.poll(() => batches.length).toBe(1)
    expect(batches[0]!.items).toEqual([9])
    batches[0]!.finish()
    expect(await heavy).toBe(90)
  })

  test('fails one item of a batch, or all of it, and goes on', async () => {
    const { queue, batches } = manualQueue()
    const [good, bad] = [queue.add(1), queue.add(2)]
    await expect.poll(() => batches.length).toBe(1)
    batches[0]!.finish([1, new Error('this one')])
    expect(await good).toBe(1)
    await expect(bad).rejects.toThrow('this one')
    const failing = createBatchQueue<number, number>(
      () => Promise.reject(new Error('all')),
      () => 1,
      LIMITS,
    )
    await expect(failing.add(1)).rejects.toThrow('all')
    await expect(failing.add(2)).rejects.toThrow('all')
  })

  test('refuses what would not fit any more, and takes it once there is room', async () => {
    const { queue, batches } = manualQueue()
    // The first fills a batch alone and is processed immediately; the others wait.
    const waiting = [5, 5, 5].map((item) => queue.add(item))
    await expect(queue.add(3)).rejects.toThrow(QueueFull)
    batches[0]!.finish()
    await expect.poll(() => batches.length).toBe(2)
    waiting.push(queue.add(3))
    for (const number of [1, 2, 3]) {
      await expect.poll(() => batches.length).toBe(number + 1)
      batches[number]!.finish()
    }
    expect(await Promise.all(waiting)).toEqual([50, 50, 50, 30])
  })
})
