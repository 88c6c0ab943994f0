/** Rows of exports that were asked for; every function takes the scope first. What the node that leads does for all parks is unscoped. */
import type { Language } from '@gatehouse/contract'
import { exportStatus } from '@gatehouse/contract/enums'
import type { ExportFormat, ExportReason } from '@gatehouse/contract/exports/calls'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { ExportTables } from './schema.ts'

type Db = Database<ExportTables>
const { waiting, exporting, exported, failed } = exportStatus

/** Whose tasks, and what time it is: one that is too old is as if absent before it is removed. */
export interface Owner {
  userId: string
  now: number
}

/** Who asked, as the log of reads names him. */
export interface Asker {
  userId: string
  account: string
  operator: string
  userKind: string
  ip: string
}

const shown = columnList([
  'id',
  'kind',
  'file_name as fileName',
  'format',
  'status',
  'done',
  'total',
  'size',
  'reason',
  'created_at as createdAt',
  'finished_at as finishedAt',
  'expires_at as expiresAt',
])
const columns = [...shown, 'masked', 'file_ids as fileIds'] as const

const ofOwner = (scope: Scope, db: Db, { userId, now }: Owner) =>
  db.selectFrom('export_task').where('park_id', '=', scope.parkId).where('user_id', '=', userId).where('expires_at', '>', timestamp(now))

export const listTasks = (scope: Scope, db: Db, owner: Owner, page: { page: number; size: number }) =>
  readPage(ofOwner(scope, db, owner).select(shown).orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
export type ShownTask = Awaited<ReturnType<typeof listTasks>>['content'][number]

export const findTask = (scope: Scope, db: Db, owner: Owner, id: string) =>
  ofOwner(scope, db, owner).select(columns).select('wish').where('id', '=', id).executeTakeFirst()
export type OwnTask = NonNullable<Awaited<ReturnType<typeof findTask>>>

/** The same, held until the transaction ends. */
export const holdTask = (scope: Scope, db: Db, owner: Owner, id: string) =>
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

export async function insertTask(scope: Scope, db: Db, task: NewTask, asker: Asker, at: { now: number; expiresAt: number }): Promise<void> {
  await db
    .insertInto('export_task')
    .values({
      id: task.id,
      park_id: scope.parkId,
      user_id: asker.userId,
      account: asker.account,
      operator: asker.operator,
      user_kind: asker.userKind,
      ip: asker.ip,
      kind: task.kind,
      format: task.format,
      language: task.language,
      masked: task.masked,
      wish: task.wish,
      names_somebody: task.namesSomebody,
      file_name: task.fileName,
      status: waiting,
      reason: null,
      done: 0,
      total: task.total,
      file_ids: [],
      size: null,
      attempt: null,
      created_at: timestamp(at.now),
      finished_at: null,
      expires_at: timestamp(at.expiresAt),
    })
    .execute()
}

/** Waits again, at the end of the line. */
export async function renewTask(
  scope: Scope,
  db: Db,
  id: string,
  as: { language: Language; masked: boolean; ip: string },
  expiresAt: number,
): Promise<void> {
  await db
    .updateTable('export_task')
    .set({
      ...as,
      status: waiting,
      reason: null,
      done: 0,
      file_ids: [],
      size: null,
      attempt: null,
      position: sql<number>`DEFAULT`,
      finished_at: null,
      expires_at: timestamp(expiresAt),
    })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** Has failed, whatever an attempt makes of it now. */
export async function failTask(
  scope: Scope,
  db: Db,
  id: string,
  reason: ExportReason,
  at: { now: number; expiresAt: number },
): Promise<void> {
  await db
    .updateTable('export_task')
    .set({
      status: failed,
      reason,
      file_ids: [],
      size: null,
      attempt: null,
      finished_at: timestamp(at.now),
      expires_at: timestamp(at.expiresAt),
    })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

// What an attempt keeps

export interface TakenTask extends Asker {
  id: string
  parkId: string
  attempt: string
  kind: string
  format: ExportFormat
  language: Language
  masked: boolean
  wish: Buffer
  total: number
  /** Pieces of an attempt that died. */
  fileIds: string[]
}

/** While a transaction holds this, no export of the park is begun. */
export async function holdBeginning(scope: Scope, db: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`export_task ${scope.parkId}`}, 0))`.execute(db)
}

/** What is to be made next: what an attempt left behind, else what has waited longest. Unscoped: whatever park it is of. */
export function findNextUnscoped(db: Db): Promise<{ id: string; parkId: string } | undefined> {
  return db
    .selectFrom('export_task')
    .select(['id', 'park_id as parkId'])
    .where('status', 'in', [waiting, exporting])
    .orderBy('status', 'desc')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
}

/** From now on this attempt's; undefined where it is gone, or has ended. */
export function takeTask(scope: Scope, db: Db, id: string, attempt: string): Promise<TakenTask | undefined> {
  return db
    .updateTable('export_task')
    .set({ status: exporting, attempt, done: 0 })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('status', 'in', [waiting, exporting])
    .returning([
      'id',
      'park_id as parkId',
      'user_id as userId',
      'account',
      'operator',
      'user_kind as userKind',
      'ip',
      'attempt',
      'kind',
      'format',
      'language',
      'masked',
      'wish',
      'total',
      'file_ids as fileIds',
    ])
    .executeTakeFirst() as Promise<TakenTask | undefined>
}

const ofAttempt = (scope: Scope, db: Db, id: string, attempt: string) =>
  db
    .updateTable('export_task')
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('status', '=', exporting)
    .where('attempt', '=', attempt)

/** False where it is no longer this attempt's. */
export async function saveProgress(
  scope: Scope,
  db: Db,
  id: string,
  attempt: string,
  progress: { done: number; fileIds: readonly string[] },
): Promise<boolean> {
  const { numUpdatedRows } = await ofAttempt(scope, db, id, attempt)
    .set({ done: progress.done, file_ids: [...progress.fileIds] })
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** False where it is no longer this attempt's. */
export async function finishTask(
  scope: Scope,
  db: Db,
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
      file_ids: [...file.fileIds],
      size: file.size,
      attempt: null,
      finished_at: timestamp(at.now),
      expires_at: timestamp(at.expiresAt),
    })
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** An attempt that came to nothing. */
export async function failAttempt(
  scope: Scope,
  db: Db,
  id: string,
  attempt: string,
  reason: ExportReason,
  at: { now: number; expiresAt: number },
): Promise<void> {
  await ofAttempt(scope, db, id, attempt)
    .set({ status: failed, reason, file_ids: [], attempt: null, finished_at: timestamp(at.now), expires_at: timestamp(at.expiresAt) })
    .execute()
}

// Removing

/** What becomes of a row's pieces hangs on whether they were a whole file. */
export interface RemovedTask {
  status: number
  fileIds: string[]
}

export async function deleteTask(scope: Scope, db: Db, id: string): Promise<void> {
  await db.deleteFrom('export_task').where('park_id', '=', scope.parkId).where('id', '=', id).execute()
}

/** Unscoped: whatever park they are of. */
export function findExpiredUnscoped(db: Db, now: number): Promise<{ id: string; parkId: string }[]> {
  return db.selectFrom('export_task').select(['id', 'park_id as parkId']).where('expires_at', '<=', timestamp(now)).execute()
}

export function deleteTasks(scope: Scope, db: Db, ids: readonly string[] | 'all'): Promise<RemovedTask[]> {
  let rows = db.deleteFrom('export_task').where('park_id', '=', scope.parkId)
  if (ids !== 'all') rows = rows.where('id', '=', oneOf(ids))
  return rows.returning(['status', 'file_ids as fileIds']).execute()
}

// Erasure

/** Files that may hold anybody of the park, and tasks that may say of whom. */
export async function countHolding(scope: Scope, db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('export_task')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('park_id', '=', scope.parkId)
    .where((eb) => eb.or([eb('status', '=', exported), eb('names_somebody', '=', true)]))
    .executeTakeFirstOrThrow()
  return count
}

/** Removes the tasks that may say of whom. */
export function deleteNaming(scope: Scope, db: Db): Promise<RemovedTask[]> {
  return db
    .deleteFrom('export_task')
    .where('park_id', '=', scope.parkId)
    .where('names_somebody', '=', true)
    .returning(['status', 'file_ids as fileIds'])
    .execute()
}

/** Takes all files of the park from their tasks, which have failed with that; answers the files. */
export async function failExported(scope: Scope, db: Db, reason: ExportReason): Promise<RemovedTask[]> {
  const files = await db
    .selectFrom('export_task')
    .select(['id', 'status', 'file_ids as fileIds'])
    .where('park_id', '=', scope.parkId)
    .where('status', '=', exported)
    .forUpdate()
    .execute()
  await db
    .updateTable('export_task')
    .set({ status: failed, reason, file_ids: [], size: null })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', oneOf(files.map(({ id }) => id)))
    .execute()
  return files
}

/** What is being made is begun anew; the attempt that makes it notices. */
export async function beginAnew(scope: Scope, db: Db): Promise<void> {
  await db
    .updateTable('export_task')
    .set({ status: waiting, attempt: null, done: 0 })
    .where('park_id', '=', scope.parkId)
    .where('status', '=', exporting)
    .execute()
}
