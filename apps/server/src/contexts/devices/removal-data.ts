/** Rows of deleted devices to be notified. Unscoped after insertion: the devices are in no register, and their park may be deleted. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

export interface Removal {
  deviceId: string
  secretHash: Buffer
}

/**
 * Record devices before they are deleted. A device that was never connected stores no data and is left out.
 * @param ids absent: all devices of the park
 */
export async function insertRemovals(scope: Scope, db: Database, now: number, ids?: readonly string[]): Promise<void> {
  await db
    .insertInto('deviceRemoval')
    .columns(['deviceId', 'code', 'secretHash', 'removedAt'])
    .expression((eb) =>
      eb
        .selectFrom('device')
        .select(['id', 'code', 'secretHash', sql<number>`${timestamp(now)}::timestamptz`.as('removedAt')])
        .where('parkId', '=', scope.parkId)
        .$if(ids !== undefined, (rows) => rows.where('id', '=', oneOf(ids!)))
        .where('lastSeenAt', 'is not', null),
    )
    // If two requests delete a device at once, the second finds the row.
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Return the deleted devices of a code; several if devices with that code were deleted one after the other. */
export function findRemovalsUnscoped(db: Database, code: string): Promise<Removal[]> {
  return db
    .selectFrom('deviceRemoval')
    .select(['deviceId', 'secretHash'])
    .where(sql<boolean>`lower(code) = ${code.toLowerCase()}`)
    .execute()
}

export async function deleteRemovalUnscoped(db: Database, deviceId: string): Promise<void> {
  await db.deleteFrom('deviceRemoval').where('deviceId', '=', deviceId).execute()
}

export async function deleteOldRemovalsUnscoped(db: Database, before: number): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('deviceRemoval').where('removedAt', '<', timestamp(before)).executeTakeFirst()
  return Number(numDeletedRows)
}
