/** Imports and their counts; every function takes the scope first. */
import type { IMPORT_MODES, IMPORT_STATES, ImportOutcome } from '@gatehouse/contract/imports/calls'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'
import type { Scope, StoredActor } from '../../platform/session/session.ts'
import { kindIsSeen } from '../../platform/session/sight.ts'

type State = (typeof IMPORT_STATES)[number]

export interface ImportRecord extends StoredActor {
  id: string
  kind: PersonKind
  mode: (typeof IMPORT_MODES)[number]
  groupId: string
  state: State
  unknownColumns: string[]
  workId: string | null
  runTotal: number
  createdAt: number
  startedAt: number | null
  endedAt: number | null
  reason: string | null
}

const importColumns = columnList([
  'id',
  'kind',
  'mode',
  'groupId',
  'state',
  'unknownColumns',
  'userId',
  'account',
  'operator',
  'userKind',
  'workId',
  'runTotal',
  'createdAt',
  'startedAt',
  'endedAt',
  'reason',
])

export async function insertImport(
  scope: Scope,
  db: Database,
  made: Pick<ImportRecord, 'id' | 'kind' | 'mode' | 'groupId'> & StoredActor,
  now: number,
): Promise<void> {
  await db
    .insertInto('personImport')
    .values({
      id: made.id,
      parkId: scope.parkId,
      kind: made.kind,
      mode: made.mode,
      groupId: made.groupId,
      state: 'draft',
      unknownColumns: '[]',
      userId: made.userId,
      account: made.account,
      operator: made.operator,
      userKind: made.userKind,
      runTotal: 0,
      createdAt: timestamp(now),
    })
    .execute()
}

export async function findImport(scope: Scope, db: Database, id: string): Promise<ImportRecord | null> {
  return ((await db
    .selectFrom('personImport')
    .select(importColumns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where(kindIsSeen(scope, 'personImport.kind'))
    .executeTakeFirst()) ?? null) as ImportRecord | null
}

/** Lock the import until the transaction ends. */
export async function lockImport(scope: Scope, db: Database, id: string): Promise<ImportRecord | null> {
  return ((await db
    .selectFrom('personImport')
    .select(importColumns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where(kindIsSeen(scope, 'personImport.kind'))
    .forUpdate()
    .executeTakeFirst()) ?? null) as ImportRecord | null
}

/** Whether it runs, and does until the transaction ends. */
export async function isRunning(scope: Scope, db: Database, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('personImport')
    .select('state')
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  return row?.state === 'running'
}

export function listImports(scope: Scope, db: Database, page: Paging): Promise<{ content: ImportRecord[]; total: number }> {
  const rows = db
    .selectFrom('personImport')
    .select(importColumns)
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope, 'personImport.kind'))
  return readPage(rows.orderBy('createdAt', 'desc').orderBy('id', 'desc'), page) as Promise<{ content: ImportRecord[]; total: number }>
}

/** The oldest that runs. */
export async function findRunning(scope: Scope, db: Database): Promise<ImportRecord | null> {
  const rows = db.selectFrom('personImport').select(importColumns).where('parkId', '=', scope.parkId).where('state', '=', 'running')
  return ((await rows.orderBy('startedAt').orderBy('id').limit(1).executeTakeFirst()) ?? null) as ImportRecord | null
}

/** Parks in which something runs or should. Unscoped: who looks after all of them asks. */
export async function findRunningParksUnscoped(db: Database): Promise<string[]> {
  return (await db.selectFrom('personImport').select('parkId').distinct().where('state', '=', 'running').execute()).map((row) => row.parkId)
}

/** Imports nobody has needed for long. Unscoped: a clean-up of the installation. */
export function findOldUnscoped(db: Database, before: number): Promise<{ id: string; parkId: string }[]> {
  return db
    .selectFrom('personImport')
    .select(['id', 'parkId'])
    .where('createdAt', '<', timestamp(before))
    .where('state', '<>', 'running')
    .limit(100)
    .execute()
}

export async function startImport(
  scope: Scope,
  db: Database,
  id: string,
  change: StoredActor & { workId: string; runTotal: number },
  now: number,
): Promise<void> {
  await db
    .updateTable('personImport')
    .set({
      state: 'running',
      userId: change.userId,
      account: change.account,
      operator: change.operator,
      userKind: change.userKind,
      workId: change.workId,
      runTotal: change.runTotal,
      startedAt: timestamp(now),
      endedAt: null,
      reason: null,
    })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** Ends it where it runs; answers whether it did. */
export async function endImport(
  scope: Scope,
  db: Database,
  id: string,
  state: 'done' | 'cancelled' | 'failed',
  reason: string | null,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('personImport')
    .set({ state, reason, endedAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

/** It takes files again. */
export async function reopenImport(scope: Scope, db: Database, id: string): Promise<void> {
  await db
    .updateTable('personImport')
    .set({ state: 'draft' })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '<>', 'running')
    .execute()
}

export async function noteUnknownColumns(scope: Scope, db: Database, id: string, headings: readonly string[]): Promise<void> {
  await db
    .updateTable('personImport')
    .set({ unknownColumns: JSON.stringify(headings) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** Removes an import; answers the files of its photographs. */
export async function deleteImport(scope: Scope, db: Database, id: string): Promise<string[]> {
  const files = await db
    .selectFrom('personImportPhoto')
    .select('fileId')
    .where('parkId', '=', scope.parkId)
    .where('importId', '=', id)
    .where('fileId', 'is not', null)
    .execute()
  await db.deleteFrom('personImport').where('parkId', '=', scope.parkId).where('id', '=', id).execute()
  return files.map((row) => row.fileId!)
}

export async function deleteOfPark(scope: Scope, db: Database): Promise<{ imports: number; fileIds: string[] }> {
  const files = await db
    .selectFrom('personImportPhoto')
    .select('fileId')
    .where('parkId', '=', scope.parkId)
    .where('fileId', 'is not', null)
    .execute()
  await db.deleteFrom('personImportTaken').where('parkId', '=', scope.parkId).execute()
  const { numDeletedRows } = await db.deleteFrom('personImport').where('parkId', '=', scope.parkId).executeTakeFirst()
  return { imports: Number(numDeletedRows), fileIds: files.map((row) => row.fileId!) }
}

export interface Counts {
  rows: Record<ImportOutcome, number>
  /** Neither finished nor refused. */
  open: number
  /** Refused by the run. */
  failed: number
  photos: number
  photosMatched: number
  photosRefused: number
}

export async function countAll(scope: Scope, db: Database, ids: readonly string[]): Promise<Map<string, Counts>> {
  const counts = new Map<string, Counts>(
    ids.map((id) => [
      id,
      { rows: { create: 0, change: 0, photo: 0, same: 0, refused: 0 }, open: 0, failed: 0, photos: 0, photosMatched: 0, photosRefused: 0 },
    ]),
  )
  if (ids.length === 0) return counts
  const [rows, photos] = await Promise.all([
    db
      .selectFrom('personImportRow')
      .select((eb) => [
        'importId',
        'outcome',
        'finished',
        eb.fn.countAll<number>().as('count'),
        eb.fn.countAll<number>().filterWhere('tried', '=', true).as('tried'),
      ])
      .where('parkId', '=', scope.parkId)
      .where('importId', '=', oneOf(ids))
      .groupBy(['importId', 'outcome', 'finished'])
      .execute(),
    db
      .selectFrom('personImportPhoto')
      .select((eb) => [
        'importId',
        eb.fn.countAll<number>().as('photos'),
        eb.fn.countAll<number>().filterWhere('rowId', 'is not', null).as('matched'),
        eb.fn.countAll<number>().filterWhere('state', '=', 'refused').as('refused'),
      ])
      .where('parkId', '=', scope.parkId)
      .where('importId', '=', oneOf(ids))
      .groupBy('importId')
      .execute(),
  ])
  for (const { importId, outcome, finished, count, tried } of rows) {
    const one = counts.get(importId)!
    one.rows[outcome] += count
    if (!finished && outcome !== 'refused') one.open += count
    if (!finished && outcome === 'refused') one.failed += tried
  }
  for (const { importId, photos: all, matched, refused } of photos)
    Object.assign(counts.get(importId)!, { photos: all, photosMatched: matched, photosRefused: refused })
  return counts
}
