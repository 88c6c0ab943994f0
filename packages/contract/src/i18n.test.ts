/**
 * Every code, value and rule that a user can see has a text in each language, and each Chinese language has its own characters and words.
 */
import { readFileSync, globSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { AI_BOX_EVENTS } from './alarms/ai-box.ts'
import { enums } from './enums/registry.ts'
import { LANGUAGES } from './envelope.ts'
import type { Language } from './envelope.ts'
import { businessCodes, clientErrors, deviceConsoleCodes, httpStatuses, loginCodes } from './errors.ts'
import { PERMISSION_CODES, permissionKey, permissionModules } from './permissions.ts'
import { READY_ROLE_KEYS } from './identity/ready-roles.ts'
import { fieldIssuesOf } from './validation.ts'

type Texts = { [key: string]: string | Texts }
const SHARED = ['errors', 'enums', 'validation', 'permissions', 'files', 'mails', 'readyRoles', 'aiBoxEvents', 'alarmMails'] as const
type File = (typeof SHARED)[number] | `operations/${string}`
/** Files for all areas, and a file for each area with the texts of its calls' operations. */
const FILES: readonly File[] = [
  ...SHARED,
  ...globSync('*.json', { cwd: new URL('i18n/en/operations', import.meta.url) }).map(
    (file): File => `operations/${basename(file, '.json')}`,
  ),
]

const textsOf = (language: Language, file: File) =>
  JSON.parse(readFileSync(new URL(`i18n/${language}/${file}.json`, import.meta.url), 'utf8')) as Texts

const flat = (texts: Texts, prefix: readonly string[] = []): [key: string, text: string][] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [[[...prefix, key].join(' › '), text] as [string, string]] : flat(text, [...prefix, key]),
  )

const variablesIn = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort()

describe.each(LANGUAGES)('texts in %s', (language) => {
  it('cover the error catalogue, and nothing else', () => {
    const families = {
      business: businessCodes,
      login: loginCodes,
      http: httpStatuses,
      client: clientErrors,
      deviceConsole: deviceConsoleCodes,
    }
    const texts = textsOf(language, 'errors')
    expect(Object.keys(texts).sort()).toEqual(Object.keys(families).sort())
    for (const [family, table] of Object.entries(families)) {
      expect(Object.keys(texts[family]!).sort(), family).toEqual(Object.keys(table).sort())
    }
  })

  it('cover every value of every enum, and nothing else', () => {
    const texts = textsOf(language, 'enums')
    const { permissionCode, permissionModule, ...labelled } = enums
    expect(Object.keys(texts).sort()).toEqual(Object.keys(labelled).sort())
    for (const { name, values } of Object.values(labelled)) {
      expect(Object.keys(texts[name]!).sort(), name).toEqual(values.map(String).sort())
    }
    const permissions = textsOf(language, 'permissions')
    expect(Object.keys(permissions['code']!).sort()).toEqual(permissionCode.values.map(permissionKey).sort())
    expect(Object.keys(permissions['module']!).sort()).toEqual([...permissionModule.values].sort())
  })

  it('cover every permission code and module', () => {
    const texts = textsOf(language, 'permissions')
    expect(Object.keys(texts['code']!).sort()).toEqual(PERMISSION_CODES.map(permissionKey).sort())
    expect(Object.keys(texts['module']!).sort()).toEqual(Object.keys(permissionModules).sort())
  })

  it('cover every ready role, and describe it within what a remark holds: a copy takes it over', () => {
    const texts = textsOf(language, 'readyRoles')
    expect(Object.keys(texts)).toEqual(READY_ROLE_KEYS)
    for (const [key, text] of flat(texts)) expect(text.length, key).toBeLessThanOrEqual(100)
  })

  it('cover every known event of AI boxes', () => {
    expect(Object.keys(textsOf(language, 'aiBoxEvents')).sort()).toEqual([...AI_BOX_EVENTS].sort())
  })

  it('are never empty and take the same variables as the English ones', () => {
    for (const file of FILES) {
      const english = new Map(flat(textsOf('en', file)))
      const texts = flat(textsOf(language, file))
      expect(texts.map(([key]) => key)).toEqual([...english.keys()])
      for (const [key, text] of texts) {
        expect(text.trim(), key).toBe(text)
        expect(text, key).not.toBe('')
        expect(variablesIn(text), key).toEqual(variablesIn(english.get(key)!))
      }
    }
  })

  it('put nothing into the subject of a message: whoever lists messages reads it, codes and passwords stand in texts alone', () => {
    const subjects = flat(textsOf(language, 'mails')).filter(([key]) => key.endsWith(' › subject'))
    expect(subjects).not.toHaveLength(0)
    for (const [key, text] of subjects) expect(variablesIn(text), key).toEqual([])
  })

  const validation = textsOf(language, 'validation')
  const textOfRule = (rule: string) =>
    rule.split('.').reduce<Texts | string | undefined>((texts, part) => (texts as Texts | undefined)?.[part], validation)

  it('word every way a schema can refuse a field, with the variables that come with it', () => {
    const schema = z.strictObject({
      missing: z.string(),
      kind: z.number(),
      short: z.string().min(2),
      long: z.string().max(1),
      small: z.number().min(5),
      large: z.number().max(5),
      few: z.array(z.string()).min(1),
      many: z.array(z.string()).max(0),
      choice: z.enum(['a', 'b']),
      email: z.email(),
      beyondInteger: z.int(),
      beneathInteger: z.int(),
    })
    const { error } = schema.safeParse({
      kind: '1',
      short: 'a',
      long: 'ab',
      small: 1,
      large: 9,
      few: [],
      many: ['a'],
      choice: 'c',
      email: 'a',
      unknown: 1,
      beyondInteger: 2 ** 60,
      beneathInteger: -(2 ** 60),
    })
    const issues = fieldIssuesOf(error!)
    expect(issues).toHaveLength(13)
    for (const { path, rule, params } of issues) {
      const text = textOfRule(rule)
      expect(text, `${path}: ${rule}`).toBeTypeOf('string')
      expect(Object.keys(params ?? {})).toEqual(expect.arrayContaining(variablesIn(text as string)))
    }
  })

  it('word every rule that the code names', () => {
    const root = fileURLToPath(new URL('../../..', import.meta.url))
    const sources = globSync(['packages/contract/src/**/*.ts', 'apps/server/src/**/*.ts', 'apps/console/src/**/*.{ts,tsx}'], { cwd: root })
    const named = sources
      .filter((file) => !file.includes('.test.'))
      .flatMap((file) => {
        const source = readFileSync(`${root}/${file}`, 'utf8')
        return [...source.matchAll(/\brule\('([\w.]+)'/g)].map((match) => ({ file, rule: match[1]! }))
      })
    expect(named).not.toHaveLength(0)
    for (const { file, rule } of named) expect(textOfRule(rule), `${rule}, named in ${file}`).toBeTypeOf('string')
  })
})

/** Return the common characters of a script, from the standard of its encoding: GB 2312 and the first level of Big5. */
function charactersOf(encoding: 'gbk' | 'big5', lead: [number, number], trail: (byte: number) => boolean): Set<string> {
  const decoder = new TextDecoder(encoding)
  const characters = new Set<string>()
  for (let first = lead[0]; first <= lead[1]; first++) {
    for (let second = 0x40; second <= 0xfe; second++) if (trail(second)) characters.add(decoder.decode(new Uint8Array([first, second])))
  }
  return characters
}

describe.each([
  {
    language: 'zh-CN',
    characters: charactersOf('gbk', [0xb0, 0xf7], (byte) => byte >= 0xa1),
    foreignWords: ['登入', '资讯', '装置', '设定', '网路', '软体', '硬体', '档案', '萤幕', '伺服器', '预设', '使用者', '汇出', '汇入'],
    foreignMarks: /[「」]/,
  },
  {
    language: 'zh-TW',
    characters: charactersOf('big5', [0xa4, 0xc6], (byte) => byte <= 0x7e || byte >= 0xa1),
    foreignWords: [
      '登錄',
      '信息',
      '設備',
      '設置',
      '網絡',
      '軟件',
      '硬件',
      '文件',
      '屏幕',
      '服務器',
      '默認',
      '用戶名',
      '導出',
      '導入',
      '視頻',
      '數據',
      '二維碼',
      '郵箱',
    ],
    foreignMarks: /[“”]/,
  },
] as const)('the Chinese of $language', ({ language, characters, foreignWords, foreignMarks }) => {
  /** Names of languages are left out: each is written in its own language wherever it is listed. */
  const texts = FILES.flatMap((file) => flat(textsOf(language, file))).filter(([key]) => !key.startsWith('language › '))

  it('is written in its own characters, words and marks', () => {
    for (const [key, text] of texts) {
      const foreign = [...(text.match(/\p{Script=Han}/gu) ?? [])].filter((character) => !characters.has(character))
      expect(foreign, `${key}: ${text}`).toEqual([])
      expect(
        foreignWords.filter((word) => text.includes(word)),
        `${key}: ${text}`,
      ).toEqual([])
      expect(text, key).not.toMatch(foreignMarks)
    }
  })

  it('keeps no English but names and abbreviations', () => {
    const names = 'AI|API|Android|BOM|CPU|CSV|Code|DHCP|Excel|Gatehouse|H5|H\\.264|HEIC|Hz|HTTPS|https?|json|kbps|manifest|mp3|tar'
    const abbreviations = 'IC|ID|IP|JPG|M1|MAC|MB|MD5|N|NTP|PNG|QR|UTF-8|VIP|Wi-Fi'
    const KEPT = new RegExp(`^([A-F]|${names}|${abbreviations})$`)
    for (const [key, text] of texts) {
      const words = text.replace(/\{\{\w+\}\}/g, '').match(/[A-Za-z][A-Za-z0-9-]*(\.\d+)?/g) ?? []
      expect(
        words.filter((word) => !KEPT.test(word)),
        `${key}: ${text}`,
      ).toEqual([])
    }
  })
})
