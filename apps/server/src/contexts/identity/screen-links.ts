/** Links that open a park's data screen: made, listed, revoked. `session-making.ts` decides what a link opens. */
import { randomBytes } from 'node:crypto'
import { SCREEN_LINKS_MAX } from '@gatehouse/contract/limits'
import { screenLinkCalls, screenLinkToken, type ScreenLink } from '@gatehouse/contract/identity/screen-links'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import { sessionChanged } from './events.ts'
import type { Privilege } from './privilege.ts'
import * as data from './screen-links-data.ts'
import type { Sessions } from './sessions-types.ts'
import { digest } from './tokens.ts'

interface Parts {
  sessions: Sessions
  privilege: Privilege
}

/**
 * End the links of a user whose password was reset because it was lost or known to another person, who may have made links with it. A
 * password that its owner changes ends no link, so that screens on a wall keep working. Call within the transaction of the change; call
 * `forgetOwners` of the sessions once it is committed.
 */
export async function endScreenLinks(platform: Platform, tx: Transaction, userId: string): Promise<void> {
  const now = platform.clock.now()
  for (const { id, parkId, name, endsAt } of await data.endLinksUnscoped(tx, userId, now)) {
    await platform.events.announce(tx, sessionChanged, parkId, { tokenId: id })
    platform.audit.note({ entity: 'screenLink', id, label: name, before: { endsAt }, after: { endsAt: now } })
  }
}

export function screenLinkHandlers(platform: Platform, { sessions, privilege }: Parts): MountedCall[] {
  const db = platform.db

  async function stateOf({ id, endsAt }: data.ScreenLinkRow): Promise<ScreenLink['state']> {
    if (endsAt !== null && endsAt <= platform.clock.now()) return 'ended'
    return typeof (await sessions.again(id)) === 'string' ? 'suspended' : 'works'
  }

  return [
    handler(screenLinkCalls.list, async ({ session, scope, query: { page, size } }) => {
      const [total, links] = await Promise.all([data.countLinks(scope, db), data.listLinks(scope, db, { page, size })])
      const names = await privilege.names(session, [...new Set(links.map(({ userId }) => userId))])
      const content = await Promise.all(
        links.map(async (link) => {
          const { id, userId, name, createdAt, endsAt, lastUsedAt } = link
          return { id, name, state: await stateOf(link), madeBy: names.get(userId) ?? '', createdAt, endsAt, lastUsedAt }
        }),
      )
      return { total, content, page, size }
    }),
    handler(screenLinkCalls.create, async ({ session, scope, body: { name, endsAt = null } }) => {
      const now = platform.clock.now()
      if (endsAt !== null && endsAt <= now) throw new InvalidRequest([{ path: 'endsAt', rule: 'inFuture' }])
      const [id, token] = [newId(), screenLinkToken(randomBytes(32).toString('base64url'))]
      await platform.transaction(async (tx) => {
        if ((await data.countLinks(scope, tx)) >= SCREEN_LINKS_MAX)
          throw new InvalidRequest([{ path: 'name', rule: 'screenLinks', params: { limit: SCREEN_LINKS_MAX } }])
        await data.insertLink(scope, tx, { id, userId: session.userId, name, endsAt, tokenHash: digest(token) }, now)
        platform.audit.note({ entity: 'screenLink', id, label: name, after: { name, endsAt } })
      })
      return { id, token }
    }),
    handler(screenLinkCalls.revoke, async ({ scope, params: { id } }) => {
      await platform.transaction(async (tx) => {
        const revoked = await data.deleteLink(scope, tx, id)
        if (revoked === undefined) throw new NotFound()
        await platform.events.announce(tx, sessionChanged, scope.parkId, { tokenId: id })
        platform.audit.note({ entity: 'screenLink', id, label: revoked.name, before: { name: revoked.name } })
      })
      sessions.forgetToken(id)
    }),
  ]
}
