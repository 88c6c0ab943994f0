/** Replaces the tokens of a session. */
import { sourceOf } from '../../platform/audit/audit.ts'
import type { Platform } from '../../platform/context.ts'
import { findClientUnscoped } from './client-data.ts'
import { sessionChanged } from './events.ts'
import type { SessionCache } from './session-cache.ts'
import type { OwnerOf } from './session-owners.ts'
import type { Sessions } from './sessions-types.ts'
import * as data from './token-data.ts'
import { digest, pairAfter, secretsOf } from './tokens.ts'

/** A replaced refresh token presented again within this time ends nothing, although its successor was used: two tabs refreshed at once. */
const REUSE_GRACE_MS = 10_000
/** The browser's own client: public, without a secret. */
export const PUBLIC_CLIENT = 'console'

export function createSessionRefresh(platform: Platform, cache: SessionCache, ownerOf: OwnerOf): Pick<Sessions, 'refresh'> {
  const db = platform.db

  /** End the session of a refresh token that was replaced before, unless that was just now, and log the reuse. */
  async function noteReuse(used: Buffer, clientId: string, now: number): Promise<void> {
    const former = await data.findFormerUnscoped(db, used)
    if (former === undefined || now < former.replacedAt + REUSE_GRACE_MS) return
    const token = await data.findTokenUnscoped(db, { id: former.tokenId })
    if (token === undefined || token.revoked || token.refreshExpiresAt <= now) return
    const owner = await ownerOf(token)
    if (typeof owner === 'string' || clientId !== (owner.kind === 'client' ? owner.account : PUBLIC_CLIENT)) return
    const { id, account, operator, kind } = owner
    platform.audit.actAs({ parkId: token.parkId, userId: id, account, operator, source: sourceOf({ kind }) })
    await platform.transaction(async (tx) => {
      await data.updateTokenUnscoped(tx, token.id, { revoked: true })
      await platform.events.announce(tx, sessionChanged, token.parkId, { tokenId: token.id })
      platform.audit.note({ entity: 'refusedLogin', id, label: account, after: { refusedWith: 100412, usedAgain: true } })
    })
    cache.forgetToken(token.id)
  }

  /** Return the row whose refresh token this is, or whose tokens replaced it and are still unused. */
  async function refreshedBy(used: Buffer, replacement: Buffer): Promise<data.TokenRow | undefined> {
    const current = await data.findTokenUnscoped(db, { refresh: used })
    if (current !== undefined) return current
    const replaced = await data.findTokenUnscoped(db, { refresh: replacement })
    return replaced?.pairUsed === false ? replaced : undefined
  }

  return {
    async refresh(refreshToken, clientId) {
      const [used, pair] = [digest(refreshToken), await pairAfter(platform, refreshToken)]
      const token = await refreshedBy(used, digest(pair.refresh))
      const now = platform.clock.now()
      if (token === undefined) await noteReuse(used, clientId, now)
      if (token === undefined || token.revoked || token.refreshExpiresAt <= now) return 'unknown'
      const client = token.clientId === null ? undefined : await findClientUnscoped(db, { id: token.clientId })
      if (clientId !== (client?.apiKey ?? PUBLIC_CLIENT)) return 'unknown'
      const owner = await ownerOf(token)
      if (typeof owner === 'string') return owner === 'disabled' ? 'disabled' : 'unknown'
      // A user's session ends at the time that was set at the login.
      const refreshExpiresAt = client === undefined ? token.refreshExpiresAt : now + client.refreshSeconds * 1000
      const { tokens, row } = secretsOf(pair, token.accessSeconds, refreshExpiresAt, now)
      const isRotated = await platform.db.transaction().execute((tx) => data.rotateTokenUnscoped(tx, used, { ...row, id: token.id }, now))
      if (!isRotated) return 'unknown'
      cache.forgetToken(token.id)
      return tokens
    },
  }
}
