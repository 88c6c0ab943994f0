/** Rows of resources and their alerts; every function takes the scope first. */
import type { z } from 'zod'
import type { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import type { ResourceKind, ResourceUsage } from '@gatehouse/contract/maintenance/resources'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'
import type { MaintenanceTables } from './schema.ts'

type Db = Database<MaintenanceTables>
export type AlertQuery = z.output<typeof maintenanceCalls.resourceAlerts.query>

const alertColumns = columnList([
  'id',
  'device_id as deviceId',
  'kind',
  'value',
  'threshold',
  'raised_at as raisedAt',
  'cleared_at as clearedAt',
])

/** What a device told last. Two of one device follow each other. */
export async function putUsage(scope: Scope, db: Db, deviceId: string, { cpu, memory, disk }: ResourceUsage, now: number): Promise<void> {
  const values = { cpu, memory, disk, at: timestamp(now) }
  await db
    .insertInto('device_resource')
    .values({ device_id: deviceId, park_id: scope.parkId, ...values })
    .onConflict((conflict) => conflict.column('device_id').doUpdateSet(values))
    .execute()
}

export const findUsage = (scope: Scope, db: Db, deviceId: string) =>
  db
    .selectFrom('device_resource')
    .select(['cpu', 'memory', 'disk', 'at'])
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', deviceId)
    .executeTakeFirst()

/** Raises an alert; null where it lasts already. */
export async function raiseAlert(
  scope: Scope,
  db: Db,
  alert: { deviceId: string; kind: ResourceKind; value: number; threshold: number },
  now: number,
): Promise<string | null> {
  const row = await db
    .insertInto('device_resource_alert')
    .values({
      id: newId(),
      park_id: scope.parkId,
      device_id: alert.deviceId,
      kind: alert.kind,
      value: alert.value,
      threshold: alert.threshold,
      raised_at: timestamp(now),
      cleared_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Ends the alerts of a device but those of the named kinds. */
export async function clearAlerts(scope: Scope, db: Db, deviceId: string, but: readonly ResourceKind[], now: number): Promise<void> {
  await db
    .updateTable('device_resource_alert')
    .set({ cleared_at: timestamp(now) })
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', deviceId)
    .where('cleared_at', 'is', null)
    .$if(but.length > 0, (rows) => rows.where('kind', 'not in', but))
    .execute()
}

export const findOpenAlerts = (scope: Scope, db: Db, deviceId: string) =>
  db
    .selectFrom('device_resource_alert')
    .select(alertColumns)
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', deviceId)
    .where('cleared_at', 'is', null)
    .orderBy('raised_at')
    .orderBy('id')
    .execute()
export type AlertRow = Awaited<ReturnType<typeof findOpenAlerts>>[number]

export function listAlerts(scope: Scope, db: Db, query: AlertQuery) {
  let rows = db
    .selectFrom('device_resource_alert')
    .where('park_id', '=', scope.parkId)
    .where(deviceIsSeen(scope, 'device_resource_alert.device_id'))
  if (query.deviceId !== undefined) rows = rows.where('device_id', '=', query.deviceId)
  if (query.open !== undefined) rows = rows.where('cleared_at', query.open ? 'is' : 'is not', null)
  return readPage(rows.select(alertColumns).orderBy('raised_at', 'desc').orderBy('id', 'desc'), query)
}

export async function deleteResources(scope: Scope, db: Db, deviceIds: readonly string[]): Promise<void> {
  for (const table of ['device_resource', 'device_resource_alert'] as const)
    await db.deleteFrom(table).where('park_id', '=', scope.parkId).where('device_id', '=', oneOf(deviceIds)).execute()
}

export async function deleteResourcesOfPark(scope: Scope, db: Db): Promise<number> {
  await db.deleteFrom('device_resource').where('park_id', '=', scope.parkId).execute()
  const result = await db.deleteFrom('device_resource_alert').where('park_id', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
