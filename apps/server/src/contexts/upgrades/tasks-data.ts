/** Rows of tasks and of their devices; every function takes the scope first. */
import type { UpgradeKind } from '@gatehouse/contract/upgrades/package'
import {
  taskStateOf,
  type UpgradeApproval,
  type UpgradeCounts,
  type UpgradeFailure,
  type UpgradeState,
  type UpgradeStep,
} from '@gatehouse/contract/upgrades/states'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { UpgradesTables } from './schema.ts'

type Db = Database<UpgradesTables>

export interface TaskQuery {
  kind?: UpgradeKind | undefined
  versionNumber?: string | undefined
  status?: 'inProgress' | 'success' | 'failed' | undefined
  approval?: UpgradeApproval | undefined
  page: number
  size: number
}

export interface TaskValues {
  id: string
  versionId: string
  kind: string
  apkName: string
  versionNumber: string
  content: string
  updateType: number
  md5: string
  sha256: string
  file: string
  size: number
  signed: boolean
  approval: UpgradeApproval
  /** User. */
  askedById: string
  askedBy: string
}

export async function insertTask(
  scope: Scope,
  db: Db,
  { versionId, apkName, versionNumber, updateType, askedById, askedBy, ...values }: TaskValues,
  now: number,
): Promise<void> {
  await db
    .insertInto('upgrade_task')
    .values({
      ...values,
      park_id: scope.parkId,
      version_id: versionId,
      apk_name: apkName,
      version_number: versionNumber,
      update_type: updateType,
      asked_by_id: askedById,
      asked_by: askedBy,
      approved_by: '',
      approved_at: null,
      status: 'inProgress',
      created_at: timestamp(now),
    })
    .execute()
}

const taskColumns = columnList([
  'id',
  'version_id as versionId',
  'kind',
  'apk_name as apkName',
  'version_number as versionNumber',
  'content',
  'update_type as updateType',
  'md5',
  'sha256',
  'file',
  'size',
  'signed',
  'status',
  'approval',
  'asked_by_id as askedById',
  'asked_by as askedBy',
  'approved_by as approvedBy',
  'approved_at as approvedAt',
  'created_at as createdAt',
])

export function listTasks(scope: Scope, db: Db, query: TaskQuery) {
  let rows = db.selectFrom('upgrade_task').where('park_id', '=', scope.parkId)
  if (query.kind !== undefined) rows = rows.where('kind', '=', query.kind)
  if (query.status !== undefined) rows = rows.where('status', '=', query.status)
  if (query.approval !== undefined) rows = rows.where('approval', '=', query.approval)
  if (query.versionNumber !== undefined && query.versionNumber !== '')
    rows = rows.where('version_number', 'like', containing(query.versionNumber))
  return readPage(rows.select(taskColumns).orderBy('created_at', 'desc').orderBy('id', 'desc'), query)
}
export type TaskRow = Awaited<ReturnType<typeof listTasks>>['content'][number]

export const findTask = (scope: Scope, db: Db, id: string): Promise<TaskRow | undefined> =>
  db.selectFrom('upgrade_task').select(taskColumns).where('park_id', '=', scope.parkId).where('id', '=', id).executeTakeFirst()

/** Devices of these tasks by state, and the sum of how far they are. */
export function countDevices(scope: Scope, db: Db, taskIds: readonly string[]) {
  return db
    .selectFrom('upgrade_device')
    .select((eb) => ['task_id as taskId', 'state', eb.fn.countAll<number>().as('count'), eb.fn.sum<number>('progress').as('progress')])
    .where('park_id', '=', scope.parkId)
    .where('task_id', '=', oneOf(taskIds))
    .groupBy(['task_id', 'state'])
    .execute()
}

/** Holds a task until the transaction ends, so that its state is worked out by one at a time; null where there is none. */
export async function lockTask(scope: Scope, db: Db, id: string): Promise<TaskRow | null> {
  return (
    (await db
      .selectFrom('upgrade_task')
      .select(taskColumns)
      .where('park_id', '=', scope.parkId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()) ?? null
  )
}

/** Works out the state of a task that is held. */
export async function settleTask(scope: Scope, db: Db, id: string): Promise<void> {
  const counts: UpgradeCounts = Object.fromEntries((await countDevices(scope, db, [id])).map(({ state, count }) => [state, count]))
  await db
    .updateTable('upgrade_task')
    .set({ status: taskStateOf(counts) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** A task waits for a second person. */
export async function askApproval(
  scope: Scope,
  db: Db,
  id: string,
  { askedById, askedBy }: Pick<TaskValues, 'askedById' | 'askedBy'>,
): Promise<void> {
  await db
    .updateTable('upgrade_task')
    .set({ approval: 'pending', asked_by_id: askedById, asked_by: askedBy, approved_by: '', approved_at: null })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** What the second person says. */
export async function noteApproval(
  scope: Scope,
  db: Db,
  id: string,
  { approval, approvedBy }: { approval: 'given' | 'declined'; approvedBy: string },
  now: number,
): Promise<void> {
  await db
    .updateTable('upgrade_task')
    .set({ approval, approved_by: approvedBy, approved_at: timestamp(now) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

export interface DeviceValues {
  id: string
  deviceId: string | null
  code: string
  name: string
  state: UpgradeState
  /** What it begins with while it is in progress. */
  step: 'approval' | 'waiting'
  reason: UpgradeFailure | null
  versionBefore: string
}

/** One new task of a park at a time: a device is upgraded to one version only, and the later task ends the earlier. */
export async function lockTasks(scope: Scope, db: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`upgrade_task ${scope.parkId}`}, 0))`.execute(db)
}

export async function insertDevices(
  scope: Scope,
  db: Db,
  task: Pick<TaskValues, 'id' | 'kind'>,
  devices: readonly DeviceValues[],
  now: number,
): Promise<void> {
  if (devices.length === 0) return
  const at = timestamp(now)
  await db
    .insertInto('upgrade_device')
    .values(
      devices.map(({ id, deviceId, code, name, state, step, reason, versionBefore }) => ({
        id,
        park_id: scope.parkId,
        task_id: task.id,
        device_id: deviceId,
        code,
        name,
        kind: task.kind,
        state,
        step,
        progress: 0,
        attempt: 1,
        reason,
        version_before: versionBefore,
        started_at: null,
        ended_at: state === 'inProgress' ? null : at,
        lease_until: null,
        next_look_at: at,
      })),
    )
    .execute()
}

const deviceColumns = columnList([
  'id',
  'task_id as taskId',
  'device_id as deviceId',
  'code',
  'name',
  'state',
  'step',
  'progress',
  'attempt',
  'reason',
  'version_before as versionBefore',
  'started_at as startedAt',
  'ended_at as endedAt',
])

export interface TaskDeviceQuery {
  state?: UpgradeState | undefined
  name?: string | undefined
  page: number
  size: number
}

export function listDevices(scope: Scope, db: Db, taskId: string, query: TaskDeviceQuery) {
  let rows = db.selectFrom('upgrade_device').where('park_id', '=', scope.parkId).where('task_id', '=', taskId)
  if (query.state !== undefined) rows = rows.where('state', '=', query.state)
  if (query.name !== undefined && query.name !== '') {
    const term = containing(query.name)
    rows = rows.where((eb) => eb.or([eb('name', 'ilike', term), eb('code', 'ilike', term)]))
  }
  return readPage(rows.select(deviceColumns).orderBy('name').orderBy('id'), query)
}
export type DeviceRow = Awaited<ReturnType<typeof listDevices>>['content'][number]

/** The row of a device within a task, held until the transaction ends where that is asked for. */
export async function findDevice(
  scope: Scope,
  db: Db,
  taskId: string,
  deviceId: string,
  mode: 'read' | 'hold' = 'read',
): Promise<DeviceRow | undefined> {
  const row = db
    .selectFrom('upgrade_device')
    .select(deviceColumns)
    .where('park_id', '=', scope.parkId)
    .where('task_id', '=', taskId)
    .where('device_id', '=', deviceId)
  return (mode === 'hold' ? row.forUpdate() : row).executeTakeFirst()
}

/** Rows of these devices that are in progress: of a kind and begun, or all of them, also those that wait for an approval. */
export async function findOpen(
  scope: Scope,
  db: Db,
  deviceIds: readonly string[],
  kind?: string,
): Promise<Pick<DeviceRow, 'id' | 'taskId' | 'deviceId' | 'step'>[]> {
  const rows = db
    .selectFrom('upgrade_device')
    .select(['id', 'task_id as taskId', 'device_id as deviceId', 'step'])
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', oneOf(deviceIds))
    .where('state', '=', 'inProgress')
  return (kind === undefined ? rows : rows.where('kind', '=', kind).where('step', '!=', 'approval')).execute()
}

/** Rows of a task in a state, or of one row of it. */
export async function findRows(
  scope: Scope,
  db: Db,
  taskId: string,
  state: UpgradeState,
  rowId?: string,
): Promise<Pick<DeviceRow, 'id' | 'taskId' | 'deviceId' | 'step' | 'name'>[]> {
  const rows = db
    .selectFrom('upgrade_device')
    .select(['id', 'task_id as taskId', 'device_id as deviceId', 'step', 'name'])
    .where('park_id', '=', scope.parkId)
    .where('task_id', '=', taskId)
    .where('state', '=', state)
  return (rowId === undefined ? rows : rows.where('id', '=', rowId)).execute()
}

/** Rows to change, held in the order of their ids: two that change several of the same would else wait for each other. */
const inOrderUnscoped = (db: Db) => db.selectFrom('upgrade_device').select('id').orderBy('id').forUpdate()
const inOrder = (scope: Scope, db: Db) => inOrderUnscoped(db).where('park_id', '=', scope.parkId)

/** Ends rows; whoever calls settles their tasks. */
export async function endRows(
  scope: Scope,
  db: Db,
  ids: readonly string[],
  state: UpgradeState,
  reason: UpgradeFailure | null,
  now: number,
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('upgrade_device')
    .set({ state, reason, ended_at: timestamp(now), lease_until: null })
    .where('park_id', '=', scope.parkId)
    .where('id', 'in', inOrder(scope, db).where('id', '=', oneOf(ids)))
    .execute()
}

/** Begins anew with rows that failed. */
export async function reopenRows(scope: Scope, db: Db, ids: readonly string[], step: DeviceValues['step'], now: number): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('upgrade_device')
    .set((eb) => ({
      state: 'inProgress',
      step,
      progress: 0,
      attempt: eb('attempt', '+', 1),
      reason: null,
      started_at: null,
      ended_at: null,
      lease_until: null,
      next_look_at: timestamp(now),
    }))
    .where('park_id', '=', scope.parkId)
    .where('id', 'in', inOrder(scope, db).where('id', '=', oneOf(ids)))
    .execute()
}

/** Rows that waited for an approval wait for their turn. */
export async function admitRows(scope: Scope, db: Db, ids: readonly string[], now: number): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('upgrade_device')
    .set({ step: 'waiting', next_look_at: timestamp(now) })
    .where('park_id', '=', scope.parkId)
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

/** What a device said of itself. */
export async function noteProgress(scope: Scope, db: Db, id: string, { endedAt, leaseUntil, ...values }: Progress): Promise<void> {
  await db
    .updateTable('upgrade_device')
    .set({
      ...values,
      ended_at: endedAt === null ? null : timestamp(endedAt),
      lease_until: leaseUntil === null ? null : timestamp(leaseUntil),
    })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** Devices that came or went are looked at again at once: later than any look that has begun, which may not have seen it. */
export async function lookAgain(scope: Scope, db: Db, deviceIds: readonly string[], now: number): Promise<boolean> {
  const result = await db
    .updateTable('upgrade_device')
    .set({ next_look_at: timestamp(now + 1) })
    .where('park_id', '=', scope.parkId)
    .where(
      'id',
      'in',
      inOrder(scope, db).where('device_id', '=', oneOf(deviceIds)).where('state', '=', 'inProgress').where('step', '=', 'waiting'),
    )
    .executeTakeFirst()
  return Number(result.numUpdatedRows) > 0
}

/** Takes a row's turn; false where somebody else did, or it is over. */
export async function takeTurn(scope: Scope, db: Db, id: string, now: number, leaseUntil: number): Promise<boolean> {
  const result = await db
    .updateTable('upgrade_device')
    .set({ step: 'told', started_at: sql<Date>`coalesce(started_at, ${timestamp(now)})`, lease_until: timestamp(leaseUntil) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'inProgress')
    .where('step', '=', 'waiting')
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Lets rows that were told, or are to wait, wait until then. @param seen when that was found out: what was asked for since goes before */
export async function waitUntil(scope: Scope, db: Db, ids: readonly string[], moment: number, seen = moment): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('upgrade_device')
    .set({ step: 'waiting', lease_until: null, next_look_at: timestamp(moment) })
    .where('park_id', '=', scope.parkId)
    .where(
      'id',
      'in',
      inOrder(scope, db)
        .where('id', '=', oneOf(ids))
        .where('state', '=', 'inProgress')
        .where('step', 'in', ['waiting', 'told'])
        .where('next_look_at', '<=', timestamp(seen)),
    )
    .execute()
}

/** Whoever has not been heard of while downloading waits again; answers how many download. Unscoped: turns are the installation's. */
export async function countBusyUnscoped(db: Db, now: number): Promise<number> {
  await db
    .updateTable('upgrade_device')
    .set({ step: 'waiting', lease_until: null, next_look_at: timestamp(now) })
    .where('id', 'in', inOrderUnscoped(db).where('state', '=', 'inProgress').where('lease_until', '<=', timestamp(now)))
    .execute()
  const { count } = await db
    .selectFrom('upgrade_device')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'inProgress')
    .where('lease_until', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Rows whose turn it is to be looked at, those that wait longest first. Unscoped: turns are the installation's. */
export function findDueUnscoped(db: Db, now: number, limit: number) {
  return db
    .selectFrom('upgrade_device')
    .innerJoin('upgrade_task', 'upgrade_task.id', 'upgrade_device.task_id')
    .select([
      'upgrade_device.id',
      'upgrade_device.park_id as parkId',
      'task_id as taskId',
      'device_id as deviceId',
      'code',
      'upgrade_task.signed',
    ])
    .where('state', '=', 'inProgress')
    .where('step', '=', 'waiting')
    .where('next_look_at', '<=', timestamp(now))
    .orderBy('next_look_at')
    .orderBy('upgrade_device.id')
    .limit(limit)
    .execute()
}
export type DueRow = Awaited<ReturnType<typeof findDueUnscoped>>[number]

export async function deleteOfPark(scope: Scope, db: Db): Promise<number> {
  const result = await db.deleteFrom('upgrade_task').where('park_id', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
