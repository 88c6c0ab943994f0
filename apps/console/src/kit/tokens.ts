/** The session's tokens: kept in localStorage so that all tabs share them, refreshed once, before they end. */
import { loginCode } from '@gatehouse/contract'
import { identityCalls, type Tokens } from '@gatehouse/contract/identity/calls'
import { exchange } from './http.ts'
import { clientRefusal, Refusal } from './refusal.ts'
import { keptTokens, storage, TOKEN_KEYS } from './storage.ts'

/** The console's public client id with an empty secret. */
const CLIENT = `Basic ${btoa('console:')}`
/** An access token this close to its end is no longer sent; milliseconds. */
const REFRESH_BEFORE = 60_000

function saveTokens(tokens: Tokens): void {
  const kept = keptTokens(tokens, Date.now())
  for (const key of TOKEN_KEYS) storage.set(key, kept[key])
}

export const dropTokens = (): void => storage.remove(...TOKEN_KEYS)
export const hasTokens = (): boolean => storage.get('token') !== undefined || storage.get('refreshToken') !== undefined
/** One that cannot be refreshed, as a data screen's, is good to its last second. */
const tokenIsFresh = (): boolean => {
  const spare = storage.get('refreshToken') === undefined ? 0 : REFRESH_BEFORE
  return storage.get('token') !== undefined && (storage.get('tokenExpires') ?? 0) > Date.now() + spare
}

/** Exchanges a password (already encrypted, base64) for tokens. @param captcha `id:x`, once it is asked for */
export async function obtainTokens(username: string, password: string, captcha?: string): Promise<void> {
  saveTokens(
    await exchange(identityCalls.token, { body: { grant_type: 'password', username, password, captcha } }, { authorization: CLIENT }),
  )
}

async function refresh(): Promise<void> {
  // Another tab may have refreshed while this one waited its turn.
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
      dropTokens()
      throw error.code === loginCode.accountDisabled ? error : clientRefusal('REFRESH_TOKEN_EXPIRED')
    }
    throw error
  }
}

let underWay: Promise<void> | undefined

/** An access token good for at least another minute; refreshes first where needed, once for all who ask, in all tabs. */
export async function freshToken(): Promise<string | undefined> {
  if (!tokenIsFresh()) {
    // Locks exist on https and localhost only; elsewhere each tab refreshes for itself.
    underWay ??= (navigator.locks ? navigator.locks.request('gatehouse-refresh', refresh) : refresh()).finally(() => (underWay = undefined))
    await underWay
  }
  return storage.get('token')
}
