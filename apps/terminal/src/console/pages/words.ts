/** The words of the pages in the language chosen, which is the one of the terminal's screen. */
const STORED = 'gatehouse.terminal.language'
export const LANGUAGES = [
  ['zh-CN', '简体中文'],
  ['zh-TW', '繁體中文'],
  ['en', 'English'],
] as const
export type Language = (typeof LANGUAGES)[number][0]

let words: Record<'own' | 'codes' | 'methods', Record<string, string>> = { own: {}, codes: {}, methods: {} }

/** The language chosen here before; else the browser's, as it stands in the page. */
export function firstLanguage(): Language {
  const wanted = localStorage.getItem(STORED) ?? document.documentElement.lang
  return LANGUAGES.find(([language]) => language === wanted)?.[0] ?? 'en'
}

/** @throws when the terminal does not answer */
export async function speak(language: Language): Promise<void> {
  const response = await fetch(`/console/texts/${language}.json`)
  words = (await response.json()) as typeof words
  document.documentElement.lang = language
}

export const remember = (language: Language): void => localStorage.setItem(STORED, language)

/** A text with its `{places}` filled in; the key itself where there is none. */
export function say(key: string, values: Record<string, string | number> = {}): string {
  return (words.own[key] ?? key).replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

/** A face engine with its model; the one of the product is told by the model. */
export const engineInWords = ({ name, modelId }: { name: string; modelId: string }): string =>
  `${modelId.startsWith('builtin-') ? say('engineBuiltIn') : name} (${modelId})`

/** A code of the console in words. */
export const codeInWords = (code: number): string => words.codes[code] ?? words.codes[999] ?? String(code)

/** Access methods by number, in words. */
export const methodsInWords = (): [number: string, words: string][] => Object.entries(words.methods)

export const number = (value: number, digits = 0): string =>
  new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value)

export const moment = (instant: number, zone?: string): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    ...(zone && { timeZone: zone }),
  }).format(instant)

/** Bytes as people say them. */
export function bytes(value: number): string {
  const step = value >= 1e9 ? ([1e9, 'GB'] as const) : value >= 1e6 ? ([1e6, 'MB'] as const) : ([1e3, 'KB'] as const)
  return `${number(value / step[0], value >= 1e6 ? 1 : 0)} ${step[1]}`
}
