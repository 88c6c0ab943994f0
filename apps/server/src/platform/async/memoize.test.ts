import { expect, test } from 'vitest'
import { memoize } from './memoize.ts'

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
