import { expect, test } from 'vitest'
import { PERMISSION_CODES } from '@gatehouse/contract'
import { addresses, path } from './paths.ts'
import { screenEntries, screenOf } from './screens.ts'
import { menuFor } from './shell/layout/menu.ts'

test('a path fills its parameters', () => {
  expect(path('staffDetails', { id: 'a/b' })).toBe('/staffDetails/a%2Fb')
  expect(path('home')).toBe('/home')
})

test('no address is used twice, and each parent is a screen that is a list', () => {
  expect(new Set(Object.values(addresses)).size).toBe(Object.keys(addresses).length)
  for (const [name, { parent }] of screenEntries) if (parent) expect(screenOf(parent)?.kind, name).toBe('list')
})

test('the menu shows what a session may open, home always', () => {
  expect(menuFor((permission) => permission === null).map(({ group }) => group)).toEqual(['top'])
  const all = menuFor((permission) => permission === null || PERMISSION_CODES.includes(permission))
  expect(all.flatMap(({ entries }) => entries)).toEqual(expect.arrayContaining(['home', 'staffList']))
  const people = menuFor((permission) => permission === null || permission === 'person.list')
  expect(people.map(({ group }) => group)).toEqual(['top', 'person'])
})
