/** The cache of sessions of a node, by token. */
import type { NoSession, Session } from '../../platform/session/session.ts'

/** Milliseconds for which a node trusts a cached session. Changes on this node apply at once. */
const REMEMBER_MS = 5_000
/** Above this number of cached sessions, those that are no longer trusted are dropped. */
const REMEMBERED_MAX = 1_000

export interface SessionCache {
  /**
   * Return the session of a token: the cached one, else what `read` returns, which is then cached.
   * @param now epoch milliseconds
   * @param read returns the session and when it ends by itself, in epoch milliseconds; null: never
   */
  session(
    token: string,
    now: number,
    read: () => Promise<{ session: Session | NoSession; expiresAt: number | null }>,
  ): Promise<Session | NoSession>
  forgetToken(tokenId: string): void
  /** Forget the sessions of these owners; absent: all sessions. */
  forgetOwners(ownerIds?: readonly string[]): void
  /** Call with the id of each token that ended or changed; null: any may have. */
  onChange(listener: (tokenId: string | null) => void): void
}

export function createSessionCache(): SessionCache {
  const remembered = new Map<string, { session: Session; until: number; expiresAt: number }>()
  const listeners: ((tokenId: string | null) => void)[] = []
  /** Incremented by each call that forgets sessions. */
  let forgotten = 0

  return {
    async session(token, now, read) {
      const cached = remembered.get(token)
      if (cached !== undefined && cached.until > now && cached.expiresAt > now) return cached.session
      remembered.delete(token)
      const before = forgotten
      const { session, expiresAt } = await read()
      if (typeof session === 'string') return session
      if (remembered.size > REMEMBERED_MAX) for (const [old, { until }] of remembered) if (until <= now) remembered.delete(old)
      // A change made while the session was read may be missing from it.
      if (before === forgotten) remembered.set(token, { session, until: now + REMEMBER_MS, expiresAt: expiresAt ?? Infinity })
      return session
    },
    forgetToken(tokenId) {
      forgotten++
      for (const [token, { session }] of remembered) if (session.tokenId === tokenId) remembered.delete(token)
      for (const listener of listeners) listener(tokenId)
    },
    forgetOwners(ownerIds) {
      forgotten++
      for (const [token, { session }] of remembered)
        if (ownerIds === undefined || ownerIds.includes(session.userId)) remembered.delete(token)
      for (const listener of listeners) listener(null)
    },
    onChange: (listener) => void listeners.push(listener),
  }
}
