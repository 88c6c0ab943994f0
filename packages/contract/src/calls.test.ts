/** The permissions of all calls, written a second time: all other tests read them from the calls, and would not notice if one were lost. */
import { expect, it } from 'vitest'
import type { Call } from './call.ts'
import { calls, callsByArea } from './calls.ts'

it.each(Object.entries(callsByArea))(
  'each call of %s says that it is, and asks for the permission that is written down for it',
  async (area, groups) => {
    const all = groups.flatMap((group): Call[] => Object.values(group))
    expect(new Set(all.map((call) => call.area))).toEqual(new Set([area]))
    const lines = all.map(({ method, url, permission, besides = [] }) =>
      [permission.padEnd(26), method.padEnd(6), url, ...besides].join(' '),
    )
    // A new call, or one with a new permission: npx vitest run --project unit packages/contract/src/calls.test.ts -u
    await expect(`${lines.toSorted().join('\n')}\n`).toMatchFileSnapshot(`${area}/permissions.txt`)
  },
)

it('no call for the whole installation hangs on the role sign alone', () => {
  const bare = calls.filter(({ permission, besides = [] }) => permission === 'installation' && besides.length === 0)
  expect(bare.map(({ method, url }) => `${method} ${url}`)).toEqual([])
})
