/** The words of all values in all languages: the built-in ones, and the custom ones of the installation. */
import { LANGUAGES, type Language } from '@gatehouse/contract'
import en from '@gatehouse/contract/i18n/en/enums.json'
import zhCN from '@gatehouse/contract/i18n/zh-CN/enums.json'
import zhTW from '@gatehouse/contract/i18n/zh-TW/enums.json'
import type { Dictionary } from '@gatehouse/contract/system/dictionary'

const builtIn: Record<Language, Record<string, Record<string, string>>> = { en, 'zh-CN': zhCN, 'zh-TW': zhTW }

export interface Word {
  language: Language
  builtIn: string
  /** The custom word; undefined: there is none. */
  own: string | undefined
}
export interface Value {
  value: string
  words: Word[]
}
export interface EnumWords {
  /** Name in the specification. */
  name: string
  /** Title in the shown language. */
  title: string
  values: Value[]
  /** Number of custom words. */
  changed: number
}

/** Words without those of `language`: each language is named in itself, so custom words would be shown nowhere. */
const { language: _language, ...listed } = builtIn.en

/** Return the enums whose words are shown somewhere, in the order of the specification. */
export function enumsWith({ labels }: Pick<Dictionary, 'labels'>, titleOf: (name: string) => string): EnumWords[] {
  return Object.entries(listed).map(([name, values]) => {
    const rows = Object.keys(values).map((value) => ({
      value,
      words: LANGUAGES.map((language) => ({
        language,
        builtIn: builtIn[language][name]?.[value] ?? '',
        own: labels[language]?.[name]?.[value],
      })),
    }))
    return {
      name,
      title: titleOf(name),
      values: rows,
      changed: rows.flatMap(({ words }) => words).filter(({ own }) => own !== undefined).length,
    }
  })
}

export const shownWord = ({ own, builtIn: given }: Word): string => own ?? given

/** Return whether the title or name of an enum, one of its values or one of its words contains a text. */
export function finds({ name, title, values }: EnumWords, text: string): boolean {
  const sought = text.trim().toLowerCase()
  const holds = (one: string): boolean => one.toLowerCase().includes(sought)
  return (
    sought === '' ||
    holds(title) ||
    holds(name) ||
    values.some(({ value, words }) => value.toLowerCase() === sought || words.some((word) => holds(word.builtIn) || holds(shownWord(word))))
  )
}
