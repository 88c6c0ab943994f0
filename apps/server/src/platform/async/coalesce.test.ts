/** One run at a time, and none forgotten. */
import { expect, it } from 'vitest'
import { coalesce } from './coalesce.ts'

/** Work that lasts until it is released. */
function pendingWork() {
  const runs: PromiseWithResolvers<void>[] = []
  return { runs, work: () => runs[runs.push(Promise.withResolvers<void>()) - 1]!.promise }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('makes one more run of all that is asked for during a run', async () => {
  const { runs, work } = pendingWork()
  const { soon } = coalesce(work)
  for (let n = 0; n < 5; n++) soon()
  expect(runs).toHaveLength(1)
  runs[0]!.resolve()
  await turn()
  expect(runs).toHaveLength(2)
  runs[1]!.resolve()
  await turn()
  expect(runs).toHaveLength(2)
})

it('answers `now` after a run that began after it was called', async () => {
  const { runs, work } = pendingWork()
  const { now } = coalesce(work)
  const over: string[] = []
  void now().then(() => over.push('first'))
  void now().then(() => over.push('second'))
  void now().then(() => over.push('third'))
  runs[0]!.resolve()
  await turn()
  expect(over).toEqual(['first'])
  expect(runs).toHaveLength(2)
  runs[1]!.resolve()
  await turn()
  expect(over).toEqual(['first', 'second', 'third'])
})

it('ends after the run in hand', async () => {
  const { runs, work } = pendingWork()
  const { soon, stop } = coalesce(work)
  soon()
  soon()
  let stopped = false
  const stopping = stop().then(() => (stopped = true))
  await turn()
  expect(stopped).toBe(false)
  runs[0]!.resolve()
  await stopping
  soon()
  await turn()
  expect(runs).toHaveLength(1)
})
