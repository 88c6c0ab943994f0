/** The session's tokens: stored in localStorage, shared by all tabs, and refreshed once for all of them before they end. */
import { loginCode } from '@gatehouse/contract'
import { identityCalls, type Tokens } from '@gatehouse/contract/identity/calls'
import { noteLogin } from './confirmation.ts'
import { exchange } from './http.ts'
import { clientRefusal, Refusal } from './refusal.ts'
import { screenLink } from './screenLink.ts'
import { keptTokens, storage, TOKEN_KEYS } from './storage.ts'

/** The console's public client id with an empty secret. */
const CLIENT = `Basic ${btoa('console:')}`
/** An access token this close to its end is no longer sent; milliseconds. */
const REFRESH_BEFORE = 60_000
/** Milliseconds that another tab, which refreshed at the same time, may take to store its tokens, and between two checks for them. */
const OTHER_TAB_MS = 3_000
const OTHER_TAB_LOOK_MS = 100

function saveTokens(tokens: Tokens): void {
  const kept = keptTokens(tokens, Date.now())
  for (const key of TOKEN_KEYS) storage.set(key, kept[key])
  if (tokens.known_device !== undefined) storage.set('knownDevice', tokens.known_device)
}

export function dropTokens(): void {
  storage.remove(...TOKEN_KEYS)
  noteLogin(false)
}
export const hasTokens = (): boolean => storage.get('token') !== undefined || storage.get('refreshToken') !== undefined
/** Return whether the token can be sent. One that cannot be refreshed, or ends with its session, is sent to its last second. */
const tokenIsFresh = (): boolean => {
  const ends = storage.get('tokenExpires') ?? 0
  const isLast = storage.get('refreshToken') === undefined || (storage.get('refreshExpires') ?? Infinity) - ends < REFRESH_BEFORE
  return storage.get('token') !== undefined && ends > Date.now() + (isLast ? 0 : REFRESH_BEFORE)
}

/** Return whether another tab has stored another refresh token. Without locks, wait for that: tabs cannot wait for one another. */
async function isReplaced(refreshToken: string): Promise<boolean> {
  for (let left = navigator.locks ? 0 : OTHER_TAB_MS; left > 0 && storage.get('refreshToken') === refreshToken; left -= OTHER_TAB_LOOK_MS)
    await new Promise((resolve) => setTimeout(resolve, OTHER_TAB_LOOK_MS))
  const now = storage.get('refreshToken')
  return now !== undefined && now !== refreshToken
}

/** What a login requires besides the password, each only once the server has demanded it. */
export interface Besides {
  /** Answer to the slide captcha. */
  captcha?: string | undefined
  /** One-time password or recovery code. */
  otp?: string | undefined
}

/** Exchange a password (already encrypted, base64) for tokens. */
export async function obtainTokens(username: string, password: string, besides: Besides = {}): Promise<void> {
  const body = { grant_type: 'password' as const, username, password, ...besides, known_device: storage.get('knownDevice') }
  saveTokens(await exchange(identityCalls.token, { body }, { authorization: CLIENT }))
  noteLogin(true)
}

async function refresh(): Promise<void> {
  // Another tab may have refreshed while this one waited for the lock.
  if (tokenIsFresh()) return
  const refreshToken = storage.get('refreshToken')
  if (refreshToken === undefined) throw clientRefusal('REFRESH_TOKEN_MISSING')
  try {
    saveTokens(
      await exchange(
        identityCalls.token,
        { body: { grant_type: 'refresh_token', refresh_token: refreshToken } },
        { authorization: CLIENT },
      ),
    )
  } catch (error) {
    // Only a refused refresh ends the session; a server that does not answer may be back in a minute.
    if (error instanceof Refusal && error.status >= 400 && error.status < 500) {
      if (await isReplaced(refreshToken)) return
      dropTokens()
      throw error.code === loginCode.accountDisabled ? error : clientRefusal('REFRESH_TOKEN_EXPIRED')
    }
    throw error
  }
}

let underWay: Promise<void> | undefined

/**
 * Return an access token valid for at least another minute, or the session's last one. Refresh first where needed, once for all callers
 * in all tabs. Where a data screen was opened with a link, return the token of the link.
 */
export async function freshToken(): Promise<string | undefined> {
  const linked = screenLink.token()
  if (linked !== undefined) return linked
  if (!tokenIsFresh()) {
    // Locks exist on https and localhost only; elsewhere each tab refreshes for itself.
    underWay ??= (navigator.locks ? navigator.locks.request('gatehouse-refresh', refresh) : refresh()).finally(() => (underWay = undefined))
    await underWay
  }
  return storage.get('token')
}
