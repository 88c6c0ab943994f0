import i18next from 'i18next'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '@gatehouse/contract'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { useRecordWords, type RecordWords } from './recordWords.ts'

beforeAll(async () => {
  const texts = async (language: string) => ({
    records: (await import(`../../i18n/${language}/records.json`)).default as object,
    common: (await import(`../../i18n/${language}/common.json`)).default as object,
    enums: (await import(`../../../../../packages/contract/src/i18n/${language}/enums.json`)).default as object,
  })
  const resources = Object.fromEntries(await Promise.all(LANGUAGES.map(async (language) => [language, await texts(language)])))
  await i18next
    .use(initReactI18next)
    .init({ lng: 'en', fallbackLng: false, defaultNS: 'common', resources, interpolation: { escapeValue: false }, returnNull: false })
})

/** Return the words of a record in a language. */
async function wordsOf(language: string, record: Partial<AccessRecord>): Promise<RecordWords> {
  await i18next.changeLanguage(language)
  let words: RecordWords | undefined
  function Row() {
    words = useRecordWords()({
      personId: null,
      personName: '',
      result: 0,
      failReason: null,
      failText: '',
      corrected: false,
      score: null,
      ...record,
    } as AccessRecord)
    return null
  }
  renderToStaticMarkup(createElement(I18nextProvider, { i18n: i18next }, createElement(Row)))
  return words!
}

test('an unknown fail reason is shown by its code and whatever text came with it, a known one in words [BEH-162]', async () => {
  for (const language of LANGUAGES) {
    expect((await wordsOf(language, { failReason: 777 })).reason, language).toBe('777')
    expect((await wordsOf(language, { failReason: 777, failText: 'Lift is full' })).reason, language).toMatch(/^777.+Lift is full$/)
    const { reason } = await wordsOf(language, { failReason: 6 })
    expect(reason.length, language).toBeGreaterThan(1)
    expect(reason, language).not.toContain('6')
  }
})

test('a face that was compared was not like enough, which says nothing of whether the person is registered', async () => {
  const reason = async (record: Partial<AccessRecord>) => (await wordsOf('zh-CN', { failReason: 904, score: null, ...record })).reason
  expect(await reason({ score: 85.9 })).toBe('相似度不足')
  expect(await reason({})).toBe('未匹配到登记人员')
})

test('a record without a name is of a stranger where nobody knows the face, else of somebody whose name is not known', async () => {
  const who = async (record: Partial<AccessRecord>) => (await wordsOf('en', record)).who
  expect(await who({ failReason: 904 })).toBe('Stranger')
  expect(await who({ failReason: 19 })).toBe('Name unknown')
  expect(await who({ personName: 'Ann', failReason: 6 })).toBe('Ann')
  // The pseudonym of an erased person is no name either.
  expect(await who({ personId: '1f47fd20-1b2c-8d3e-9f4a-5b6c7d8e9fa0', personName: '#1f47fd20' })).toBe('Erased person')
})

test('of the watch list the name is said, and not that the person is unknown', async () => {
  const watchList = { personName: 'James Moriarty' } as AccessRecord['watchList']
  expect(await wordsOf('en', { failReason: 904, watchList })).toMatchObject({ who: 'James Moriarty', reason: '' })
  const other = await wordsOf('en', { personName: 'Ann', failReason: 6, watchList })
  expect([other.who, other.reason]).toEqual(['Ann', (await wordsOf('en', { failReason: 6 })).reason])
})

test('a contact who came in the place of a person is named beside him, in each language', async () => {
  const came = { personName: 'Li Wei', contactId: 'mother', contactName: 'Wang Fang', contactRelation: 2 }
  expect(await wordsOf('en', came)).toMatchObject({ who: 'Li Wei', contact: 'Wang Fang (Mother)', by: 'by contact Wang Fang (Mother)' })
  for (const language of LANGUAGES) expect((await wordsOf(language, came)).by, language).toMatch(/Wang Fang.?[（(][^)）\d]+[)）]/)
  expect(await wordsOf('en', { ...came, contactRelation: undefined })).toMatchObject({ contact: 'Wang Fang', by: 'by contact Wang Fang' })
  expect(await wordsOf('en', { personName: 'Li Wei' })).toMatchObject({ who: 'Li Wei', contact: '', by: '' })
})
