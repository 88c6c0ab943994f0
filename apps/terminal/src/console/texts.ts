/** Texts of the console in three languages: its own words, and those of its codes, of fields and of refused pictures. */
import { deviceConsoleCodes, type DeviceConsoleCode, type FieldIssue, type Language } from '@gatehouse/contract'
import chineseEnums from '@gatehouse/contract/i18n/zh-CN/enums.json' with { type: 'json' }
import taiwaneseEnums from '@gatehouse/contract/i18n/zh-TW/enums.json' with { type: 'json' }
import englishEnums from '@gatehouse/contract/i18n/en/enums.json' with { type: 'json' }
import chineseErrors from '@gatehouse/contract/i18n/zh-CN/errors.json' with { type: 'json' }
import taiwaneseErrors from '@gatehouse/contract/i18n/zh-TW/errors.json' with { type: 'json' }
import englishErrors from '@gatehouse/contract/i18n/en/errors.json' with { type: 'json' }
import chineseValidation from '@gatehouse/contract/i18n/zh-CN/validation.json' with { type: 'json' }
import taiwaneseValidation from '@gatehouse/contract/i18n/zh-TW/validation.json' with { type: 'json' }
import englishValidation from '@gatehouse/contract/i18n/en/validation.json' with { type: 'json' }
import chinese from './i18n/zh-CN.json' with { type: 'json' }
import taiwanese from './i18n/zh-TW.json' with { type: 'json' }
import english from './i18n/en.json' with { type: 'json' }
import type { Why } from './answers.ts'

type Words = Record<string, string>
type Tree = { [key: string]: string | Tree }

interface Texts {
  own: Words
  codes: Words
  pictures: Words
  rules: Words
  /** Access methods. */
  methods: Words
}

const textsOf = (
  own: Words,
  errors: { business: Words; deviceConsole: Words },
  validation: Tree,
  { accessMethod }: { accessMethod: Words },
): Texts => ({
  own,
  codes: errors.deviceConsole,
  pictures: errors.business,
  rules: flat(validation),
  methods: accessMethod,
})

const flat = (tree: Tree, before = ''): Words =>
  Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) =>
      typeof value === 'string' ? [[before + key, value]] : Object.entries(flat(value, `${before}${key}.`)),
    ),
  )

export const CONSOLE_TEXTS: Record<Language, Texts> = {
  'zh-CN': textsOf(chinese, chineseErrors, chineseValidation, chineseEnums),
  'zh-TW': textsOf(taiwanese, taiwaneseErrors, taiwaneseValidation, taiwaneseEnums),
  en: textsOf(english, englishErrors, englishValidation, englishEnums),
}

/** Return the texts of the pages. They include the words of codes, for calls without an answer and for one file of many. */
export function wordsOfPages(language: Language): Pick<Texts, 'own' | 'codes' | 'methods'> {
  const { own, codes, methods } = CONSOLE_TEXTS[language]
  return { own, codes, methods }
}

/** Return a code in words, with its detail. A code without words is shown as another error. */
export function codeInWords(language: Language, code: number, why: Why | null): string {
  const { own, codes, pictures } = CONSOLE_TEXTS[language]
  const words = codes[code in deviceConsoleCodes ? (code as DeviceConsoleCode) : 999] ?? ''
  if (why === null) return words
  const more = 'picture' in why ? (pictures[why.picture] ?? '') : filled(own[`why.${why.key}`] ?? '', why.values)
  return language === 'en' ? `${words} ${more}`.trim() : `${words}${more}`
}

/** Return the fields with what is wrong about them, in words. */
export function fieldsInWords(language: Language, issues: readonly FieldIssue[]): Words {
  const { own, rules } = CONSOLE_TEXTS[language]
  return Object.fromEntries(
    issues.map(({ path, rule, params }) => [path, filled(own[`rule.${rule}`] ?? rules[rule] ?? rules['invalid'] ?? rule, params)]),
  )
}

/** Placeholders are written `{name}` in the console's own texts and `{{name}}` in those it shares. */
const filled = (text: string, values: Record<string, string | number> = {}) =>
  text.replace(/\{\{?(\w+)\}?\}/g, (place, name: string) => String(values[name] ?? place))
