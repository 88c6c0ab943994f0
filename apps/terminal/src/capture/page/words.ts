/** The words of the page in the chosen language. */
import { fill, firstLanguage, LANGUAGES, rememberLanguage, type Language } from '../../screen/texts.ts'

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { 'zh-CN': '简体中文', 'zh-TW': '繁體中文', en: 'English' }

let words: Record<string, string> = {}

export const currentLanguage = (): Language => LANGUAGES.find((language) => language === document.documentElement.lang) ?? 'en'

/** Speak a language; without one, that of the last visit or of the browser. @throws when the camera does not answer */
export async function speak(chosen?: Language): Promise<void> {
  const language = chosen ?? firstLanguage()
  words = (await (await fetch(`/words/${language}.json`)).json()) as Record<string, string>
  document.documentElement.lang = language
  document.title = say('title')
  if (chosen) rememberLanguage(chosen)
}

/** Return a text with its places filled in. */
export const say = (key: string, values: Record<string, string | number> = {}): string => fill(words, key, values)
