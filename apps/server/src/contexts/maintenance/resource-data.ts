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

export interface AlertQuery extends z.output<typeof maintenanceCalls.resourceAlerts.query> {
  kind?: ResourceKind | undefined
  /** Raised from and until these moments, both inclusive. */
  from?: number | undefined
  to?: number | undefined
}

const alertColumns = columnList(['id', 'deviceId', 'kind', 'value', 'threshold', 'raisedAt', 'clearedAt'])

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

/** Raise an alert; null if it is already open. */
export async function raiseAlert(
  scope: Scope,
  db: Database,
  alert: { deviceId: string; kind: ResourceKind; value: number; threshold: number },
  now: number,
): Promise<string | null> {
  const row = await db
    .insertInto('deviceResourceAlert')
    .values({
      id: newId(),
      parkId: scope.parkId,
      deviceId: alert.deviceId,
      kind: alert.kind,
      value: alert.value,
      threshold: alert.threshold,
      raisedAt: timestamp(now),
      clearedAt: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** End the alerts of a device except those of the named kinds. */
export async function clearAlerts(scope: Scope, db: Database, deviceId: string, but: readonly ResourceKind[], now: number): Promise<void> {
  await db
    .updateTable('deviceResourceAlert')
    .set({ clearedAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('clearedAt', 'is', null)
    .$if(but.length > 0, (rows) => rows.where('kind', 'not in', but))
    .execute()
}

export const findOpenAlerts = (scope: Scope, db: Database, deviceId: string) =>
  db
    .selectFrom('deviceResourceAlert')
    .select(alertColumns)
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('clearedAt', 'is', null)
    .orderBy('raisedAt')
    .orderBy('id')
    .execute()
export type AlertRow = Awaited<ReturnType<typeof findOpenAlerts>>[number]

export function listAlerts(scope: Scope, db: Database, query: AlertQuery) {
  let rows = db
    .selectFrom('deviceResourceAlert')
    .where('parkId', '=', scope.parkId)
    .where(deviceIsSeen(scope, 'deviceResourceAlert.deviceId'))
  if (query.deviceId !== undefined) rows = rows.where('deviceId', '=', query.deviceId)
  if (query.open !== undefined) rows = rows.where('clearedAt', query.open ? 'is' : 'is not', null)
  if (query.kind !== undefined) rows = rows.where('kind', '=', query.kind)
  if (query.from !== undefined) rows = rows.where('raisedAt', '>=', timestamp(query.from))
  if (query.to !== undefined) rows = rows.where('raisedAt', '<=', timestamp(query.to))
  return readPage(rows.select(alertColumns).orderBy('raisedAt', 'desc').orderBy('id', 'desc'), query)
}

/** Return those of these alerts that the scope sees. */
export const findAlerts = (scope: Scope, db: Database, ids: readonly string[]): Promise<AlertRow[]> =>
  db
    .selectFrom('deviceResourceAlert')
    .select(alertColumns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(deviceIsSeen(scope, 'deviceResourceAlert.deviceId'))
    .execute()

export async function deleteResources(scope: Scope, db: Database, deviceIds: readonly string[]): Promise<void> {
  for (const table of ['deviceResource', 'deviceResourceAlert'] as const)
    await db.deleteFrom(table).where('parkId', '=', scope.parkId).where('deviceId', '=', oneOf(deviceIds)).execute()
}

export async function deleteResourcesOfPark(scope: Scope, db: Database): Promise<number> {
  await db.deleteFrom('deviceResource').where('parkId', '=', scope.parkId).execute()
  const result = await db.deleteFrom('deviceResourceAlert').where('parkId', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
