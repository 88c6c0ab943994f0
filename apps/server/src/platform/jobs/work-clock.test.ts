import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WorkClock } from './work-clock.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('pauses are no work, however long', () => {
  const ended = vi.fn<() => void>()
  const clock = new WorkClock(1000, ended)
  vi.advanceTimersByTime(600)
  clock.pause()
  vi.advanceTimersByTime(100_000)
  clock.pause()
  clock.run()
  clock.run()
  vi.advanceTimersByTime(399)
  expect(ended).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2)
  expect(ended).toHaveBeenCalledOnce()
})

test('work that is done when the time is over, and not heard of yet, is done', () => {
  const ended = vi.fn<() => void>()
  const clock = new WorkClock(1000, ended)
  setTimeout(() => setImmediate(() => {}), 1000)
  vi.advanceTimersByTime(1000)
  // A queued message is handled before the end of the time.
  clock.pause()
  vi.advanceTimersByTime(10)
  expect(ended).not.toHaveBeenCalled()
})
