/** Rows of device limits. Unscoped: they belong to nodes of the tree and are kept for the installation as a whole. */
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'

export interface LimitRow {
  id: string
  organisationId: string
  deviceType: number | null
  limit: number
  version: number
}

const columns = columnList(['id', 'organisationId', 'deviceType', 'most as limit', 'version'])

/** Return all limits, oldest first. */
export const readLimitsUnscoped = (db: Database): Promise<LimitRow[]> =>
  db.selectFrom('deviceLimit').select(columns).orderBy('createdAt').orderBy('id').execute()

export const lockLimitUnscoped = (db: Database, id: string): Promise<LimitRow | undefined> =>
  db.selectFrom('deviceLimit').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()

/** Return the limits for devices of a type at these nodes, and lock them, in a fixed order, until the transaction ends. */
export function lockLimitsUnscoped(db: Database, organisationIds: readonly string[], type: number): Promise<LimitRow[]> {
  return db
    .selectFrom('deviceLimit')
    .select(columns)
    .where('organisationId', '=', oneOf(organisationIds))
    .where((eb) => eb.or([eb('deviceType', 'is', null), eb('deviceType', '=', type)]))
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function insertLimitUnscoped(
  db: Database,
  { id, organisationId, deviceType, limit }: Omit<LimitRow, 'version'>,
  now: number,
): Promise<void> {
  const moment = timestamp(now)
  await db
    .insertInto('deviceLimit')
    .values({
      id,
      organisationId,
      deviceType,
      most: limit,
      createdAt: moment,
      updatedAt: moment,
      version: 1,
    })
    .execute()
}

export async function updateLimitUnscoped(db: Database, id: string, limit: number, now: number): Promise<void> {
  await db
    .updateTable('deviceLimit')
    .set((eb) => ({ most: limit, updatedAt: timestamp(now), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function deleteLimitUnscoped(db: Database, id: string): Promise<void> {
  await db.deleteFrom('deviceLimit').where('id', '=', id).execute()
}
