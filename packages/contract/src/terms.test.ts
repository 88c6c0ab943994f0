/** One word for one thing: docs/terms.md is checked against all texts that users read. */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from './envelope.ts'

type Texts = { [key: string]: string | Texts }

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const terms = readFileSync(`${ROOT}/docs/terms.md`, 'utf8')

/** Return the cells of the rows of the table below a heading; the table of the terms is below the first heading. */
const tableUnder = (heading: string): string[][] =>
  terms
    .split(/^#+ /m)
    .find((section) => section.startsWith(`${heading}\n`))!
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )

const wordsOf = (cell: string): string[] => cell.split(', ').filter(Boolean)

interface Term {
  meaning: string
  /** Spellings that must not occur. */
  not: Record<Language, string[]>
}

const TERMS: Term[] = tableUnder('Terms').map(([meaning = '', , , , en = '', zhCN = '', zhTW = '']) => ({
  meaning,
  not: { en: wordsOf(en), 'zh-CN': wordsOf(zhCN), 'zh-TW': wordsOf(zhTW) },
}))
const EXCEPTIONS = new Set(tableUnder('Exceptions').map(([text = '', spelling = '']) => `${text} ${spelling}`))
const LATIN = new Set(wordsOf(/what is typed: ([^]*)\./.exec(terms)![1]!.replaceAll(/\s+/g, ' ')))

const flat = (texts: Texts, prefix: readonly string[] = []): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [[[...prefix, key].join('.'), text] as [string, string]] : flat(text, [...prefix, key]),
  )

/** Return every text of a language, with the name of its file and its key. */
function textsOf(language: Language): [name: string, text: string][] {
  const files = globSync([`{apps,packages}/*/src/i18n/${language}/**/*.json`, `apps/terminal/src/*/i18n/${language}.json`], { cwd: ROOT })
  return files.flatMap((file) => {
    const namespace = file.startsWith('apps/terminal') ? `terminal/${basename(dirname(dirname(file)))}` : basename(file, '.json')
    return flat(JSON.parse(readFileSync(`${ROOT}/${file}`, 'utf8')) as Texts).map(
      ([key, text]) => [`${namespace} ${key}`, text] as [string, string],
    )
  })
}

const withoutPlaces = (text: string): string => text.replaceAll(/\{\{?\w+(, number)?\}?\}/g, '')

/** Return the other spellings of terms in a text. */
function spellingsIn(language: Language, text: string): string[] {
  const found = language === 'en' ? withoutPlaces(text).toLowerCase() : withoutPlaces(text)
  return TERMS.flatMap(({ not }) => not[language]).filter((spelling) =>
    language === 'en' ? new RegExp(`(?<![\\w-])${spelling.toLowerCase()}(?![\\w-])`).test(found) : found.includes(spelling),
  )
}

const latinIn = (text: string): string[] =>
  (withoutPlaces(text).match(/[A-Za-z][\w.-]*/g) ?? []).map((word) => word.replace(/\.$/, '')).filter((word) => !LATIN.has(word))

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const texts = textsOf(language)

  it('call each thing by its term', () => {
    expect(texts.length).toBeGreaterThan(5000)
    const others = texts.flatMap(([name, text]) =>
      spellingsIn(language, text)
        .filter((spelling) => !EXCEPTIONS.has(`${name} ${spelling}`))
        .map((spelling) => `${name}: “${spelling}” in “${text}”`),
    )
    expect(others).toEqual([])
  })

  it.skipIf(language === 'en')('are Chinese, except for the Latin words that are listed', () => {
    // The name of each language is written in that language.
    const written = texts.filter(([name]) => !name.includes(' language.'))
    expect(written.flatMap(([name, text]) => latinIn(text).map((word) => `${name}: “${word}” in “${text}”`))).toEqual([])
  })
})

it('names no exception that is not needed, and no term twice', () => {
  const used = new Set(
    LANGUAGES.flatMap((language) =>
      textsOf(language).flatMap(([name, text]) => spellingsIn(language, text).map((word) => `${name} ${word}`)),
    ),
  )
  expect([...EXCEPTIONS].filter((exception) => !used.has(exception))).toEqual([])
  expect(TERMS.map(({ meaning }) => meaning)).toEqual([...new Set(TERMS.map(({ meaning }) => meaning))])
})

it('sees another spelling and a foreign word where there is one', () => {
  expect(spellingsIn('en', 'Whoever is on the Blacklist')).toEqual(['blacklist', 'whoever'])
  expect(spellingsIn('en', 'the strategist {{strategy}}')).toEqual([])
  expect(spellingsIn('zh-CN', '已加入黑名单')).toEqual(['黑名单'])
  expect(spellingsIn('zh-TW', '24/7')).toEqual(['24/7'])
  expect(latinIn('通过 API 导入 Excel 的 Administrator，{{name}}')).toEqual(['Administrator'])
})
