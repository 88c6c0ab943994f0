/** Rows of links that open a data screen. */
import { columnList } from '../../platform/database/column-list.ts'
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { IdentityTables } from './schema.ts'

type Db = Database<IdentityTables>

export interface ScreenLinkRow {
  id: string
  parkId: string
  userId: string
  name: string
  createdAt: number
  endsAt: number | null
  lastUsedAt: number | null
}
const linkColumns = columnList([
  'id',
  'park_id as parkId',
  'user_id as userId',
  'name',
  'created_at as createdAt',
  'ends_at as endsAt',
  'last_used_at as lastUsedAt',
])

/** Use is noted no more often: a screen asks every few seconds. */
const NOTED_EVERY_MS = 60_000

/** Unscoped: a token is what a scope is made from. */
export async function findLinkUnscoped(db: Db, by: { tokenHash: Buffer } | { id: string }): Promise<ScreenLinkRow | undefined> {
  const query = db.selectFrom('screen_link').select(linkColumns)
  const row = await ('id' in by ? query.where('id', '=', by.id) : query.where('token_hash', '=', by.tokenHash)).executeTakeFirst()
  return row as ScreenLinkRow | undefined
}

/** One page of a park's links, the newest first. */
export async function listLinks(scope: Scope, db: Db, { page, size }: { page: number; size: number }): Promise<ScreenLinkRow[]> {
  const rows = await db
    .selectFrom('screen_link')
    .select(linkColumns)
    .where('park_id', '=', scope.parkId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return rows as ScreenLinkRow[]
}

export async function countLinks(scope: Scope, db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('screen_link')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('park_id', '=', scope.parkId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertLink(
  scope: Scope,
  tx: Db,
  link: Pick<ScreenLinkRow, 'id' | 'userId' | 'name' | 'endsAt'> & { tokenHash: Buffer },
  now: number,
): Promise<void> {
  await tx
    .insertInto('screen_link')
    .values({
      id: link.id,
      park_id: scope.parkId,
      name: link.name,
      token_hash: link.tokenHash,
      user_id: link.userId,
      created_at: timestamp(now),
      ends_at: link.endsAt === null ? null : timestamp(link.endsAt),
      last_used_at: null,
    })
    .execute()
}

/** @returns what it was; undefined where the park has no such link */
export async function deleteLink(scope: Scope, tx: Db, id: string): Promise<Pick<ScreenLinkRow, 'name'> | undefined> {
  return tx.deleteFrom('screen_link').where('park_id', '=', scope.parkId).where('id', '=', id).returning('name').executeTakeFirst()
}

/**
 * Ends the links of a user that work, in whatever park they are. Unscoped: somebody makes links in several parks.
 *
 * @returns what they were
 */
export async function endLinksUnscoped(
  tx: Db,
  userId: string,
  now: number,
): Promise<Pick<ScreenLinkRow, 'id' | 'parkId' | 'name' | 'endsAt'>[]> {
  const working = await tx
    .selectFrom('screen_link')
    .select(linkColumns)
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', timestamp(now))]))
    .forUpdate()
    .execute()
  const ids = working.map(({ id }) => id)
  if (ids.length > 0)
    await tx
      .updateTable('screen_link')
      .set({ ends_at: timestamp(now) })
      .where('id', 'in', ids)
      .execute()
  return working as unknown as ScreenLinkRow[]
}

/** Notes that a link was used, where that was not noted within the last minute. Unscoped: see `findLinkUnscoped`. */
export async function noteLinkUsedUnscoped(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('screen_link')
    .set({ last_used_at: timestamp(now) })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', timestamp(now - NOTED_EVERY_MS))]))
    .execute()
}
