/** The list of used codes is stored as data, so that the console need not load every call. */
import { expect, it } from 'vitest'
import { calls } from './calls.ts'
import { OPENED_BY, PERMISSION_CODES, isUsed } from './permissions.ts'
import { topics } from './realtime.ts'

it('the codes that count as used are those a call or a topic asks for, and those that open one of them', () => {
  // Terminals call with a token of their own, not with the code of the same name.
  const asked = new Set<string>([
    ...calls.filter(({ service }) => service !== 'device').flatMap(({ permission, besides = [] }) => [permission, ...besides]),
    ...Object.values(topics).map(({ permission }) => permission),
  ])
  const used = PERMISSION_CODES.filter((code) => asked.has(code) || (OPENED_BY[code] ?? []).some((behind) => asked.has(behind)))
  expect(PERMISSION_CODES.filter(isUsed)).toEqual(used)
})
