import { expect, test } from 'vitest'
import { memoize, memoizePending } from './memoize.ts'

test('makes one for all who ask at once and later', async () => {
  const asked: string[] = []
  const get = memoize(async (key) => {
    asked.push(key)
    return { key }
  })
  const [first, second, other] = await Promise.all([get('a'), get('a'), get('b')])
  expect([first === second, other.key, (await get('a')) === first]).toEqual([true, 'b', true])
  expect(asked).toEqual(['a', 'b'])
})

test('tries again after a failure', async () => {
  let tries = 0
  const get = memoize(async () => {
    if (++tries === 1) throw new Error('not yet')
    return tries
  })
  await expect(get('a')).rejects.toThrow('not yet')
  expect(await get('a')).toBe(2)
})

test('remembers no more than it may, the oldest going first', async () => {
  const asked: string[] = []
  const get = memoize(async (key) => void asked.push(key), 2)
  for (const key of ['a', 'b', 'c', 'b', 'c', 'a']) await get(key)
  expect(asked).toEqual(['a', 'b', 'c', 'a'])
})

test('a pending one is shared by key, whether it succeeds or fails, and made again afterwards', async () => {
  const made: string[] = []
  const get = memoizePending(
    (door: string, _words: string) => door,
    async (door, words) => {
      made.push(words)
      if (words === 'wrong') throw new Error('no')
      return words
    },
  )
  expect(await Promise.all([get('hall', 'one'), get('hall', 'two'), get('vault', 'three')])).toEqual(['one', 'one', 'three'])
  await expect(get('hall', 'wrong')).rejects.toThrow('no')
  expect(await get('hall', 'four')).toBe('four')
  expect(made).toEqual(['one', 'three', 'wrong', 'four'])
})
