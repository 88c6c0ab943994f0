/**
 * The session of a data screen, which nobody keeps alive by working with it. Its address may bring it along:
 * `ac` area code, `l` language, `tk` token, `expires` its end in epoch milliseconds.
 */
import { DATA_SCREEN_TOKEN_QUERY, LANGUAGES, SESSION_RECHECK_BEFORE_EXPIRY } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { showLanguage, startLanguage } from '../../i18n/index.ts'
import { exchange } from '../../kit/http.ts'
import { storage } from '../../kit/storage.ts'

const BEFORE = SESSION_RECHECK_BEFORE_EXPIRY * 1000
/** A session that lasts for weeks asks again in between: timers hold no more than 24 days. */
const CHECK_AT_LEAST_EVERY = 6 * 3_600_000

/** Whether the session this browser has of its own is still to be used. */
const hasOwnSession = (now: number): boolean =>
  (storage.get('token') !== undefined && (storage.get('tokenExpires') ?? 0) > now) ||
  (storage.get('refreshToken') !== undefined && (storage.get('refreshExpires') ?? 0) > now)

/**
 * Takes what a data screen's address brings along. A token of the address never replaces a session somebody has here:
 * a link must not be able to log them in as another.
 *
 * @param wanted path with query
 * @returns the address without it; undefined where there is nothing to take out
 */
export async function takeFromAddress(wanted: string, now: number = Date.now()): Promise<string | undefined> {
  const [pathname = '', query = ''] = wanted.split('?')
  const search = new URLSearchParams(query)
  const token = search.get(DATA_SCREEN_TOKEN_QUERY)
  const language = LANGUAGES.find((one) => one === search.get('l'))
  // The first address is looked at while the tab still starts.
  if (language) await startLanguage().then(() => showLanguage(language))
  if (token === null) return undefined
  if (!hasOwnSession(now)) {
    const expires = Number(search.get('expires')) || now + 2 * BEFORE
    storage.remove('refreshToken', 'refreshExpires')
    storage.set('token', token)
    storage.set('tokenExpires', expires)
    storage.set('expires', expires)
    storage.set('areaCode', search.get('ac') ?? '')
  }
  for (const name of [DATA_SCREEN_TOKEN_QUERY, 'ac', 'expires']) search.delete(name)
  return pathname + (search.size > 0 ? `?${search}` : '')
}

async function renew(): Promise<void> {
  // With the token as it is: it is about to end, and nothing else may be fetched for it.
  const { seconds } = await exchange(identityCalls.expire, {}, { authorization: `Bearer ${storage.get('token') ?? ''}` })
  const expires = Date.now() + seconds * 1000
  storage.set('expires', expires)
  storage.set('tokenExpires', expires)
}

/** Renews the session whenever it is within a minute of its end, else looks again then. The answer ends it. */
export function keepScreenSession(): () => void {
  let timer: ReturnType<typeof setTimeout>
  let stopped = false
  const look = async (): Promise<void> => {
    const left = (): number => (storage.get('expires') ?? storage.get('tokenExpires') ?? 0) - Date.now()
    // What was not renewed is tried again while there is time.
    if (left() <= BEFORE) await renew().catch(() => {})
    if (stopped) return
    const wait = left() > BEFORE ? left() - BEFORE : BEFORE / 4
    timer = setTimeout(() => void look(), Math.min(wait, CHECK_AT_LEAST_EVERY))
  }
  void look()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
