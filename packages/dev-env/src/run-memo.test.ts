import { portrait as drawn, portraitVariant as drawnVariant } from '@gatehouse/face-engine/portrait/portrait'
import { expect, test } from 'vitest'
import { portrait, portraitVariant } from './portraits.ts'
import { memoKey, runMemo } from './run-memo.ts'

test('a person drawn in a test run is the engine’s own picture, at first and again', async () => {
  const own = { first: await drawn('memo'), second: await drawnVariant('memo', 1), woman: await drawn('memo', { gender: 'female' }) }
  for (const time of ['at first', 'again']) {
    expect((await portrait('memo')).equals(own.first), time).toBe(true)
    expect((await portraitVariant('memo', 1)).equals(own.second), time).toBe(true)
    expect((await portrait('memo', { gender: 'female' })).equals(own.woman), time).toBe(true)
  }
})

test('what a run keeps is found by its key, and by no other', () => {
  const memo = runMemo()!
  const sources = ['packages/dev-env/src/run-memo.ts']
  const key = memoKey(sources, 'kept', 'bytes')
  expect(memo.read(key)).toBeNull()
  memo.write(key, Buffer.from('held'))
  expect(memo.read(key)).toEqual(Buffer.from('held'))
  expect(memoKey(sources, 'kept', 'bytes')).toBe(key)
  for (const other of [memoKey(sources, 'keptb', 'ytes'), memoKey(sources, 'kept'), memoKey(['package-lock.json'], 'kept', 'bytes')]) {
    expect(other).not.toBe(key)
    expect(memo.read(other)).toBeNull()
  }
})
