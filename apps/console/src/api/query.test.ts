/** A live frame and the answer of a read may arrive in either order; no data of either is lost. */
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { changeCached, readAgain } from './query.ts'

const key = { queryKey: ['GET', '/numbers'] }

/** Return a list that is on screen; the test answers each read itself. */
function looked() {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const readings: { answer: (numbers: number[]) => void; fail: () => void }[] = []
  const observer = new QueryObserver<number[]>(cache, {
    ...key,
    queryFn: () => new Promise((resolve, reject) => readings.push({ answer: resolve, fail: () => reject(new Error('no answer')) })),
  })
  onTestFinished(observer.subscribe(() => {}))
  const shown = (): number[] | undefined => cache.getQueryData(key.queryKey)
  const take = (number: number): void => changeCached<number[]>(cache, key, (cached) => [...new Set([...cached, number])])
  return { cache, readings, shown, take }
}

test('what comes while the first answer is on its way stands beside it', async () => {
  const { readings, shown, take } = looked()
  take(2)
  expect(shown()).toBeUndefined()
  readings[0]!.answer([1])
  await expect.poll(shown).toEqual([1, 2])
})

test('an answer from before a change does not take it back, and what was cached before a failed reading stays', async () => {
  const { cache, readings, shown, take } = looked()
  readings[0]!.answer([1])
  await expect.poll(shown).toEqual([1])
  const second = cache.invalidateQueries(key)
  take(2)
  expect(shown()).toEqual([1, 2])
  readings[1]!.answer([0, 1])
  await second
  await expect.poll(shown).toEqual([0, 1, 2])
  const third = cache.invalidateQueries(key)
  take(3)
  readings[2]!.fail()
  await third
  expect(shown()).toEqual([0, 1, 2, 3])
})

test('a reading that began before is let finish, and then made once more for all who asked', async () => {
  const { cache, readings, shown } = looked()
  const asked = [readAgain(cache, key), readAgain(cache, key)]
  expect(readings).toHaveLength(1)
  readings[0]!.answer([1])
  await expect.poll(() => readings.length).toBe(2)
  expect(shown()).toEqual([1])
  readings[1]!.answer([1, 2])
  await Promise.all(asked)
  expect(shown()).toEqual([1, 2])
  expect(readings).toHaveLength(2)
})
