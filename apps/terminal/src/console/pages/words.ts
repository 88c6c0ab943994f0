/** The words of the pages in the chosen language, which is shared with the terminal's screen. */
const STORED = 'gatehouse.terminal.language'
export const LANGUAGES = [
  ['zh-CN', '简体中文'],
  ['zh-TW', '繁體中文'],
  ['en', 'English'],
] as const
export type Language = (typeof LANGUAGES)[number][0]

let words: Record<'own' | 'codes' | 'methods', Record<string, string>> = { own: {}, codes: {}, methods: {} }

/** Return the language chosen here before; otherwise the browser's, as the page declares it. */
export function firstLanguage(): Language {
  const preferred = localStorage.getItem(STORED) ?? document.documentElement.lang
  return LANGUAGES.find(([language]) => language === preferred)?.[0] ?? 'en'
}

const languages = new EventTarget()

/** Load the words of a language and show the pages in it. @throws when the terminal does not answer */
export async function speak(language: Language): Promise<void> {
  const response = await fetch(`/console/texts/${language}.json`)
  words = (await response.json()) as typeof words
  document.documentElement.lang = language
  languages.dispatchEvent(new Event('change'))
}

/** Call a listener whenever the language of the pages changes. @returns a function that ends it */
export function onLanguage(listener: () => void): () => void {
  languages.addEventListener('change', listener)
  return () => languages.removeEventListener('change', listener)
}

export const remember = (language: Language): void => localStorage.setItem(STORED, language)

/** Return a text with its `{places}` filled in; the key itself if there is no text. */
export function say(key: string, values: Record<string, string | number> = {}): string {
  return (words.own[key] ?? key).replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

/** Return the name of a face engine with its model; the engine of the product is identified by the model. */
export const engineInWords = ({ name, modelId }: { name: string; modelId: string }): string =>
  `${modelId.startsWith('builtin-') ? say('engineBuiltIn') : name} (${modelId})`

/** Return a code of the console in words. */
export const codeInWords = (code: number): string => words.codes[code] ?? words.codes[999] ?? String(code)

/** Return access methods by number, in words. */
export const methodsInWords = (): [number: string, words: string][] => Object.entries(words.methods)

export const number = (value: number, digits = 0): string =>
  new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: digits, minimumFractionDigits: digits }).format(value)

export const moment = (instant: number, zone?: string): string =>
  new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    ...(zone && { timeZone: zone }),
  }).format(instant)

/** Return bytes as people write them. */
export function bytes(value: number): string {
  const step = value >= 1e9 ? ([1e9, 'GB'] as const) : value >= 1e6 ? ([1e6, 'MB'] as const) : ([1e3, 'KB'] as const)
  return `${number(value / step[0], value >= 1e6 ? 1 : 0)} ${step[1]}`
}
