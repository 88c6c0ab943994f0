/** Rows of the usage devices reported last; every function takes the scope first. */
import type { ResourceUsage } from '@gatehouse/contract/maintenance/resources'
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

/** Store the usage a device reported last. Concurrent reports of one device are serialised. */
export async function putUsage(
  scope: Scope,
  db: Database,
  deviceId: string,
  { cpu, memory, disk }: ResourceUsage,
  now: number,
): Promise<void> {
  const values = { cpu, memory, disk, at: timestamp(now) }
  await db
    .insertInto('deviceResource')
    .values({ deviceId, parkId: scope.parkId, ...values })
    .onConflict((conflict) => conflict.column('deviceId').doUpdateSet(values))
    .execute()
}

export const findUsage = (scope: Scope, db: Database, deviceId: string) =>
  db
    .selectFrom('deviceResource')
    .select(['cpu', 'memory', 'disk', 'at'])
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .executeTakeFirst()

export async function deleteResources(scope: Scope, db: Database, deviceIds: readonly string[]): Promise<void> {
  for (const table of ['deviceResource', 'deviceResourceAlert'] as const)
    await db.deleteFrom(table).where('parkId', '=', scope.parkId).where('deviceId', '=', oneOf(deviceIds)).execute()
}

export async function deleteResourcesOfPark(scope: Scope, db: Database): Promise<number> {
  await db.deleteFrom('deviceResource').where('parkId', '=', scope.parkId).execute()
  const result = await db.deleteFrom('deviceResourceAlert').where('parkId', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
