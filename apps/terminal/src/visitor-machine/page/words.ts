/** The words of the page in the language the visitor chose, which lasts until the next visitor. */
import { fill, LANGUAGES, type Language } from '../../screen/texts.ts'

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { 'zh-CN': '简体中文', 'zh-TW': '繁體中文', en: 'English' }

/** The browser's language, as the terminal wrote it into the page. */
const FIRST = LANGUAGES.find((language) => language === document.documentElement.lang) ?? 'zh-CN'

const loaded = new Map<Language, Record<string, string>>()

/** Load the words of all languages, so that a choice needs no request. @throws when the terminal does not answer */
export async function loadWords(): Promise<void> {
  for (const language of LANGUAGES) {
    const response = await fetch(`/visitor-machine/texts/${language}.json`)
    loaded.set(language, (await response.json()) as Record<string, string>)
  }
}

export const currentLanguage = (): Language => LANGUAGES.find((language) => language === document.documentElement.lang) ?? FIRST

/** Speak another language; null: that of the browser. */
export function speak(language: Language | null): void {
  document.documentElement.lang = language ?? FIRST
  document.title = say('title')
}

/** Return a text with its places filled in. */
export const say = (key: string, values: Record<string, string | number> = {}): string =>
  fill(loaded.get(currentLanguage()) ?? {}, key, values)

/** Return an instant at the park: the time, and the date unless it is today. */
export function momentInWords(instant: number, zone: string, now: number): string {
  const written = (options: Intl.DateTimeFormatOptions, at: number) =>
    new Intl.DateTimeFormat(currentLanguage(), { timeZone: zone, ...options }).format(at)
  const isToday = written({ dateStyle: 'short' }, instant) === written({ dateStyle: 'short' }, now)
  return written(
    {
      ...(!isToday && { month: 'short', day: 'numeric' }),
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    },
    instant,
  )
}
