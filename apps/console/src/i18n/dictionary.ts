/**
 * The data dictionary in use: an installation's own words for the values of enums, laid over the built-in ones in every
 * language that is loaded. Read with the session, again each minute, and at once after a change of one's own.
 */
import i18next from 'i18next'
import { LANGUAGES, type Language } from '@gatehouse/contract'
import { dictionaryCalls, type Dictionary } from '@gatehouse/contract/system/dictionary'
import { request } from '../api/request.ts'
import { useSession } from '../api/session.ts'

const NAMESPACE = 'enums'
/** Milliseconds: other people's changes are seen after so long at most. */
const AGAIN = 60_000
type Words = Record<string, Record<string, string>>

/** The words the product brings, by language, as they were loaded. */
const builtIn = new Map<Language, Words>()
let dictionary: Dictionary = { labels: {}, version: 0 }

function lay(language: Language): void {
  const words = builtIn.get(language)
  if (words === undefined) return
  const own = dictionary.labels[language] ?? {}
  const laid = Object.fromEntries(Object.entries(words).map(([name, values]) => [name, { ...values, ...own[name] }]))
  // Not merged into what is there: that is the built-in catalogue itself.
  i18next.addResourceBundle(language, NAMESPACE, laid, false, true, { silent: true })
}

/** Takes the words of a language that has just been loaded. */
export function layDictionary(language: Language, words: object): void {
  builtIn.set(language, words as Words)
  lay(language)
}

/** Has these words used from now on, everywhere on screen. */
export function takeOwnWords(next: Dictionary): void {
  if (next.version === dictionary.version) return
  dictionary = next
  for (const language of LANGUAGES) lay(language)
  // What shows texts listens for a change of language, not of single words.
  i18next.emit('languageChanged', i18next.language)
}

async function read(): Promise<void> {
  if (useSession.getState().profile === undefined || document.hidden) return
  const requestedVersion = dictionary.version
  const answer = await request(dictionaryCalls.read, {}, { errors: 'inline' }).catch(() => undefined)
  // Without an answer the words stay as they are, and with one that a change of one's own has overtaken.
  if (answer !== undefined && dictionary.version === requestedVersion) takeOwnWords(answer)
}

/** Follows the session for as long as the console stands. */
export function followDictionary(): void {
  useSession.subscribe(({ profile }, before) => {
    if (profile !== undefined && before.profile === undefined) void read()
  })
  // The session is loaded beside the language, and may have come first.
  void read()
  setInterval(() => void read(), AGAIN)
}
