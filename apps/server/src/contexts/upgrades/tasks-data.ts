/** Rows of tasks; every function takes the scope first. */
import type { UpgradeKind } from '@gatehouse/contract/upgrades/package'
import { taskStateOf, type UpgradeApproval, type UpgradeCounts } from '@gatehouse/contract/upgrades/states'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'

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
  /** Id of the user who asked. */
  askedById: string
  askedBy: string
}

export async function insertTask(
  scope: Scope,
  db: Database,
  { versionId, apkName, versionNumber, updateType, askedById, askedBy, ...values }: TaskValues,
  now: number,
): Promise<void> {
  await db
    .insertInto('upgradeTask')
    .values({
      ...values,
      parkId: scope.parkId,
      versionId,
      apkName,
      versionNumber,
      updateType,
      askedById,
      askedBy,
      approvedBy: '',
      approvedAt: null,
      status: 'inProgress',
      createdAt: timestamp(now),
    })
    .execute()
}

const taskColumns = columnList([
  'id',
  'versionId',
  'kind',
  'apkName',
  'versionNumber',
  'content',
  'updateType',
  'md5',
  'sha256',
  'file',
  'size',
  'signed',
  'status',
  'approval',
  'askedById',
  'askedBy',
  'approvedBy',
  'approvedAt',
  'createdAt',
])

export function listTasks(scope: Scope, db: Database, query: TaskQuery) {
  let rows = db.selectFrom('upgradeTask').where('parkId', '=', scope.parkId)
  if (query.kind !== undefined) rows = rows.where('kind', '=', query.kind)
  if (query.status !== undefined) rows = rows.where('status', '=', query.status)
  if (query.approval !== undefined) rows = rows.where('approval', '=', query.approval)
  if (query.versionNumber !== undefined && query.versionNumber !== '')
    rows = rows.where('versionNumber', 'like', containing(query.versionNumber))
  return readPage(rows.select(taskColumns).orderBy('createdAt', 'desc').orderBy('id', 'desc'), query)
}
export type TaskRow = Awaited<ReturnType<typeof listTasks>>['content'][number]

export const findTask = (scope: Scope, db: Database, id: string): Promise<TaskRow | undefined> =>
  db.selectFrom('upgradeTask').select(taskColumns).where('parkId', '=', scope.parkId).where('id', '=', id).executeTakeFirst()

/** Count the devices of these tasks by state, and sum up their progress. */
export function countDevices(scope: Scope, db: Database, taskIds: readonly string[]) {
  return db
    .selectFrom('upgradeDevice')
    .select((eb) => ['taskId', 'state', eb.fn.countAll<number>().as('count'), eb.fn.sum<number>('progress').as('progress')])
    .where('parkId', '=', scope.parkId)
    .where('taskId', '=', oneOf(taskIds))
    .groupBy(['taskId', 'state'])
    .execute()
}

/** Lock a task until the transaction ends, so that one transaction at a time computes its state; null if there is none. */
export async function lockTask(scope: Scope, db: Database, id: string): Promise<TaskRow | null> {
  return (
    (await db
      .selectFrom('upgradeTask')
      .select(taskColumns)
      .where('parkId', '=', scope.parkId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()) ?? null
  )
}

/** Compute the state of a locked task. */
export async function settleTask(scope: Scope, db: Database, id: string): Promise<void> {
  const counts: UpgradeCounts = Object.fromEntries((await countDevices(scope, db, [id])).map(({ state, count }) => [state, count]))
  await db
    .updateTable('upgradeTask')
    .set({ status: taskStateOf(counts) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** Make a task wait for a second person. */
export async function askApproval(
  scope: Scope,
  db: Database,
  id: string,
  { askedById, askedBy }: Pick<TaskValues, 'askedById' | 'askedBy'>,
): Promise<void> {
  await db
    .updateTable('upgradeTask')
    .set({ approval: 'pending', askedById, askedBy, approvedBy: '', approvedAt: null })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** Store the decision of the second person. */
export async function noteApproval(
  scope: Scope,
  db: Database,
  id: string,
  { approval, approvedBy }: { approval: 'given' | 'declined'; approvedBy: string },
  now: number,
): Promise<void> {
  await db
    .updateTable('upgradeTask')
    .set({ approval, approvedBy, approvedAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/**
 * Lock the tasks of a park, so that one transaction at a time starts any: a device is upgraded to one version only, and a later task ends
 * the earlier.
 */
export async function lockTasks(scope: Scope, db: Database): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`upgrade_task ${scope.parkId}`}, 0))`.execute(db)
}

export async function deleteOfPark(scope: Scope, db: Database): Promise<number> {
  const result = await db.deleteFrom('upgradeTask').where('parkId', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
