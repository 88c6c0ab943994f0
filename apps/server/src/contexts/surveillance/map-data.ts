/** Rows of devices on the plan; every function takes the scope first. */
import type { DevicePosition } from '@gatehouse/contract/surveillance/face-search'
import { oneOf, sql, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'

/** Count a change of the positions of the park, and let other changes wait until the transaction ends; return the new version. */
export async function advanceVersion({ parkId }: Scope, db: Database): Promise<number> {
  const { version } = await db
    .insertInto('mapPlan')
    .values({ parkId, version: 1 })
    .onConflict((conflict) => conflict.column('parkId').doUpdateSet({ version: sql<number>`map_plan.version + 1` }))
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

/** Return how often positions of the park were changed. */
export async function readVersion({ parkId }: Scope, db: Database): Promise<number> {
  return (await db.selectFrom('mapPlan').select('version').where('parkId', '=', parkId).executeTakeFirst())?.version ?? 0
}

/** Return the positions of devices that the caller may see. */
export function listPositions(scope: Scope, db: Database): Promise<DevicePosition[]> {
  return db
    .selectFrom('mapPosition')
    .select(['deviceId', 'x', 'y'])
    .where('parkId', '=', scope.parkId)
    .where(deviceIsSeen(scope, 'mapPosition.deviceId'))
    .orderBy('deviceId')
    .execute()
}

export async function savePositions({ parkId }: Scope, db: Database, positions: readonly DevicePosition[]): Promise<void> {
  if (positions.length === 0) return
  await db
    .insertInto('mapPosition')
    .values(positions.map((position) => ({ ...position, parkId })))
    .onConflict((conflict) => conflict.column('deviceId').doUpdateSet({ x: sql`excluded.x`, y: sql`excluded.y` }))
    .execute()
}

export async function deletePositions({ parkId }: Scope, db: Database, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return
  await db.deleteFrom('mapPosition').where('parkId', '=', parkId).where('deviceId', '=', oneOf(deviceIds)).execute()
}

/** Delete all positions of the park; return how many there were. */
export async function deletePositionsOfPark({ parkId }: Scope, db: Database): Promise<number> {
  await db.deleteFrom('mapPlan').where('parkId', '=', parkId).execute()
  const { numDeletedRows } = await db.deleteFrom('mapPosition').where('parkId', '=', parkId).executeTakeFirst()
  return Number(numDeletedRows)
}
