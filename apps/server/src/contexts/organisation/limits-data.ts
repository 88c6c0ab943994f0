/** Rows of device limits. Unscoped: they belong to nodes of the tree and are kept for the installation as a whole. */
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import type { OrganisationTables } from './schema.ts'

type Db = Database<OrganisationTables>

export interface LimitRow {
  id: string
  organisationId: string
  deviceType: number | null
  limit: number
  version: number
}

const columns = columnList(['id', 'organisation_id as organisationId', 'device_type as deviceType', 'most as limit', 'version'])

/** All limits, oldest first. */
export const readLimitsUnscoped = (db: Db): Promise<LimitRow[]> =>
  db.selectFrom('device_limit').select(columns).orderBy('created_at').orderBy('id').execute()

export const lockLimitUnscoped = (db: Db, id: string): Promise<LimitRow | undefined> =>
  db.selectFrom('device_limit').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()

/** What limits devices of a type at these nodes; nobody else is let in until the transaction ends. Always locked in one order. */
export function lockLimitsUnscoped(db: Db, organisationIds: readonly string[], type: number): Promise<LimitRow[]> {
  return db
    .selectFrom('device_limit')
    .select(columns)
    .where('organisation_id', '=', oneOf(organisationIds))
    .where((eb) => eb.or([eb('device_type', 'is', null), eb('device_type', '=', type)]))
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function insertLimitUnscoped(
  db: Db,
  { id, organisationId, deviceType, limit }: Omit<LimitRow, 'version'>,
  now: number,
): Promise<void> {
  const moment = timestamp(now)
  await db
    .insertInto('device_limit')
    .values({
      id,
      organisation_id: organisationId,
      device_type: deviceType,
      most: limit,
      created_at: moment,
      updated_at: moment,
      version: 1,
    })
    .execute()
}

export async function updateLimitUnscoped(db: Db, id: string, limit: number, now: number): Promise<void> {
  await db
    .updateTable('device_limit')
    .set((eb) => ({ most: limit, updated_at: timestamp(now), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export async function deleteLimitUnscoped(db: Db, id: string): Promise<void> {
  await db.deleteFrom('device_limit').where('id', '=', id).execute()
}
