import { expect, test, vi } from 'vitest'
import { createFrameQueue } from '../passage/camera.ts'
import { createFeed } from './feed.ts'

/** An engine that finishes a picture when the test says so. */
function busyEngine() {
  const seen: number[] = []
  let finish = () => {}
  return {
    seen,
    finish: () => finish(),
    look(jpeg: Uint8Array): Promise<void> {
      seen.push(jpeg[0]!)
      return new Promise((resolve) => (finish = resolve))
    },
  }
}

test('a busy engine is given the newest picture next, and never those before it', async () => {
  const engine = busyEngine()
  const feed = createFeed(createFrameQueue(), engine.look, () => {})
  for (const picture of [1, 2, 3, 4]) feed.take(Uint8Array.of(picture))
  // The first picture of a moment is replaced by later ones of the same moment, and then looked at.
  await vi.waitUntil(() => engine.seen.length === 1)
  for (const picture of [5, 6, 7]) feed.take(Uint8Array.of(picture))
  engine.finish()
  await vi.waitUntil(() => engine.seen.length === 2)
  expect(engine.seen.at(-1)).toBe(7)

  feed.take(Uint8Array.of(8))
  const stopping = feed.stop()
  engine.finish()
  await stopping
  expect(engine.seen).toHaveLength(2)
})

test('a picture handed in goes before the camera’s, which by its turn is the newest', async () => {
  const queue = createFrameQueue()
  const engine = busyEngine()
  const handedIn = Promise.withResolvers<void>()
  const answered = queue.picture(() => handedIn.promise)
  const feed = createFeed(queue, engine.look, () => {})
  for (const picture of [1, 2, 3]) feed.take(Uint8Array.of(picture))
  expect(engine.seen).toEqual([])
  handedIn.resolve()
  await answered
  await vi.waitUntil(() => engine.seen.length === 1)
  expect(engine.seen).toEqual([3])
  engine.finish()
  await feed.stop()
})

test('a picture the engine fails on is told, and the next one is looked at', async () => {
  const announced: string[] = []
  let looks = 0
  const feed = createFeed(
    createFrameQueue(),
    () => Promise.reject(new Error(`failure ${++looks}`)),
    (sentence) => void announced.push(sentence),
  )
  feed.take(Uint8Array.of(1))
  await vi.waitUntil(() => announced.length === 1)
  feed.take(Uint8Array.of(2))
  await vi.waitUntil(() => announced.length === 2)
  expect(announced[1]).toBe('A picture of the camera could not be looked at: failure 2')
  await feed.stop()
})
