/** Rows of absences; every function takes the scope first. */
import type { z } from 'zod'
import type { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'

export type AbsenceQuery = z.output<typeof maintenanceCalls.offline.query>

/** Begin an absence, unless the device is already away or the same absence is stored. */
export async function openAbsence(scope: Scope, db: Database, deviceId: string, since: number): Promise<void> {
  await db
    .insertInto('deviceAbsence')
    .values({ id: newId(), parkId: scope.parkId, deviceId, since: timestamp(since), until: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** End the absence of a device that began by then. */
export async function closeAbsence(scope: Scope, db: Database, deviceId: string, until: number): Promise<void> {
  await db
    .updateTable('deviceAbsence')
    .set({ until: timestamp(until) })
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('until', 'is', null)
    .where('since', '<=', timestamp(until))
    .execute()
}

/** Delete the open absence of a device that began after `since`. */
export async function dropAbsence(scope: Scope, db: Database, deviceId: string, since: number): Promise<void> {
  await db
    .deleteFrom('deviceAbsence')
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('until', 'is', null)
    .where('since', '>=', timestamp(since))
    .execute()
}

/** Return those of these devices that have an open absence. */
export async function findAway(scope: Scope, db: Database, deviceIds: readonly string[]): Promise<string[]> {
  if (deviceIds.length === 0) return []
  const rows = await db
    .selectFrom('deviceAbsence')
    .select('deviceId')
    .where('parkId', '=', scope.parkId)
    .where('until', 'is', null)
    .where('deviceId', '=', oneOf(deviceIds))
    .execute()
  return rows.map((row) => row.deviceId)
}

/** Return absences that overlap the period, the newest first. */
export function listAbsences(scope: Scope, db: Database, query: AbsenceQuery) {
  let rows = db.selectFrom('deviceAbsence').where('parkId', '=', scope.parkId).where(deviceIsSeen(scope, 'deviceAbsence.deviceId'))
  if (query.deviceId !== undefined) rows = rows.where('deviceId', '=', query.deviceId)
  if (query.endTime !== undefined) rows = rows.where('since', '<=', timestamp(query.endTime))
  if (query.startTime !== undefined)
    rows = rows.where((eb) => eb.or([eb('until', 'is', null), eb('until', '>=', timestamp(query.startTime!))]))
  return readPage(rows.select(['id', 'deviceId', 'since', 'until']).orderBy('since', 'desc').orderBy('id', 'desc'), query)
}

export async function deleteAbsences(scope: Scope, db: Database, deviceIds: readonly string[]): Promise<void> {
  await db.deleteFrom('deviceAbsence').where('parkId', '=', scope.parkId).where('deviceId', '=', oneOf(deviceIds)).execute()
}

export async function deleteAbsencesOfPark(scope: Scope, db: Database): Promise<number> {
  const result = await db.deleteFrom('deviceAbsence').where('parkId', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
