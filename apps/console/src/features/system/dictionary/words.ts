/** The words of all values in all languages: the built-in ones, and an installation's own over them. */
import { LANGUAGES, type Language } from '@gatehouse/contract'
import en from '@gatehouse/contract/i18n/en/enums.json'
import zhCN from '@gatehouse/contract/i18n/zh-CN/enums.json'
import zhTW from '@gatehouse/contract/i18n/zh-TW/enums.json'
import type { Dictionary } from '@gatehouse/contract/system/dictionary'

const builtIn: Record<Language, Record<string, Record<string, string>>> = { en, 'zh-CN': zhCN, 'zh-TW': zhTW }

export interface Word {
  language: Language
  builtIn: string
  /** What the installation says instead; undefined: nothing. */
  own: string | undefined
}
export interface Value {
  value: string
  words: Word[]
}
export interface EnumWords {
  /** Of the specification. */
  name: string
  /** What people call it, in the language on screen. */
  title: string
  values: Value[]
  /** Words that are not the built-in ones. */
  changed: number
}

/** Each language is named in itself, whatever a dictionary says: its words would be shown nowhere. */
const { language: _language, ...listed } = builtIn.en

/** The enums whose words are shown somewhere, in the order of the specification. */
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

/** Whether an enum's title or name, one of its values or one of its words contains a text. */
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
