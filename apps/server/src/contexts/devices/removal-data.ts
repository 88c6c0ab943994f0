/** Rows of deleted devices that have to be told. Unscoped once they are written: they are in no register, and their park may be gone. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DevicesTables } from './schema.ts'

type Db = Database<DevicesTables>

export interface Removal {
  deviceId: string
  secretHash: Buffer
}

/**
 * Before devices are deleted. Whom nobody ever paired as holds nothing.
 * @param ids absent: all of the park
 */
export async function insertRemovals(scope: Scope, db: Db, now: number, ids?: readonly string[]): Promise<void> {
  await db
    .insertInto('device_removal')
    .columns(['device_id', 'code', 'secret_hash', 'removed_at'])
    .expression((eb) =>
      eb
        .selectFrom('device')
        .select(['id', 'code', 'secret_hash', sql<number>`${timestamp(now)}::timestamptz`.as('removed_at')])
        .where('park_id', '=', scope.parkId)
        .$if(ids !== undefined, (rows) => rows.where('id', '=', oneOf(ids!)))
        .where('last_seen_at', 'is not', null),
    )
    // Deleted twice at once, the second finds it noted.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Several where devices of one code were deleted one after the other. */
export function findRemovalsUnscoped(db: Db, code: string): Promise<Removal[]> {
  return db
    .selectFrom('device_removal')
    .select(['device_id as deviceId', 'secret_hash as secretHash'])
    .where(sql<boolean>`lower(code) = ${code.toLowerCase()}`)
    .execute()
}

export async function deleteRemovalUnscoped(db: Db, deviceId: string): Promise<void> {
  await db.deleteFrom('device_removal').where('device_id', '=', deviceId).execute()
}

export async function deleteOldRemovalsUnscoped(db: Db, before: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('device_removal').where('removed_at', '<', timestamp(before)).executeTakeFirst()
  return Number(numDeletedRows)
}
