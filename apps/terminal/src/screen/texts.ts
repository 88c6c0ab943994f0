/** The words of the screen in the chosen language. */
import type { Texts } from '../http/texts.ts'

const STORED = 'gatehouse.terminal.language'
export const LANGUAGES = ['zh-CN', 'zh-TW', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** Return the language chosen here before; otherwise the browser's, as the server wrote it into the page. */
export function firstLanguage(): Language {
  const preferred = localStorage.getItem(STORED) ?? document.documentElement.lang
  return LANGUAGES.find((language) => language === preferred) ?? 'en'
}

/** @throws when the terminal does not answer */
export async function loadTexts(language: Language): Promise<Texts> {
  const response = await fetch(`/texts/${language}.json`)
  return (await response.json()) as Texts
}

/** Store the choice for the next time. */
export function rememberLanguage(language: Language): void {
  localStorage.setItem(STORED, language)
}

/** Return a text with its `{places}` filled in; the key itself if there is no text. */
export function fill(words: Record<string, string>, key: string, values: Record<string, string | number> = {}): string {
  return (words[key] ?? key).replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}
