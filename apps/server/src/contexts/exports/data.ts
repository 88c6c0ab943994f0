/** Rows of requested exports; every function takes the scope first. Operations on all parks are unscoped. */
import type { Language } from '@gatehouse/contract'
import { exportStatus } from '@gatehouse/contract/enums'
import type { ExportFormat, ExportReason } from '@gatehouse/contract/exports/calls'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope, StoredActor } from '../../platform/session/session.ts'

const { waiting, exporting, exported, failed } = exportStatus

/** Owner of the tasks, and the present time: an expired task counts as absent even before it is deleted. */
export interface Owner {
  userId: string
  now: number
}

/** Who asked, as the log of reads names them. */
export interface Requester extends StoredActor {
  ip: string
}

const shown = columnList([
  'id',
  'kind',
  'fileName',
  'format',
  'status',
  'done',
  'total',
  'size',
  'reason',
  'createdAt',
  'finishedAt',
  'expiresAt',
])
const columns = [...shown, 'masked', 'fileIds'] as const

const ofOwner = (scope: Scope, db: Database, { userId, now }: Owner) =>
  db.selectFrom('exportTask').where('parkId', '=', scope.parkId).where('userId', '=', userId).where('expiresAt', '>', timestamp(now))

export const listTasks = (scope: Scope, db: Database, owner: Owner, page: { page: number; size: number }) =>
  readPage(ofOwner(scope, db, owner).select(columns).select('wish').orderBy('createdAt', 'desc').orderBy('id', 'desc'), page)

export const findTask = (scope: Scope, db: Database, owner: Owner, id: string) =>
  ofOwner(scope, db, owner).select(columns).select('wish').where('id', '=', id).executeTakeFirst()
export type OwnTask = NonNullable<Awaited<ReturnType<typeof findTask>>>

/** Return the same, locked until the transaction ends. */
export const holdTask = (scope: Scope, db: Database, owner: Owner, id: string) =>
  ofOwner(scope, db, owner).select(columns).select('wish').where('id', '=', id).forUpdate().executeTakeFirst()

export interface NewTask {
  id: string
  kind: string
  format: ExportFormat
  language: Language
  masked: boolean
  wish: Buffer
  namesSomebody: boolean
  fileName: string
  total: number
}

export async function insertTask(
  scope: Scope,
  db: Database,
  task: NewTask,
  requester: Requester,
  at: { now: number; expiresAt: number },
): Promise<void> {
  await db
    .insertInto('exportTask')
    .values({
      id: task.id,
      parkId: scope.parkId,
      userId: requester.userId,
      account: requester.account,
      operator: requester.operator,
      userKind: requester.userKind,
      ip: requester.ip,
      kind: task.kind,
      format: task.format,
      language: task.language,
      masked: task.masked,
      wish: task.wish,
      namesSomebody: task.namesSomebody,
      fileName: task.fileName,
      status: waiting,
      reason: null,
      done: 0,
      total: task.total,
      fileIds: [],
      size: null,
      attempt: null,
      createdAt: timestamp(at.now),
      finishedAt: null,
      expiresAt: timestamp(at.expiresAt),
    })
    .execute()
}

/** Make a task wait again, at the end of the queue. */
export async function renewTask(
  scope: Scope,
  db: Database,
  id: string,
  as: { language: Language; masked: boolean; ip: string },
  expiresAt: number,
): Promise<void> {
  await db
    .updateTable('exportTask')
    .set({
      ...as,
      status: waiting,
      reason: null,
      done: 0,
      fileIds: [],
      size: null,
      attempt: null,
      position: sql<number>`DEFAULT`,
      finishedAt: null,
      expiresAt: timestamp(expiresAt),
    })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** Fail a task, whatever its attempt does from now on. */
export async function failTask(
  scope: Scope,
  db: Database,
  id: string,
  reason: ExportReason,
  at: { now: number; expiresAt: number },
): Promise<void> {
  await db
    .updateTable('exportTask')
    .set({
      status: failed,
      reason,
      fileIds: [],
      size: null,
      attempt: null,
      finishedAt: timestamp(at.now),
      expiresAt: timestamp(at.expiresAt),
    })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

// What an attempt keeps

export interface RunningTask extends Requester {
  id: string
  parkId: string
  attempt: string
  kind: string
  format: ExportFormat
  language: Language
  masked: boolean
  wish: Buffer
  total: number
  /** Pieces of an attempt that was interrupted. */
  fileIds: string[]
}

/** Lock the park, so that no export of it begins until the transaction ends. */
export async function holdBeginning(scope: Scope, db: Database): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`export_task ${scope.parkId}`}, 0))`.execute(db)
}

/** Return the id of the task to make next: an interrupted one, otherwise the one that has waited longest. */
export async function findNext(scope: Scope, db: Database): Promise<string | null> {
  const row = await db
    .selectFrom('exportTask')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where('status', 'in', [waiting, exporting])
    .orderBy('status', 'desc')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Return parks with tasks to make. Unscoped: of all parks. */
export async function findParksWaitingUnscoped(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('exportTask').select('parkId').distinct().where('status', 'in', [waiting, exporting]).execute()
  return rows.map(({ parkId }) => parkId)
}

/** Assign a task to this attempt; undefined if it is deleted, or has ended. */
export function takeTask(scope: Scope, db: Database, id: string, attempt: string): Promise<RunningTask | undefined> {
  return db
    .updateTable('exportTask')
    .set({ status: exporting, attempt, done: 0 })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('status', 'in', [waiting, exporting])
    .returning([
      'id',
      'parkId',
      'userId',
      'account',
      'operator',
      'userKind',
      'ip',
      'attempt',
      'kind',
      'format',
      'language',
      'masked',
      'wish',
      'total',
      'fileIds',
    ])
    .executeTakeFirst() as Promise<RunningTask | undefined>
}

const ofAttempt = (scope: Scope, db: Database, id: string, attempt: string) =>
  db
    .updateTable('exportTask')
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('status', '=', exporting)
    .where('attempt', '=', attempt)

/** Return false if the task no longer belongs to this attempt. */
export async function saveProgress(
  scope: Scope,
  db: Database,
  id: string,
  attempt: string,
  progress: { done: number; fileIds: readonly string[] },
): Promise<boolean> {
  const { numUpdatedRows } = await ofAttempt(scope, db, id, attempt)
    .set({ done: progress.done, fileIds: [...progress.fileIds] })
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** Return false if the task no longer belongs to this attempt. */
export async function finishTask(
  scope: Scope,
  db: Database,
  id: string,
  attempt: string,
  file: { fileIds: readonly string[]; size: number; rows: number },
  at: { now: number; expiresAt: number },
): Promise<boolean> {
  const { numUpdatedRows } = await ofAttempt(scope, db, id, attempt)
    .set({
      status: exported,
      done: file.rows,
      total: file.rows,
      fileIds: [...file.fileIds],
      size: file.size,
      attempt: null,
      finishedAt: timestamp(at.now),
      expiresAt: timestamp(at.expiresAt),
    })
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** Store the failure of an attempt. */
export async function failAttempt(
  scope: Scope,
  db: Database,
  id: string,
  attempt: string,
  reason: ExportReason,
  at: { now: number; expiresAt: number },
): Promise<void> {
  await ofAttempt(scope, db, id, attempt)
    .set({ status: failed, reason, fileIds: [], attempt: null, finishedAt: timestamp(at.now), expiresAt: timestamp(at.expiresAt) })
    .execute()
}

// Removing

/** A deleted task. Its status says whether its pieces were a complete file. */
export interface RemovedTask {
  status: number
  fileIds: string[]
}

export async function deleteTask(scope: Scope, db: Database, id: string): Promise<void> {
  await db.deleteFrom('exportTask').where('parkId', '=', scope.parkId).where('id', '=', id).execute()
}

/** Unscoped: whatever park they are of. */
export function findExpiredUnscoped(db: Database, now: number): Promise<{ id: string; parkId: string }[]> {
  return db.selectFrom('exportTask').select(['id', 'parkId']).where('expiresAt', '<=', timestamp(now)).execute()
}

export function deleteTasks(scope: Scope, db: Database, ids: readonly string[] | 'all'): Promise<RemovedTask[]> {
  let rows = db.deleteFrom('exportTask').where('parkId', '=', scope.parkId)
  if (ids !== 'all') rows = rows.where('id', '=', oneOf(ids))
  return rows.returning(['status', 'fileIds']).execute()
}

// Erasure

/** Count the files, which may contain anybody of the park, and the tasks whose filter may name somebody. */
export async function countHolding(scope: Scope, db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('exportTask')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('parkId', '=', scope.parkId)
    .where((eb) => eb.or([eb('status', '=', exported), eb('namesSomebody', '=', true)]))
    .executeTakeFirstOrThrow()
  return count
}

/** Delete the tasks whose filter may name somebody. */
export function deleteNaming(scope: Scope, db: Database): Promise<RemovedTask[]> {
  return db
    .deleteFrom('exportTask')
    .where('parkId', '=', scope.parkId)
    .where('namesSomebody', '=', true)
    .returning(['status', 'fileIds'])
    .execute()
}

/** Fail the finished tasks of the park with this reason; return their files. */
export async function failExported(scope: Scope, db: Database, reason: ExportReason): Promise<RemovedTask[]> {
  const files = await db
    .selectFrom('exportTask')
    .select(['id', 'status', 'fileIds'])
    .where('parkId', '=', scope.parkId)
    .where('status', '=', exported)
    .forUpdate()
    .execute()
  await db
    .updateTable('exportTask')
    .set({ status: failed, reason, fileIds: [], size: null })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(files.map(({ id }) => id)))
    .execute()
  return files
}

/** Restart the tasks in progress; their attempts notice that. */
export async function restartTasks(scope: Scope, db: Database): Promise<void> {
  await db
    .updateTable('exportTask')
    .set({ status: waiting, attempt: null, done: 0 })
    .where('parkId', '=', scope.parkId)
    .where('status', '=', exporting)
    .execute()
}
