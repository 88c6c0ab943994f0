/** Words of refusals in the request's language, from the contract's catalogue. */
import type { Language } from '@gatehouse/contract'
import en from '@gatehouse/contract/i18n/en/errors.json' with { type: 'json' }
import zhCN from '@gatehouse/contract/i18n/zh-CN/errors.json' with { type: 'json' }
import zhTW from '@gatehouse/contract/i18n/zh-TW/errors.json' with { type: 'json' }

type Catalogue = Record<'business' | 'login' | 'http', Record<string, string>>
const catalogues: Record<Language, Catalogue> = { en, 'zh-CN': zhCN, 'zh-TW': zhTW }

/** The families number independently: 904 is another thing at login than on an access record. */
export const businessText = (language: Language, code: number): string => catalogues[language].business[String(code)] ?? String(code)
export const loginText = (language: Language, code: number): string => catalogues[language].login[String(code)] ?? businessText(language, code)
export const httpText = (language: Language, status: number): string => catalogues[language].http[String(status)] ?? String(status)
