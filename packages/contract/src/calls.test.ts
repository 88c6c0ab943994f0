/** Who may ask what, written down a second time: all other tests of permissions read them from the calls, and go along where one is lost. */
import { expect, it } from 'vitest'
import type { Call } from './call.ts'
import { calls } from './calls.ts'

it('each call asks for the permission that is written down for it', async () => {
  const all = Object.values(calls).flatMap((context) => Object.values(context) as Call[])
  const lines = all.map(({ method, url, permission, besides = [] }) => [permission.padEnd(26), method.padEnd(6), url, ...besides].join(' '))
  // A new call, or one that is meant to ask for another permission: npx vitest run --project unit packages/contract/src/calls.test.ts -u
  await expect(`${lines.toSorted().join('\n')}\n`).toMatchFileSnapshot('permissions.txt')
})

it('no call for the whole installation hangs on the role sign alone', () => {
  const all = Object.values(calls).flatMap((context) => Object.values(context) as Call[])
  const bare = all.filter(({ permission, besides = [] }) => permission === 'installation' && besides.length === 0)
  expect(bare.map(({ method, url }) => `${method} ${url}`)).toEqual([])
})
