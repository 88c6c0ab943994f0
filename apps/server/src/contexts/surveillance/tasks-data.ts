/** Rows of monitoring tasks, their devices and their person groups; every function takes the scope first. */
import type { Period } from '@gatehouse/access-rules'
import { taskEnabled, type alarmSound, type monitorPrecision, type ValueOf } from '@gatehouse/contract/enums'
import type { TaskState } from '@gatehouse/contract/surveillance/task-rules'
import type { COMPARE_RULES } from '@gatehouse/contract/surveillance/tasks'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, sql, timestamp, type Database, type Transaction } from '../../platform/database/database.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import { seesAllDevices, type Scope } from '../../platform/session/session.ts'
import { deviceIsSeen } from '../../platform/session/sight.ts'

/** What a task is, besides its devices and groups. */
export interface TaskValues {
  name: string
  startTime: number
  endTime: number
  enabled: ValueOf<typeof taskEnabled>
  periods: Period[]
  precision: ValueOf<typeof monitorPrecision>
  customPrecision: number | null
  similarityThreshold: number | null
  compareRule: (typeof COMPARE_RULES)[number]
  lowThreshold: number
  highThreshold: number
  strangerAlarm: boolean
  alarmSound: ValueOf<typeof alarmSound>
  repeatSeconds: number
}

const valueColumns = columnList([
  'name',
  'startTime',
  'endTime',
  'enabled',
  'periods',
  'precision',
  'customPrecision',
  'similarityThreshold',
  'compareRule',
  'lowThreshold',
  'highThreshold',
  'strangerAlarm',
  'alarmSound',
  'repeatSeconds',
])

export interface TaskRow extends TaskValues {
  id: string
  version: number
  updatedAt: number
}

/** Lock the tasks of a park against other changes: of two that clash only the first is saved. */
export async function lockTasks(scope: Scope, tx: Transaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('monitoring_task'), hashtext(${scope.parkId}))`.execute(tx)
}

const rowsOf = (scope: Scope, db: Database) =>
  db
    .selectFrom('monitoringTask')
    .where('parkId', '=', scope.parkId)
    .select(['id', 'version', 'updatedAt', ...valueColumns])

export interface TaskFilter extends Paging {
  name?: string | undefined
  status?: TaskState | undefined
  /** Where it looks out. */
  deviceId?: string | undefined
  /** The moment at which the status counts. */
  now: number
}

/** Newest first. */
export function listTasks(scope: Scope, db: Database, { name, status, deviceId, now, ...paging }: TaskFilter) {
  let rows = rowsOf(scope, db)
  const moment = timestamp(now)
  if (name !== undefined && name !== '') rows = rows.where('name', 'ilike', containing(name))
  if (status !== undefined) rows = rows.where('enabled', '=', status === 'disabled' ? taskEnabled.disabled : taskEnabled.enabled)
  if (status === 'finished') rows = rows.where('endTime', '<=', moment)
  if (status === 'inControl') rows = rows.where('startTime', '<=', moment).where('endTime', '>', moment)
  if (status === 'enabled') rows = rows.where('startTime', '>', moment).where('endTime', '>', moment)
  if (deviceId !== undefined)
    rows = rows.where((eb) =>
      eb.exists(
        eb
          .selectFrom('monitoringTaskDevice')
          .select('deviceId')
          .whereRef('monitoringTaskDevice.taskId', '=', 'monitoringTask.id')
          .where('deviceId', '=', deviceId),
      ),
    )
  return readPage(rows.orderBy('createdAt', 'desc').orderBy('id', 'desc'), paging)
}

export const findTask = (scope: Scope, db: Database, id: string): Promise<TaskRow | undefined> =>
  rowsOf(scope, db).where('id', '=', id).executeTakeFirst()

/** Names of tasks that look out at a visible device, by name. */
export function listNames(scope: Scope, db: Database): Promise<{ id: string; name: string }[]> {
  let rows = db.selectFrom('monitoringTask').select(['id', 'name']).where('parkId', '=', scope.parkId)
  if (!seesAllDevices(scope))
    rows = rows.where((eb) =>
      eb.exists(
        eb
          .selectFrom('monitoringTaskDevice')
          .select('deviceId')
          .whereRef('monitoringTaskDevice.taskId', '=', 'monitoringTask.id')
          .where(deviceIsSeen(scope, 'monitoringTaskDevice.deviceId')),
      ),
    )
  return rows.orderBy('name').orderBy('id').execute()
}

/** Tasks that are switched on and not over at a moment. */
export const findUnfinished = (scope: Scope, db: Database, now: number): Promise<TaskRow[]> =>
  rowsOf(scope, db).where('enabled', '=', taskEnabled.enabled).where('endTime', '>', timestamp(now)).orderBy('id').execute()

/** Tasks that are switched on, whenever. */
export const findEnabled = (scope: Scope, db: Database): Promise<TaskRow[]> =>
  rowsOf(scope, db).where('enabled', '=', taskEnabled.enabled).orderBy('id').execute()

/** Where a task looks out, and for the people of which groups. */
export interface TaskMembers {
  deviceIds: string[]
  personGroupIds: string[]
}

/** Return the members of these tasks, by task; each of them has an entry. */
export async function findMembers(scope: Scope, db: Database, taskIds: readonly string[]): Promise<Map<string, TaskMembers>> {
  const members = new Map(taskIds.map((id): [string, TaskMembers] => [id, { deviceIds: [], personGroupIds: [] }]))
  if (taskIds.length === 0) return members
  const [devices, groups] = await Promise.all([
    db
      .selectFrom('monitoringTaskDevice')
      .select(['taskId', 'deviceId'])
      .where('parkId', '=', scope.parkId)
      .where('taskId', '=', oneOf(taskIds))
      .orderBy('deviceId')
      .execute(),
    db
      .selectFrom('monitoringTaskGroup')
      .select(['taskId', 'groupId'])
      .where('parkId', '=', scope.parkId)
      .where('taskId', '=', oneOf(taskIds))
      .orderBy('groupId')
      .execute(),
  ])
  for (const { taskId, deviceId } of devices) members.get(taskId)?.deviceIds.push(deviceId)
  for (const { taskId, groupId } of groups) members.get(taskId)?.personGroupIds.push(groupId)
  return members
}

const columnsOf = ({ startTime, endTime, periods, ...others }: TaskValues) => ({
  ...others,
  startTime: timestamp(startTime),
  endTime: timestamp(endTime),
  periods: JSON.stringify(periods),
})

export async function insertTask(scope: Scope, db: Database, id: string, values: TaskValues, now: number): Promise<void> {
  await db
    .insertInto('monitoringTask')
    .values({ id, parkId: scope.parkId, ...columnsOf(values), createdAt: timestamp(now), updatedAt: timestamp(now), version: 1 })
    .execute()
}

/** False where the task is not at `version` any more. */
export const updateTask = (
  scope: Scope,
  db: Database,
  row: Pick<TaskRow, 'id' | 'version'>,
  values: TaskValues,
  now: number,
): Promise<boolean> => updateAtVersion(scope, db, 'monitoringTask', row, columnsOf(values), now)

/** Make these the members of a task. */
export async function putMembers(scope: Scope, db: Database, taskId: string, members: TaskMembers): Promise<void> {
  const { deviceIds, personGroupIds } = members
  await sql`DELETE FROM monitoring_task_device WHERE task_id = ${taskId}::uuid AND park_id = ${scope.parkId}::uuid
    AND NOT device_id = ${oneOf(deviceIds)}`.execute(db)
  await sql`INSERT INTO monitoring_task_device (task_id, park_id, device_id)
    SELECT ${taskId}::uuid, ${scope.parkId}::uuid, id FROM unnest(${sql.val(deviceIds)}::uuid[]) AS id ON CONFLICT DO NOTHING`.execute(db)
  await sql`DELETE FROM monitoring_task_group WHERE task_id = ${taskId}::uuid AND park_id = ${scope.parkId}::uuid
    AND NOT group_id = ${oneOf(personGroupIds)}`.execute(db)
  await sql`INSERT INTO monitoring_task_group (task_id, park_id, group_id)
    SELECT ${taskId}::uuid, ${scope.parkId}::uuid, id FROM unnest(${sql.val(personGroupIds)}::uuid[]) AS id
    ON CONFLICT DO NOTHING`.execute(db)
}

/** Take devices out of all tasks; return the ids of those tasks. */
export async function removeDevices(scope: Scope, db: Database, deviceIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .deleteFrom('monitoringTaskDevice')
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', oneOf(deviceIds))
    .returning('taskId as id')
    .execute()
  return [...new Set(rows.map(({ id }) => id))]
}

/** Take a group out of all tasks; return the ids of those tasks. */
export async function removeGroup(scope: Scope, db: Database, groupId: string): Promise<string[]> {
  const rows = await db
    .deleteFrom('monitoringTaskGroup')
    .where('parkId', '=', scope.parkId)
    .where('groupId', '=', groupId)
    .returning('taskId as id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether a task names the group. */
export async function isGroupNamed(scope: Scope, db: Database, groupId: string): Promise<boolean> {
  const row = await db
    .selectFrom('monitoringTaskGroup')
    .select('taskId')
    .where('parkId', '=', scope.parkId)
    .where('groupId', '=', groupId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteTask(scope: Scope, db: Database, id: string): Promise<void> {
  await db.deleteFrom('monitoringTask').where('id', '=', id).where('parkId', '=', scope.parkId).execute()
}

export async function deleteOfPark(scope: Scope, db: Database): Promise<number> {
  const result = await db.deleteFrom('monitoringTask').where('parkId', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
