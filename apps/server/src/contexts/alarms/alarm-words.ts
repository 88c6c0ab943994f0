/** Words of alarms in the languages of requests and e-mails. */
import type { Language } from '@gatehouse/contract'
import { isKnownEvent } from '@gatehouse/contract/alarms/ai-box'
import enEvents from '@gatehouse/contract/i18n/en/aiBoxEvents.json' with { type: 'json' }
import enMails from '@gatehouse/contract/i18n/en/alarmMails.json' with { type: 'json' }
import enEnums from '@gatehouse/contract/i18n/en/enums.json' with { type: 'json' }
import zhCNEvents from '@gatehouse/contract/i18n/zh-CN/aiBoxEvents.json' with { type: 'json' }
import zhCNMails from '@gatehouse/contract/i18n/zh-CN/alarmMails.json' with { type: 'json' }
import zhCNEnums from '@gatehouse/contract/i18n/zh-CN/enums.json' with { type: 'json' }
import zhTWEvents from '@gatehouse/contract/i18n/zh-TW/aiBoxEvents.json' with { type: 'json' }
import zhTWMails from '@gatehouse/contract/i18n/zh-TW/alarmMails.json' with { type: 'json' }
import zhTWEnums from '@gatehouse/contract/i18n/zh-TW/enums.json' with { type: 'json' }

const events: Record<Language, typeof enEvents> = { en: enEvents, 'zh-CN': zhCNEvents, 'zh-TW': zhTWEvents }
const mails: Record<Language, typeof enMails> = { en: enMails, 'zh-CN': zhCNMails, 'zh-TW': zhTWMails }
const enums: Record<Language, Record<string, Record<string, string>>> = { en: enEnums, 'zh-CN': zhCNEnums, 'zh-TW': zhTWEnums }

/** Return the name of a value of an enum. */
export const enumWord = (language: Language, name: string, value: number | string): string =>
  enums[language][name]?.[String(value)] ?? String(value)

/** Return the name of an event of an AI box: of a known one in the language, else the box's own. */
export const eventWord = (language: Language, word: string, ownName: string): string =>
  isKnownEvent(word) ? events[language][word] : ownName || word

/** Return the texts of e-mails about alarms. */
export const alarmMailTexts = (language: Language): typeof enMails => mails[language]

/** Return a text with its `{{values}}` filled in. */
export const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
