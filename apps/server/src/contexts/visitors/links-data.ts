/** Rows of links; every function takes the scope first, except those for callers without a session. */
import type { VisitorLinkKind } from '@gatehouse/contract/visitors/appointments'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'

const linkColumns = columnList(['id', 'parkId', 'kind', 'visitId', 'address', 'visits', 'createdAt', 'expiresAt'])

export interface LinkValues {
  id: string
  kind: VisitorLinkKind
  tokenHash: Buffer
  visitId: string | null
  address: string
  visits: number
  expiresAt: number
}

/** Store a link; return false where there is one of this token. */
export async function insertLink(scope: Scope, db: Database, link: LinkValues, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('visitorLink')
    .values({ ...link, parkId: scope.parkId, createdAt: timestamp(now), expiresAt: timestamp(link.expiresAt) })
    .onConflict((conflict) => conflict.column('tokenHash').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The end of a link: that of its visit, where it belongs to one for good. */
const end = sql<number>`CASE WHEN visitor_link.kind IN ('visit', 'host')
  THEN (SELECT visit.expires_at FROM visit WHERE visit.id = visitor_link.visit_id) ELSE visitor_link.expires_at END`

/** Unscoped: a person who opens a link has no session, and the token determines the park. */
export const findLinkUnscoped = (db: Database, tokenHash: Buffer, now: number) =>
  db
    .selectFrom('visitorLink')
    .select(linkColumns)
    .where('tokenHash', '=', tokenHash)
    .where(sql<boolean>`${end} > ${timestamp(now)}`)
    .executeTakeFirst()
export type LinkRow = NonNullable<Awaited<ReturnType<typeof findLinkUnscoped>>>

/** Return a link, locked until the transaction ends. */
export const lockLink = ({ parkId }: Scope, db: Database, id: string): Promise<LinkRow | undefined> =>
  db.selectFrom('visitorLink').select(linkColumns).where('parkId', '=', parkId).where('id', '=', id).forUpdate().executeTakeFirst()

/** Return links that are valid, the newest first, with the name of the visitor. */
export function listLinks(scope: Scope, db: Database, { kind, ...page }: Paging & { kind?: VisitorLinkKind | undefined }, now: number) {
  let rows = db
    .selectFrom('visitorLink')
    .leftJoin('visit', 'visit.id', 'visitorLink.visitId')
    .select(['visitorLink.id', 'visitorLink.kind', 'visitorLink.visitId', 'visitorLink.visits', 'visitorLink.createdAt'])
    .select(['visitorLink.expiresAt', 'visit.name as visitorName'])
    .where('visitorLink.parkId', '=', scope.parkId)
    .where(sql<boolean>`${end} > ${timestamp(now)}`)
  if (kind !== undefined) rows = rows.where('visitorLink.kind', '=', kind)
  return readPage(rows.orderBy('visitorLink.createdAt', 'desc').orderBy('visitorLink.id', 'desc'), page)
}

/** Count a visit made by a link. @param visitId of a link for one visitor: the link belongs to this visit from now on */
export async function countVisit(scope: Scope, db: Database, id: string, visitId: string | null): Promise<void> {
  await db
    .updateTable('visitorLink')
    .set((eb) => ({ visits: eb('visits', '+', 1), ...(visitId !== null && { visitId }) }))
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** Return the start of the addresses of a visit's links; null where it has none. */
export async function findAddress(scope: Scope, db: Database, visitId: string): Promise<string | null> {
  const found = await db
    .selectFrom('visitorLink')
    .select('address')
    .where('parkId', '=', scope.parkId)
    .where('visitId', '=', visitId)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found?.address ?? null
}

/** Delete a link; return whether it existed. */
export async function deleteLink(scope: Scope, db: Database, id: string): Promise<boolean> {
  const result = await db.deleteFrom('visitorLink').where('parkId', '=', scope.parkId).where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** Delete the links of a visit for its host. */
export async function deleteHostLinks(scope: Scope, db: Database, visitId: string): Promise<void> {
  await db.deleteFrom('visitorLink').where('parkId', '=', scope.parkId).where('visitId', '=', visitId).where('kind', '=', 'host').execute()
}

/** Delete the links by which these persons decide on visits as their hosts. */
export async function deleteLinksOfHosts(scope: Scope, db: Database, personIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('visitorLink')
    .where('parkId', '=', scope.parkId)
    .where('kind', '=', 'host')
    .where('visitId', 'in', (eb) =>
      eb.selectFrom('visit').select('visit.id').where('visit.parkId', '=', scope.parkId).where('visit.hostId', '=', oneOf(personIds)),
    )
    .execute()
}

/** Unscoped: delete the ended links of all parks; return how many. */
export async function deleteEndedLinksUnscoped(db: Database, now: number): Promise<number> {
  const result = await db
    .deleteFrom('visitorLink')
    .where(sql<boolean>`${end} <= ${timestamp(now)}`)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Delete the links of a park; return how many. */
export async function deleteLinksOfPark(scope: Scope, db: Database): Promise<number> {
  const result = await db.deleteFrom('visitorLink').where('parkId', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
