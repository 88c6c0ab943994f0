/** Words of refusals and of files in the request's language, from the contract's catalogue. */
import type { Language } from '@gatehouse/contract'
import en from '@gatehouse/contract/i18n/en/errors.json' with { type: 'json' }
import enFiles from '@gatehouse/contract/i18n/en/files.json' with { type: 'json' }
import enOperations from '@gatehouse/contract/i18n/en/operations.json' with { type: 'json' }
import enMails from '@gatehouse/contract/i18n/en/mails.json' with { type: 'json' }
import zhCN from '@gatehouse/contract/i18n/zh-CN/errors.json' with { type: 'json' }
import zhCNFiles from '@gatehouse/contract/i18n/zh-CN/files.json' with { type: 'json' }
import zhCNOperations from '@gatehouse/contract/i18n/zh-CN/operations.json' with { type: 'json' }
import zhCNMails from '@gatehouse/contract/i18n/zh-CN/mails.json' with { type: 'json' }
import zhTW from '@gatehouse/contract/i18n/zh-TW/errors.json' with { type: 'json' }
import zhTWFiles from '@gatehouse/contract/i18n/zh-TW/files.json' with { type: 'json' }
import zhTWOperations from '@gatehouse/contract/i18n/zh-TW/operations.json' with { type: 'json' }
import zhTWMails from '@gatehouse/contract/i18n/zh-TW/mails.json' with { type: 'json' }
import enRules from '@gatehouse/contract/i18n/en/validation.json' with { type: 'json' }
import zhCNRules from '@gatehouse/contract/i18n/zh-CN/validation.json' with { type: 'json' }
import zhTWRules from '@gatehouse/contract/i18n/zh-TW/validation.json' with { type: 'json' }

type Catalogue = Record<'business' | 'login' | 'http', Record<string, string>>
const catalogues: Record<Language, Catalogue> = { en, 'zh-CN': zhCN, 'zh-TW': zhTW }

/** The families number independently: 904 is another thing at login than on an access record. */
export const businessText = (language: Language, code: number): string => catalogues[language].business[String(code)] ?? String(code)
export const loginText = (language: Language, code: number): string =>
  catalogues[language].login[String(code)] ?? businessText(language, code)
export const httpText = (language: Language, status: number): string => catalogues[language].http[String(status)] ?? String(status)

const files: Record<Language, typeof enFiles> = { en: enFiles, 'zh-CN': zhCNFiles, 'zh-TW': zhTWFiles }

/** Names and headings of files that are offered for download. */
export const fileTexts = (language: Language): typeof enFiles => files[language]

type Rules = { readonly [rule: string]: string | Rules }
const rules: Record<Language, Rules> = { en: enRules, 'zh-CN': zhCNRules, 'zh-TW': zhTWRules }

/** What a rule says where it is broken, `code.200215` among them, with its `{{values}}` filled in. */
export function ruleText(language: Language, rule: string, values: Readonly<Record<string, string | number>> = {}): string {
  if (rule.startsWith('code.')) return businessText(language, Number(rule.slice('code.'.length)))
  const found = rule
    .split('.')
    .reduce<string | Rules | undefined>((within, name) => (typeof within === 'object' ? within[name] : undefined), rules[language])
  return typeof found === 'string' ? found.replace(/\{\{(\w+)\}\}/g, (_, value: string) => String(values[value] ?? '')) : rule
}

const operations: Record<Language, { write: Readonly<Record<string, string>> }> = {
  en: enOperations,
  'zh-CN': zhCNOperations,
  'zh-TW': zhTWOperations,
}

/** What a call does, as the operation log says it. @param call method and address, as `PUT /…/device` */
export const operationText = (language: Language, call: string): string => operations[language].write[call] ?? call

const mails: Record<Language, typeof enMails> = { en: enMails, 'zh-CN': zhCNMails, 'zh-TW': zhTWMails }

/** Subject and text of a message, the text with its `{{values}}` filled in: a subject takes none, lists show it. A text message has no subject. */
export function mailText(
  language: Language,
  name: keyof typeof enMails,
  values: Readonly<Record<string, string>>,
): { subject: string; text: string } {
  const { subject = '', text }: { subject?: string; text: string } = mails[language][name]
  return { subject, text: text.replace(/\{\{(\w+)\}\}/g, (_, value: string) => values[value] ?? '') }
}
