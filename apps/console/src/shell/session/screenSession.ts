/**
 * The session of a data screen. Its address may contain a link: `ac` area code, `l` language, `tk` token of the link, `expires`
 * its end in epoch milliseconds. Otherwise it uses the session of the browser, which no user keeps alive by working at it.
 */
import { useEffect } from 'react'
import { DATA_SCREEN_TOKEN_QUERY, LANGUAGES, SESSION_RECHECK_BEFORE_EXPIRY } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { isScreenLinkToken } from '@gatehouse/contract/identity/screen-links'
import { showLanguage, startLanguage } from '../../i18n/index.ts'
import { exchange } from '../../api/http.ts'
import { queryClient } from '../../api/query.ts'
import { screenLink } from '../../api/screenLink.ts'
import { useSession } from '../../api/session.ts'
import { storage } from '../../api/storage.ts'

const BEFORE = SESSION_RECHECK_BEFORE_EXPIRY * 1000
/** A session of several weeks is checked in between: timers cannot run for more than 24 days. */
const CHECK_AT_LEAST_EVERY = 6 * 3_600_000

/** Forget the user and the park, which have changed in this tab alone. */
function startAfresh(): void {
  useSession.setState({ profile: undefined, park: undefined })
  queryClient.clear()
}

/**
 * Use the link in a data screen's address. Only the token of a link is accepted, for this tab: an address must not be able to
 * log a browser in.
 * @param address path with query
 * @returns the address without the link; undefined where it has none
 */
export async function takeFromAddress(address: string): Promise<string | undefined> {
  const [pathname = '', query = ''] = address.split('?')
  const search = new URLSearchParams(query)
  const token = search.get(DATA_SCREEN_TOKEN_QUERY)
  const language = LANGUAGES.find((one) => one === search.get('l'))
  // The first address is read while the tab is still starting.
  if (language) await startLanguage().then(() => showLanguage(language))
  if (token === null) return undefined
  startAfresh()
  if (isScreenLinkToken(token)) screenLink.open(token)
  else screenLink.refuse()
  for (const name of [DATA_SCREEN_TOKEN_QUERY, 'ac', 'expires']) search.delete(name)
  return pathname + (search.size > 0 ? `?${search}` : '')
}

/** Forget the link for any other page: those are shown to the user who is logged in. */
export function leaveScreenLink(): void {
  if (screenLink.leave()) startAfresh()
}

async function renew(): Promise<void> {
  // The token is used as it is: it is about to expire, and must not be refreshed for this call.
  const { seconds } = await exchange(identityCalls.expire, {}, { authorization: `Bearer ${storage.get('token') ?? ''}` })
  const expires = Date.now() + seconds * 1000
  storage.set('expires', expires)
  storage.set('tokenExpires', expires)
}

/**
 * Renew the session whenever it is within a minute of its end; until then, check again at that time. A link needs no renewal.
 * @returns a function that stops it
 */
export function keepScreenSession(): () => void {
  if (screenLink.token() !== undefined) return () => {}
  let timer: ReturnType<typeof setTimeout>
  let stopped = false
  const look = async (): Promise<void> => {
    const left = (): number => (storage.get('expires') ?? storage.get('tokenExpires') ?? 0) - Date.now()
    // A failed renewal is tried again while there is time.
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

/** Renew the session of a data screen while it is shown. */
export const useScreenSession = (): void => useEffect(keepScreenSession, [])
