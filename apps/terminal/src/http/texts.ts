/** Texts of the screen in three languages: the product's words for codes, and the terminal's own. */
import chineseEnums from '@gatehouse/contract/i18n/zh-CN/enums.json' with { type: 'json' }
import chineseErrors from '@gatehouse/contract/i18n/zh-CN/errors.json' with { type: 'json' }
import taiwaneseEnums from '@gatehouse/contract/i18n/zh-TW/enums.json' with { type: 'json' }
import taiwaneseErrors from '@gatehouse/contract/i18n/zh-TW/errors.json' with { type: 'json' }
import englishEnums from '@gatehouse/contract/i18n/en/enums.json' with { type: 'json' }
import englishErrors from '@gatehouse/contract/i18n/en/errors.json' with { type: 'json' }
import type { Language } from '@gatehouse/contract'
import chinese from '../screen/i18n/zh-CN.json' with { type: 'json' }
import taiwanese from '../screen/i18n/zh-TW.json' with { type: 'json' }
import english from '../screen/i18n/en.json' with { type: 'json' }

type Words = Record<string, string>

export interface Texts {
  own: Words
  failReason: Words
  doorState: Words
  direction: Words
  /** Why no decision can be made about a picture, by business code. */
  picture: Words
}

const PICTURE_CODE = /^(2002\d\d|2012\d\d)$/

function textsOf(own: Words, enums: { failReason: Words; doorState: Words; passDirection: Words }, errors: { business: Words }): Texts {
  const { failReason, doorState, passDirection } = enums
  const picture = Object.fromEntries(Object.entries(errors.business).filter(([code]) => PICTURE_CODE.test(code)))
  return { own, failReason, doorState, direction: passDirection, picture }
}

/** Everything the screen needs, by language. */
export const TEXTS: Record<Language, Texts> = {
  'zh-CN': textsOf(chinese, chineseEnums, chineseErrors),
  'zh-TW': textsOf(taiwanese, taiwaneseEnums, taiwaneseErrors),
  en: textsOf(english, englishEnums, englishErrors),
}

/** Return a verdict in words; empty if there is nothing to explain. An unknown number is shown as it is. */
export function reasonInWords(texts: Texts, { failReason, reason }: { failReason: number | null; reason: number | null }): string {
  if (failReason !== null) return texts.failReason[failReason] ?? String(failReason)
  if (reason !== null) return texts.picture[reason] ?? String(reason)
  return ''
}
