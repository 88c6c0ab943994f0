import { expect, test } from 'vitest'
import { createFrameQueue, FrameDropped } from './camera.ts'

/** Work that lasts until the test ends it. */
function pendingWork<T>(result: T) {
  const { promise, resolve } = Promise.withResolvers<void>()
  let started = false
  return {
    work: async () => {
      started = true
      await promise
      return result
    },
    end: resolve,
    started: () => started,
  }
}

test('pictures are worked on one at a time, in order', async () => {
  const queue = createFrameQueue()
  const [first, second] = [pendingWork('first'), pendingWork('second')]
  const results = [queue.picture(first.work), queue.picture(second.work)]
  await Promise.resolve()
  expect([first.started(), second.started()]).toEqual([true, false])
  first.end()
  second.end()
  expect(await Promise.all(results)).toEqual(['first', 'second'])
})

test('of a stream only the latest frame gets its turn', async () => {
  const queue = createFrameQueue()
  const [busy, old, latest] = [pendingWork('busy'), pendingWork('old'), pendingWork('latest')]
  const running = queue.frame(busy.work)
  const dropped = queue.frame(old.work).catch((error: unknown) => error)
  const waiting = queue.frame(latest.work)
  busy.end()
  latest.end()
  expect(await dropped).toMatchObject({ name: 'FrameDropped', why: 'superseded' })
  expect(await Promise.all([running, waiting])).toEqual(['busy', 'latest'])
  expect(old.started()).toBe(false)
})

test('too many pictures are refused, and a failed one does not stop the next', async () => {
  const queue = createFrameQueue(1)
  const first = pendingWork('first')
  const running = queue.picture(first.work)
  const failing = queue.picture(() => Promise.reject(new Error('broken'))).catch((error: unknown) => error)
  await expect(queue.picture(async () => 'third')).rejects.toThrow(FrameDropped)
  first.end()
  expect(await running).toBe('first')
  expect(await failing).toMatchObject({ message: 'broken' })
  expect(await queue.picture(async () => 'after')).toBe('after')
})
