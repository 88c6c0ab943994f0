/**
 * Sessions: the tokens that stand for a user or API user. What a session may do is decided in `session-making.ts`; how its tokens are
 * replaced is in `session-refresh.ts`.
 */
import { CONFIRMED_FOR } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { refuse } from '../../platform/http/refusal.ts'
import { canChangePark, type OrganisationService } from '../organisation/index.ts'
import { updateLastParkUnscoped } from './data.ts'
import { ownersChanged, sessionChanged } from './events.ts'
import type { SecondFactorDemand } from './second-factor-demand.ts'
import { createSessionCache } from './session-cache.ts'
import { createSessionMaking } from './session-making.ts'
import { createSessionOwners } from './session-owners.ts'
import { createSessionRefresh } from './session-refresh.ts'
import * as data from './token-data.ts'
import { newPair, secretsOf } from './tokens.ts'
import type { OwnerKey, Sessions } from './sessions-types.ts'

export const ACCESS_SECONDS = 2 * 3600
/** Most owners that an event names; without names it is about all of them. */
const NAMED_OWNERS = 50

export function createSessions(platform: Platform, organisation: OrganisationService, secondFactor: SecondFactorDemand): Sessions {
  const db = platform.db
  const cache = createSessionCache()
  const { forgetToken, forgetOwners, onChange } = cache
  const ownerOf = createSessionOwners(platform, secondFactor)
  const making = createSessionMaking(platform, organisation, ownerOf)

  async function refreshOwners(tx: Transaction, ownerIds?: readonly string[]): Promise<void> {
    const named = ownerIds !== undefined && ownerIds.length <= NAMED_OWNERS ? [...ownerIds] : undefined
    await platform.events.announce(tx, ownersChanged, organisation.root().id, { ownerIds: named })
  }

  /** Change the token row of a session: at once on this node, by an event on the other nodes. */
  async function change(tokenId: string, parkId: string, values: Parameters<typeof data.updateTokenUnscoped>[2]): Promise<void> {
    await platform.transaction(async (tx) => {
      await data.updateTokenUnscoped(tx, tokenId, values)
      await platform.events.announce(tx, sessionChanged, parkId, { tokenId })
    })
    forgetToken(tokenId)
  }

  async function revokeAllIn(tx: Transaction, owner: OwnerKey, except: string | null): Promise<string[]> {
    const ids = await data.revokeTokensUnscoped(tx, owner, except)
    for (const tokenId of ids) await platform.events.announce(tx, sessionChanged, organisation.root().id, { tokenId })
    return ids
  }

  return {
    forgetToken,
    forgetOwners,
    onChange,
    ...createSessionRefresh(platform, cache, ownerOf),
    async issue(tx, { owner, parkId, ip, agent, accessSeconds = ACCESS_SECONDS, refreshSeconds, confirmedSeconds }) {
      const now = platform.clock.now()
      const { tokens, row } = secretsOf(newPair(), accessSeconds, now + (refreshSeconds ?? platform.config.sessionHours * 3600) * 1000, now)
      await data.insertTokenUnscoped(
        tx,
        {
          ...row,
          ...owner,
          id: newId(),
          parkId,
          ip,
          agent,
          accessSeconds,
          ...(confirmedSeconds !== undefined && { confirmedUntil: now + confirmedSeconds * 1000 }),
        },
        now,
      )
      return tokens
    },
    async session(token) {
      const now = platform.clock.now()
      return cache.session(token, now, () => making.openedBy(token, now))
    },
    again: async (tokenId) => making.byId(tokenId, platform.clock.now()),
    async keep(session) {
      const now = platform.clock.now()
      const end = await data.prolongTokenUnscoped(db, session.tokenId, now)
      forgetToken(session.tokenId)
      return Math.floor((end - now) / 1000)
    },
    async confirm({ tokenId }) {
      const until = platform.clock.now() + CONFIRMED_FOR * 60_000
      await data.confirmTokenUnscoped(db, tokenId, until)
      return until
    },
    isConfirmed: ({ tokenId }) => data.isTokenConfirmedUnscoped(db, tokenId, platform.clock.now()),
    revoke: (session) => change(session.tokenId, session.park.id, { revoked: true }),
    async revokeAll(owner, except) {
      const ended = await platform.transaction((tx) => revokeAllIn(tx, owner, except))
      ended.forEach(forgetToken)
      return ended.length
    },
    revokeAllIn: async (tx, owner, except) => (await revokeAllIn(tx, owner, except)).length,
    openOf: (userId) => data.listTokensUnscoped(db, userId, platform.clock.now()),
    async move(session, parkId) {
      if (!canChangePark(session)) refuse(100413)
      await change(session.tokenId, parkId, { parkId })
      if (session.kind === 'user') await updateLastParkUnscoped(db, session.userId, parkId)
    },
    refreshOwners,
    async changing(ownerIds, work) {
      await platform.transaction(async (tx) => {
        await work(tx)
        await refreshOwners(tx, ownerIds)
      })
      forgetOwners(ownerIds)
    },
    dropExpired: () => data.deleteExpiredTokensUnscoped(db, platform.clock.now()),
  }
}
