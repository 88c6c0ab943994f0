import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deviceConsoleCodes, LANGUAGES } from '@gatehouse/contract'
import { expect, test } from 'vitest'
import { codeInWords, CONSOLE_TEXTS, fieldsInWords } from './texts.ts'

const english = CONSOLE_TEXTS.en.own

test('every language has every text, with the same places to fill', () => {
  const places = (words: Record<string, string>) =>
    Object.fromEntries(Object.entries(words).map(([key, text]) => [key, text.match(/\{\w+\}/g)?.toSorted() ?? []]))
  for (const language of LANGUAGES) expect(places(CONSOLE_TEXTS[language].own)).toEqual(places(english))
  for (const language of ['zh-CN', 'zh-TW'] as const) {
    expect(
      Object.entries(CONSOLE_TEXTS[language].own).filter(([key, text]) => key !== 'setting.dns' && !/\p{Script=Han}/u.test(text)),
    ).toEqual([])
  }
})

test('no text is left over, and none is missing', () => {
  const pages = join(import.meta.dirname, 'pages')
  const code = [
    ...readdirSync(pages, { recursive: true, encoding: 'utf8' }).map((name) => join(pages, name)),
    ...readdirSync(import.meta.dirname).map((name) => join(import.meta.dirname, name)),
  ]
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(name, 'utf8'))
    .join('\n')
  const built = /^(page|link|network|engine|wear|shown|setting|why|rule)\./
  expect(Object.keys(english).filter((key) => !built.test(key) && !code.includes(`'${key}'`))).toEqual([])
  for (const [, key] of code.matchAll(/say\('([\w.]+)'/g)) expect(english).toHaveProperty([key!])
  for (const [, key] of code.matchAll(/key: '(\w+)'/g)) expect(english).toHaveProperty([`why.${key}`])
})

test('all codes of the console have words of their own in three languages; 200 is success and 999 says to reload', () => {
  for (const language of LANGUAGES) {
    const words = Object.keys(deviceConsoleCodes).map((code) => codeInWords(language, Number(code), null))
    expect(words).not.toContain('')
    expect(new Set(words).size).toBe(words.length)
  }
  expect(LANGUAGES.map((language) => codeInWords(language, 200, null))).toEqual(['操作成功。', '操作成功。', 'Done.'])
  expect(LANGUAGES.map((language) => codeInWords(language, 999, null))).toEqual([
    '其他错误，请刷新页面。',
    '其他錯誤，請重新整理頁面。',
    'Something else went wrong. Reload the page.',
  ])
  expect(codeInWords('en', 12_345, null)).toBe('Something else went wrong. Reload the page.')
})

test('what says more stands behind the words, a field has the words of its rule', () => {
  expect(codeInWords('en', 400, { key: 'tooManyTries', values: { seconds: 7 } })).toBe(
    'The account or the password is wrong. Too many wrong tries: wait 7 s.',
  )
  expect(codeInWords('zh-CN', 535, { picture: 200204 })).toMatch(/^无法从该图片提取特征。./)
  expect(
    fieldsInWords('en', [
      { path: 'account', rule: 'max.string', params: { limit: 20 } },
      { path: 'x', rule: 'unheardOf' },
    ]),
  ).toEqual({ account: 'Use at most 20 characters.', x: 'This is not valid.' })
})
