/** Which callers may send a file. */
import { expect, it } from 'vitest'
import type { Call } from './call.ts'
import { calls } from './calls.ts'

const nameOf = ({ method, url }: Call): string => `${method} ${url}`

it('each call that takes a file without a login asks for the token of a link, which is checked before the file is read', () => {
  const open = calls.filter(({ permission, consumes }) => permission === 'public' && consumes === 'multipart')
  expect(open.map(nameOf)).not.toEqual([])
  expect(open.filter(({ linkToken }) => linkToken !== true).map(nameOf)).toEqual([])
})

it('no other call asks for one: whoever logs in is known by that', () => {
  expect(calls.filter(({ linkToken, permission }) => linkToken === true && permission !== 'public').map(nameOf)).toEqual([])
})
