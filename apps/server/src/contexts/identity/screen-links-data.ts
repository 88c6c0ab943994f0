/** Rows of links that open a data screen. */
import { columnList } from '../../platform/database/column-list.ts'
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

export interface ScreenLinkRow {
  id: string
  parkId: string
  userId: string
  name: string
  createdAt: number
  endsAt: number | null
  lastUsedAt: number | null
}
const linkColumns = columnList(['id', 'parkId', 'userId', 'name', 'createdAt', 'endsAt', 'lastUsedAt'])

/** Least interval between two notes of a use: a screen sends a request every few seconds. */
const NOTED_EVERY_MS = 60_000

/** Return a link by its token or id. Unscoped: the scope is made from the token. */
export async function findLinkUnscoped(db: Database, by: { tokenHash: Buffer } | { id: string }): Promise<ScreenLinkRow | undefined> {
  const query = db.selectFrom('screenLink').select(linkColumns)
  const row = await ('id' in by ? query.where('id', '=', by.id) : query.where('tokenHash', '=', by.tokenHash)).executeTakeFirst()
  return row as ScreenLinkRow | undefined
}

/** One page of a park's links, the newest first. */
export async function listLinks(scope: Scope, db: Database, { page, size }: { page: number; size: number }): Promise<ScreenLinkRow[]> {
  const rows = await db
    .selectFrom('screenLink')
    .select(linkColumns)
    .where('parkId', '=', scope.parkId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return rows as ScreenLinkRow[]
}

export async function countLinks(scope: Scope, db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('screenLink')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('parkId', '=', scope.parkId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertLink(
  scope: Scope,
  tx: Database,
  link: Pick<ScreenLinkRow, 'id' | 'userId' | 'name' | 'endsAt'> & { tokenHash: Buffer },
  now: number,
): Promise<void> {
  await tx
    .insertInto('screenLink')
    .values({
      id: link.id,
      parkId: scope.parkId,
      name: link.name,
      tokenHash: link.tokenHash,
      userId: link.userId,
      createdAt: timestamp(now),
      endsAt: link.endsAt === null ? null : timestamp(link.endsAt),
      lastUsedAt: null,
    })
    .execute()
}

/** Delete a link. @returns its name; undefined where the park has no such link */
export async function deleteLink(scope: Scope, tx: Database, id: string): Promise<Pick<ScreenLinkRow, 'name'> | undefined> {
  return tx.deleteFrom('screenLink').where('parkId', '=', scope.parkId).where('id', '=', id).returning('name').executeTakeFirst()
}

/**
 * End the links of a user that still work, in whatever park they are. Unscoped: a user makes links in several parks.
 *
 * @returns the links that ended
 */
export async function endLinksUnscoped(
  tx: Database,
  userId: string,
  now: number,
): Promise<Pick<ScreenLinkRow, 'id' | 'parkId' | 'name' | 'endsAt'>[]> {
  const working = await tx
    .selectFrom('screenLink')
    .select(linkColumns)
    .where('userId', '=', userId)
    .where((eb) => eb.or([eb('endsAt', 'is', null), eb('endsAt', '>', timestamp(now))]))
    .forUpdate()
    .execute()
  const ids = working.map(({ id }) => id)
  if (ids.length > 0)
    await tx
      .updateTable('screenLink')
      .set({ endsAt: timestamp(now) })
      .where('id', 'in', ids)
      .execute()
  return working as ScreenLinkRow[]
}

/** Note the use of a link, unless one was noted within the last minute. Unscoped: see `findLinkUnscoped`. */
export async function noteLinkUsedUnscoped(db: Database, id: string, now: number): Promise<void> {
  await db
    .updateTable('screenLink')
    .set({ lastUsedAt: timestamp(now) })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('lastUsedAt', 'is', null), eb('lastUsedAt', '<=', timestamp(now - NOTED_EVERY_MS))]))
    .execute()
}
