import { expect, test } from 'vitest'
import { LANGUAGES, type Language } from '@gatehouse/contract'
import { enums as registry } from '@gatehouse/contract/enums/registry'
import en from '../../../i18n/en/system.json' with { type: 'json' }
import zhCN from '../../../i18n/zh-CN/system.json' with { type: 'json' }
import zhTW from '../../../i18n/zh-TW/system.json' with { type: 'json' }
import { enumsWith, finds, shownWord } from './words.ts'

const titles: Record<Language, Record<string, string>> = {
  en: en.dictionary.kind,
  'zh-CN': zhCN.dictionary.kind,
  'zh-TW': zhTW.dictionary.kind,
}
const enums = enumsWith(
  { labels: { 'zh-CN': { gender: { '1': '男士' } }, en: { gender: { '1': 'Gentleman', '2': 'Lady' } } } },
  (name) => titles['zh-CN'][name] ?? '',
)
const gender = enums.find(({ name }) => name === 'gender')!

test('own words stand over the built-in ones and are counted', () => {
  expect(gender.changed).toBe(3)
  expect(gender.values[0]!.words.map(shownWord)).toEqual(['男士', '男', 'Gentleman'])
  expect(enums.filter(({ changed }) => changed > 0)).toEqual([gender])
})

test('an enum is found by its title, its name, a value, a built-in word or an own one', () => {
  for (const text of ['性别', 'GEND', 'lady', 'male', '男士', '']) expect(finds(gender, text), text).toBe(true)
  expect(finds(gender, 'corridor')).toBe(false)
})

test('every enum is listed but those whose words stand elsewhere', () => {
  const elsewhere = ['language', 'permissionCode', 'permissionModule']
  expect([...enums.map(({ name }) => name), ...elsewhere].toSorted()).toEqual(Object.keys(registry).toSorted())
})

test.each(LANGUAGES)('each listed enum has a title of its own in %s, and there are no others', (language) => {
  expect(Object.keys(titles[language])).toEqual(enums.map(({ name }) => name))
  const words = Object.values(titles[language])
  expect(words.filter((word, at) => word.trim() !== word || word === '' || words.indexOf(word) !== at)).toEqual([])
})
