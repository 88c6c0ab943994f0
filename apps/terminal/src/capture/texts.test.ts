import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WORDS } from './page.ts'

const english = WORDS.en
const PAGE = join(import.meta.dirname, 'page')

test('every language has every text, with the same places to fill', () => {
  const places = (words: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(words).map(([key, text]) => [key, text.match(/\{\w+\}/g)?.toSorted() ?? []]))
  for (const [language, words] of Object.entries(WORDS)) {
    expect(places(words)).toEqual(places(english))
    if (language !== 'en') expect(Object.values(words).filter((text) => !/\p{Script=Han}/u.test(text))).toEqual([])
  }
})

test('no text is left over', () => {
  const code = ['page', '../screen'].flatMap((folder) => {
    const place = join(import.meta.dirname, folder)
    const names = folder === 'page' ? readdirSync(PAGE).filter((name) => name.endsWith('.ts')) : ['camera.ts', 'key.ts']
    return names.map((name) => readFileSync(join(place, name), 'utf8'))
  })
  const built = /^(link|camera|engine|fault)\./
  expect(Object.keys(english).filter((key) => !built.test(key) && !code.join('\n').includes(`'${key}'`))).toEqual([])
})
