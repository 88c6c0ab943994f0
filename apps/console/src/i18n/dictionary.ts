/**
 * The data dictionary in use: an installation's own words for the values of enums, merged over the built-in ones in every
 * language that is loaded. Read with the session, again each minute, and replaced at once after a change by this user.
 */
import i18next from 'i18next'
import { LANGUAGES, type Language } from '@gatehouse/contract'
import { dictionaryCalls, type Dictionary } from '@gatehouse/contract/system/dictionary'
import { request } from '../api/request.ts'
import { useSession } from '../api/session.ts'

const NAMESPACE = 'enums'
/** Milliseconds after which, at the latest, changes by other users are visible. */
const AGAIN = 60_000
type Words = Record<string, Record<string, string>>

/** The built-in words of the product, by language, as they were loaded. */
const builtIn = new Map<Language, Words>()
let dictionary: Dictionary = { labels: {}, version: 0 }

function lay(language: Language): void {
  const words = builtIn.get(language)
  if (words === undefined) return
  const own = dictionary.labels[language] ?? {}
  const laid = Object.fromEntries(Object.entries(words).map(([name, values]) => [name, { ...values, ...own[name] }]))
  // The bundle is replaced, not merged into: the one there is the built-in catalogue itself.
  i18next.addResourceBundle(language, NAMESPACE, laid, false, true, { silent: true })
}

/** Apply the dictionary to the words of a language that has just been loaded. */
export function layDictionary(language: Language, words: object): void {
  builtIn.set(language, words as Words)
  lay(language)
}

/** Use these words from now on, everywhere on screen. */
export function takeOwnWords(next: Dictionary): void {
  if (next.version === dictionary.version) return
  dictionary = next
  for (const language of LANGUAGES) lay(language)
  // Components that show texts listen for a change of language, not of single words.
  i18next.emit('languageChanged', i18next.language)
}

async function read(): Promise<void> {
  if (useSession.getState().profile === undefined || document.hidden) return
  const requestedVersion = dictionary.version
  const answer = await request(dictionaryCalls.read, {}, { errors: 'inline' }).catch(() => undefined)
  // The words stay as they are where no answer came, or where a change by this user was faster than the answer.
  if (answer !== undefined && dictionary.version === requestedVersion) takeOwnWords(answer)
}

/** Read the dictionary with each session, and again each minute, for as long as the console is open. */
export function followDictionary(): void {
  useSession.subscribe(({ profile }, before) => {
    if (profile !== undefined && before.profile === undefined) void read()
  })
  // The session is loaded in parallel with the language, and may have been loaded first.
  void read()
  setInterval(() => void read(), AGAIN)
}
