/** Texts of refusals, files and messages in the request's language, from the contract's catalogue. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LANGUAGES, type Language } from '@gatehouse/contract'
import en from '@gatehouse/contract/i18n/en/errors.json' with { type: 'json' }
import enFiles from '@gatehouse/contract/i18n/en/files.json' with { type: 'json' }
import enMails from '@gatehouse/contract/i18n/en/mails.json' with { type: 'json' }
import zhCN from '@gatehouse/contract/i18n/zh-CN/errors.json' with { type: 'json' }
import zhCNFiles from '@gatehouse/contract/i18n/zh-CN/files.json' with { type: 'json' }
import zhCNMails from '@gatehouse/contract/i18n/zh-CN/mails.json' with { type: 'json' }
import zhTW from '@gatehouse/contract/i18n/zh-TW/errors.json' with { type: 'json' }
import zhTWFiles from '@gatehouse/contract/i18n/zh-TW/files.json' with { type: 'json' }
import zhTWMails from '@gatehouse/contract/i18n/zh-TW/mails.json' with { type: 'json' }
import enRules from '@gatehouse/contract/i18n/en/validation.json' with { type: 'json' }
import zhCNRules from '@gatehouse/contract/i18n/zh-CN/validation.json' with { type: 'json' }
import zhTWRules from '@gatehouse/contract/i18n/zh-TW/validation.json' with { type: 'json' }

type Catalogue = Record<'business' | 'login' | 'http', Record<string, string>>
const catalogues: Record<Language, Catalogue> = { en, 'zh-CN': zhCN, 'zh-TW': zhTW }

/** The families of codes are numbered independently: 904 means one thing at login and another on an access record. */
export const businessText = (language: Language, code: number): string => catalogues[language].business[String(code)] ?? String(code)
export const loginText = (language: Language, code: number): string =>
  catalogues[language].login[String(code)] ?? businessText(language, code)
export const httpText = (language: Language, status: number): string => catalogues[language].http[String(status)] ?? String(status)

const files: Record<Language, typeof enFiles> = { en: enFiles, 'zh-CN': zhCNFiles, 'zh-TW': zhTWFiles }

/** Return names and headings of downloadable files. */
export const fileTexts = (language: Language): typeof enFiles => files[language]

type Rules = { readonly [rule: string]: string | Rules }
const rules: Record<Language, Rules> = { en: enRules, 'zh-CN': zhCNRules, 'zh-TW': zhTWRules }

/** Return the message of a broken rule, including `code.200215`, with its `{{values}}` filled in. */
export function ruleText(language: Language, rule: string, values: Readonly<Record<string, string | number>> = {}): string {
  if (rule.startsWith('code.')) return businessText(language, Number(rule.slice('code.'.length)))
  const found = rule
    .split('.')
    .reduce<string | Rules | undefined>((within, name) => (typeof within === 'object' ? within[name] : undefined), rules[language])
  return typeof found === 'string' ? found.replace(/\{\{(\w+)\}\}/g, (_, value: string) => String(values[value] ?? '')) : rule
}

type Operations = Record<'write' | 'read', Readonly<Record<string, string>>>

/** Read the descriptions of calls in a language: each area has a file of its own. */
function readOperations(language: Language): Operations {
  const folder = join(dirname(fileURLToPath(import.meta.resolve(`@gatehouse/contract/i18n/${language}/errors.json`))), 'operations')
  const areas = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Partial<Operations>)
  const all = (kind: keyof Operations) => Object.assign({}, ...areas.map((area) => area[kind] ?? {})) as Operations['write']
  return { write: all('write'), read: all('read') }
}
const operations = Object.fromEntries(LANGUAGES.map((language) => [language, readOperations(language)])) as Record<Language, Operations>

/** Return the description of a call in the operation log. @param call method and address, as `PUT /…/device` */
export const operationText = (language: Language, call: string): string => operations[language].write[call] ?? call

/** Return the calls that have a name in the log of reads, in a language, as method and address. */
export const namedReads = (language: Language): string[] => Object.keys(operations[language].read)

const mails: Record<Language, typeof enMails> = { en: enMails, 'zh-CN': zhCNMails, 'zh-TW': zhTWMails }

/**
 * Return subject and text of a message, the text with its `{{values}}` filled in. A subject has no values, because lists show it. A text
 * message has no subject.
 */
export function mailText(
  language: Language,
  name: keyof typeof enMails,
  values: Readonly<Record<string, string>>,
): { subject: string; text: string } {
  const { subject = '', text }: { subject?: string; text: string } = mails[language][name]
  return { subject, text: text.replace(/\{\{(\w+)\}\}/g, (_, value: string) => values[value] ?? '') }
}
