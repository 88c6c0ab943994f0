/** Turns of devices to download: which rows download, and which wait until when. Every function takes the scope first. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { inOrder, inOrderUnscoped } from './task-devices-data.ts'

/**
 * Look again at once at devices that connected or disconnected: one millisecond from now, which is later than any look under way, as that
 * one may not have seen it. Return whether any of them waits.
 */
export async function lookAgain(scope: Scope, db: Database, deviceIds: readonly string[], now: number): Promise<boolean> {
  const result = await db
    .updateTable('upgradeDevice')
    .set({ nextLookAt: timestamp(now + 1) })
    .where('parkId', '=', scope.parkId)
    .where(
      'id',
      'in',
      inOrder(scope, db).where('deviceId', '=', oneOf(deviceIds)).where('state', '=', 'inProgress').where('step', '=', 'waiting'),
    )
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}

/** Take a row's turn; return false if another node has taken it, or the row has ended. */
export async function takeTurn(scope: Scope, db: Database, id: string, now: number, leaseUntil: number): Promise<boolean> {
  const result = await db
    .updateTable('upgradeDevice')
    .set({ step: 'told', startedAt: sql<number>`coalesce(started_at, ${timestamp(now)})`, leaseUntil: timestamp(leaseUntil) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'inProgress')
    .where('step', '=', 'waiting')
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/**
 * Make rows that wait, or whose devices were notified, wait until `moment`.
 *
 * @param seen time of the observation: a row whose next check is later keeps its time
 */
export async function waitUntil(scope: Scope, db: Database, ids: readonly string[], moment: number, seen = moment): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('upgradeDevice')
    .set({ step: 'waiting', leaseUntil: null, nextLookAt: timestamp(moment) })
    .where('parkId', '=', scope.parkId)
    .where(
      'id',
      'in',
      inOrder(scope, db)
        .where('id', '=', oneOf(ids))
        .where('state', '=', 'inProgress')
        .where('step', 'in', ['waiting', 'told'])
        .where('nextLookAt', '<=', timestamp(seen)),
    )
    .execute()
}

/**
 * Make downloading devices wait again that have not reported in time; return how many download. Unscoped: turns belong to the installation.
 */
export async function countBusyUnscoped(db: Database, now: number): Promise<number> {
  await db
    .updateTable('upgradeDevice')
    .set({ step: 'waiting', leaseUntil: null, nextLookAt: timestamp(now) })
    .where('id', 'in', inOrderUnscoped(db).where('state', '=', 'inProgress').where('leaseUntil', '<=', timestamp(now)))
    .execute()
  const { count } = await db
    .selectFrom('upgradeDevice')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'inProgress')
    .where('leaseUntil', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Return the rows that are due for a check, the longest due first. Unscoped: turns belong to the installation. */
export function findDueUnscoped(db: Database, now: number, limit: number) {
  return db
    .selectFrom('upgradeDevice')
    .innerJoin('upgradeTask', 'upgradeTask.id', 'upgradeDevice.taskId')
    .select(['upgradeDevice.id', 'upgradeDevice.parkId', 'taskId', 'deviceId', 'code', 'upgradeTask.signed'])
    .where('state', '=', 'inProgress')
    .where('step', '=', 'waiting')
    .where('nextLookAt', '<=', timestamp(now))
    .orderBy('nextLookAt')
    .orderBy('upgradeDevice.id')
    .limit(limit)
    .execute()
}
export type DueRow = Awaited<ReturnType<typeof findDueUnscoped>>[number]
