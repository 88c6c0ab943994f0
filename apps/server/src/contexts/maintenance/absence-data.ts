/** Rows of absences; every function takes the scope first. */
import type { z } from 'zod'
import type { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'
import type { MaintenanceTables } from './schema.ts'

type Db = Database<MaintenanceTables>
export type AbsenceQuery = z.output<typeof maintenanceCalls.offline.query>

/** Begins an absence, unless the device is away already or the same one is known. */
export async function openAbsence(scope: Scope, db: Db, deviceId: string, since: number): Promise<void> {
  await db
    .insertInto('device_absence')
    .values({ id: newId(), park_id: scope.parkId, device_id: deviceId, since: timestamp(since), until: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Ends the absence of a device that began by then. */
export async function closeAbsence(scope: Scope, db: Db, deviceId: string, until: number): Promise<void> {
  await db
    .updateTable('device_absence')
    .set({ until: timestamp(until) })
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', deviceId)
    .where('until', 'is', null)
    .where('since', '<=', timestamp(until))
    .execute()
}

/** Takes back the absence of a device that began after `since` and lasts. */
export async function dropAbsence(scope: Scope, db: Db, deviceId: string, since: number): Promise<void> {
  await db
    .deleteFrom('device_absence')
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', deviceId)
    .where('until', 'is', null)
    .where('since', '>=', timestamp(since))
    .execute()
}

/** Those of these devices of which is known that they are away. */
export async function findAway(scope: Scope, db: Db, deviceIds: readonly string[]): Promise<string[]> {
  if (deviceIds.length === 0) return []
  const rows = await db
    .selectFrom('device_absence')
    .select('device_id')
    .where('park_id', '=', scope.parkId)
    .where('until', 'is', null)
    .where('device_id', '=', oneOf(deviceIds))
    .execute()
  return rows.map((row) => row.device_id)
}

/** Absences that reach into the period, the newest first. */
export function listAbsences(scope: Scope, db: Db, query: AbsenceQuery) {
  let rows = db.selectFrom('device_absence').where('park_id', '=', scope.parkId).where(deviceIsSeen(scope, 'device_absence.device_id'))
  if (query.deviceId !== undefined) rows = rows.where('device_id', '=', query.deviceId)
  if (query.endTime !== undefined) rows = rows.where('since', '<=', timestamp(query.endTime))
  if (query.startTime !== undefined)
    rows = rows.where((eb) => eb.or([eb('until', 'is', null), eb('until', '>=', timestamp(query.startTime!))]))
  return readPage(rows.select(['id', 'device_id as deviceId', 'since', 'until']).orderBy('since', 'desc').orderBy('id', 'desc'), query)
}

export async function deleteAbsences(scope: Scope, db: Db, deviceIds: readonly string[]): Promise<void> {
  await db.deleteFrom('device_absence').where('park_id', '=', scope.parkId).where('device_id', '=', oneOf(deviceIds)).execute()
}

export async function deleteAbsencesOfPark(scope: Scope, db: Db): Promise<number> {
  const result = await db.deleteFrom('device_absence').where('park_id', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
