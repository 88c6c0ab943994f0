/** The built-in words for the values of enums. */
import type { Language } from '@gatehouse/contract'
import en from '@gatehouse/contract/i18n/en/enums.json' with { type: 'json' }
import zhCN from '@gatehouse/contract/i18n/zh-CN/enums.json' with { type: 'json' }
import zhTW from '@gatehouse/contract/i18n/zh-TW/enums.json' with { type: 'json' }

/** enum → value → the word. */
export const builtIn: Record<Language, Record<string, Record<string, string>>> = { en, 'zh-CN': zhCN, 'zh-TW': zhTW }

/** Return whether a value can have a word: the catalogues contain it. */
export const isKnown = (name: string, value: string): boolean => Object.hasOwn(builtIn.en, name) && Object.hasOwn(builtIn.en[name]!, value)
