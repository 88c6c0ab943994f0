import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ID_TYPES as CONTRACT_TYPES } from '@gatehouse/contract/people/person-fields'
import { expect, test } from 'vitest'
import { ID_TYPES } from './page/id-types.ts'
import { WORDS } from './page.ts'

const english = WORDS.en

test('every language has every text, with the same places to fill', () => {
  const places = (words: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(words).map(([key, text]) => [key, text.match(/\{\w+\}/g)?.toSorted() ?? []]))
  for (const [language, words] of Object.entries(WORDS)) {
    expect(places(words)).toEqual(places(english))
    if (language !== 'en') expect(Object.values(words).filter((text) => !/\p{Script=Han}/u.test(text))).toEqual([])
  }
})

test('no text is left over', () => {
  const code = ['.', 'page']
    .flatMap((folder) => {
      const place = join(import.meta.dirname, folder)
      return readdirSync(place)
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
        .map((name) => readFileSync(join(place, name), 'utf8'))
    })
    .join('\n')
  const built = /^(type|refused|confirm|done)\.|Hint$/
  expect(Object.keys(english).filter((key) => !built.test(key) && !code.includes(`'${key}'`))).toEqual([])
})

test('the page offers the kinds of certificates of the contract, each with its word', () => {
  expect(ID_TYPES).toEqual(CONTRACT_TYPES)
  for (const type of ID_TYPES) expect(english).toHaveProperty([`type.${type}`])
})
