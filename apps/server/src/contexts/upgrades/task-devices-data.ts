/** Rows of devices in tasks; every function takes the scope first. */
import type { UpgradeFailure, UpgradeState, UpgradeStep } from '@gatehouse/contract/upgrades/states'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { TaskValues } from './tasks-data.ts'

export interface DeviceValues {
  id: string
  deviceId: string | null
  code: string
  name: string
  state: UpgradeState
  /** First step of a row in progress. */
  step: 'approval' | 'waiting'
  reason: UpgradeFailure | null
  versionBefore: string
}

export async function insertDevices(
  scope: Scope,
  db: Database,
  task: Pick<TaskValues, 'id' | 'kind'>,
  devices: readonly DeviceValues[],
  now: number,
): Promise<void> {
  if (devices.length === 0) return
  const at = timestamp(now)
  await db
    .insertInto('upgradeDevice')
    .values(
      devices.map(({ id, deviceId, code, name, state, step, reason, versionBefore }) => ({
        id,
        parkId: scope.parkId,
        taskId: task.id,
        deviceId,
        code,
        name,
        kind: task.kind,
        state,
        step,
        progress: 0,
        attempt: 1,
        reason,
        versionBefore,
        startedAt: null,
        endedAt: state === 'inProgress' ? null : at,
        leaseUntil: null,
        nextLookAt: at,
      })),
    )
    .execute()
}

const deviceColumns = columnList([
  'id',
  'taskId',
  'deviceId',
  'code',
  'name',
  'state',
  'step',
  'progress',
  'attempt',
  'reason',
  'versionBefore',
  'startedAt',
  'endedAt',
])

export interface TaskDeviceQuery {
  state?: UpgradeState | undefined
  name?: string | undefined
  page: number
  size: number
}

export function listDevices(scope: Scope, db: Database, taskId: string, query: TaskDeviceQuery) {
  let rows = db.selectFrom('upgradeDevice').where('parkId', '=', scope.parkId).where('taskId', '=', taskId)
  if (query.state !== undefined) rows = rows.where('state', '=', query.state)
  if (query.name !== undefined && query.name !== '') {
    const term = containing(query.name)
    rows = rows.where((eb) => eb.or([eb('name', 'ilike', term), eb('code', 'ilike', term)]))
  }
  return readPage(rows.select(deviceColumns).orderBy('name').orderBy('id'), query)
}
export type DeviceRow = Awaited<ReturnType<typeof listDevices>>['content'][number]

/** Return the row of a device within a task. @param mode `lock`: it stays locked until the transaction ends */
export async function findDevice(
  scope: Scope,
  db: Database,
  taskId: string,
  deviceId: string,
  mode: 'read' | 'lock' = 'read',
): Promise<DeviceRow | undefined> {
  const row = db
    .selectFrom('upgradeDevice')
    .select(deviceColumns)
    .where('parkId', '=', scope.parkId)
    .where('taskId', '=', taskId)
    .where('deviceId', '=', deviceId)
  return (mode === 'lock' ? row.forUpdate() : row).executeTakeFirst()
}

/**
 * Return the rows of these devices that are in progress: with a kind, those of that kind that have started; without one, all of them,
 * including those that wait for approval.
 */
export async function findOpen(
  scope: Scope,
  db: Database,
  deviceIds: readonly string[],
  kind?: string,
): Promise<Pick<DeviceRow, 'id' | 'taskId' | 'deviceId' | 'step'>[]> {
  const rows = db
    .selectFrom('upgradeDevice')
    .select(['id', 'taskId', 'deviceId', 'step'])
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', oneOf(deviceIds))
    .where('state', '=', 'inProgress')
  return (kind === undefined ? rows : rows.where('kind', '=', kind).where('step', '!=', 'approval')).execute()
}

/** Return rows of a task in a state, or one row of it. */
export async function findRows(
  scope: Scope,
  db: Database,
  taskId: string,
  state: UpgradeState,
  rowId?: string,
): Promise<Pick<DeviceRow, 'id' | 'taskId' | 'deviceId' | 'step' | 'name'>[]> {
  const rows = db
    .selectFrom('upgradeDevice')
    .select(['id', 'taskId', 'deviceId', 'step', 'name'])
    .where('parkId', '=', scope.parkId)
    .where('taskId', '=', taskId)
    .where('state', '=', state)
  return (rowId === undefined ? rows : rows.where('id', '=', rowId)).execute()
}

/** Rows to change, locked in the order of their ids: two transactions that change the same rows would deadlock otherwise. */
export const inOrderUnscoped = (db: Database) => db.selectFrom('upgradeDevice').select('id').orderBy('id').forUpdate()
export const inOrder = (scope: Scope, db: Database) => inOrderUnscoped(db).where('parkId', '=', scope.parkId)

/** End rows; the caller settles their tasks. */
export async function endRows(
  scope: Scope,
  db: Database,
  ids: readonly string[],
  state: UpgradeState,
  reason: UpgradeFailure | null,
  now: number,
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('upgradeDevice')
    .set({ state, reason, endedAt: timestamp(now), leaseUntil: null })
    .where('parkId', '=', scope.parkId)
    .where('id', 'in', inOrder(scope, db).where('id', '=', oneOf(ids)))
    .execute()
}

/** Start failed rows again. */
export async function reopenRows(
  scope: Scope,
  db: Database,
  ids: readonly string[],
  step: DeviceValues['step'],
  now: number,
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('upgradeDevice')
    .set((eb) => ({
      state: 'inProgress',
      step,
      progress: 0,
      attempt: eb('attempt', '+', 1),
      reason: null,
      startedAt: null,
      endedAt: null,
      leaseUntil: null,
      nextLookAt: timestamp(now),
    }))
    .where('parkId', '=', scope.parkId)
    .where('id', 'in', inOrder(scope, db).where('id', '=', oneOf(ids)))
    .execute()
}

/** Move rows from waiting for approval to waiting for their turn. */
export async function admitRows(scope: Scope, db: Database, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('upgradeDevice')
    .set({ step: 'waiting', nextLookAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', 'in', inOrder(scope, db).where('id', '=', oneOf(ids)))
    .execute()
}

export interface Progress {
  state: UpgradeState
  step: UpgradeStep
  progress: number
  reason: string | null
  endedAt: number | null
  leaseUntil: number | null
}

/** Store what a device reported. */
export async function noteProgress(scope: Scope, db: Database, id: string, { endedAt, leaseUntil, ...values }: Progress): Promise<void> {
  await db
    .updateTable('upgradeDevice')
    .set({
      ...values,
      endedAt: endedAt === null ? null : timestamp(endedAt),
      leaseUntil: leaseUntil === null ? null : timestamp(leaseUntil),
    })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}
