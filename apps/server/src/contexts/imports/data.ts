/** Rows of imports; every function takes the scope first. */
import type { IMPORT_MODES, IMPORT_STATES, ImportOutcome } from '@gatehouse/contract/imports/calls'
import type { PersonKind } from '@gatehouse/contract/people/calls'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { ImportsTables, StoredIssue } from './schema.ts'

type Db = Database<ImportsTables>
type State = (typeof IMPORT_STATES)[number]

export interface ImportRecord {
  id: string
  kind: PersonKind
  mode: (typeof IMPORT_MODES)[number]
  groupId: string
  state: State
  unknownColumns: string[]
  userId: string
  account: string
  operator: string
  userKind: string
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
  'group_id as groupId',
  'state',
  'unknown_columns as unknownColumns',
  'user_id as userId',
  'account',
  'operator',
  'user_kind as userKind',
  'work_id as workId',
  'run_total as runTotal',
  'created_at as createdAt',
  'started_at as startedAt',
  'ended_at as endedAt',
  'reason',
])

export type Actor = Pick<ImportRecord, 'userId' | 'account' | 'operator' | 'userKind'>

export async function insertImport(
  scope: Scope,
  db: Db,
  made: Pick<ImportRecord, 'id' | 'kind' | 'mode' | 'groupId'> & Actor,
  now: number,
): Promise<void> {
  await db
    .insertInto('person_import')
    .values({
      id: made.id,
      park_id: scope.parkId,
      kind: made.kind,
      mode: made.mode,
      group_id: made.groupId,
      state: 'draft',
      unknown_columns: '[]',
      user_id: made.userId,
      account: made.account,
      operator: made.operator,
      user_kind: made.userKind,
      run_total: 0,
      created_at: timestamp(now),
    })
    .execute()
}

export async function findImport(scope: Scope, db: Db, id: string): Promise<ImportRecord | null> {
  return ((await db
    .selectFrom('person_import')
    .select(importColumns)
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .executeTakeFirst()) ?? null) as ImportRecord | null
}

/** Keeps others from changing the import until the transaction ends. */
export async function holdImport(scope: Scope, db: Db, id: string): Promise<ImportRecord | null> {
  return ((await db
    .selectFrom('person_import')
    .select(importColumns)
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()) ?? null) as ImportRecord | null
}

/** Whether it runs, and does until the transaction ends. */
export async function isRunning(scope: Scope, db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('person_import')
    .select('state')
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  return row?.state === 'running'
}

export function listImports(
  scope: Scope,
  db: Db,
  kinds: readonly string[],
  page: Paging,
): Promise<{ content: ImportRecord[]; total: number }> {
  const rows = db.selectFrom('person_import').select(importColumns).where('park_id', '=', scope.parkId).where('kind', 'in', kinds)
  return readPage(rows.orderBy('created_at', 'desc').orderBy('id', 'desc'), page) as Promise<{ content: ImportRecord[]; total: number }>
}

/** The oldest that runs. */
export async function findRunning(scope: Scope, db: Db): Promise<ImportRecord | null> {
  const rows = db.selectFrom('person_import').select(importColumns).where('park_id', '=', scope.parkId).where('state', '=', 'running')
  return ((await rows.orderBy('started_at').orderBy('id').limit(1).executeTakeFirst()) ?? null) as ImportRecord | null
}

/** Parks in which something runs or should. Unscoped: who looks after all of them asks. */
export async function findRunningParksUnscoped(db: Db): Promise<string[]> {
  return (await db.selectFrom('person_import').select('park_id').distinct().where('state', '=', 'running').execute()).map(
    (row) => row.park_id,
  )
}

/** Imports nobody has needed for long. Unscoped: a clean-up of the installation. */
export function findOldUnscoped(db: Db, before: number): Promise<{ id: string; parkId: string }[]> {
  return db
    .selectFrom('person_import')
    .select(['id', 'park_id as parkId'])
    .where('created_at', '<', timestamp(before))
    .where('state', '<>', 'running')
    .limit(100)
    .execute()
}

export async function startImport(
  scope: Scope,
  db: Db,
  id: string,
  change: Actor & { workId: string; runTotal: number },
  now: number,
): Promise<void> {
  await db
    .updateTable('person_import')
    .set({
      state: 'running',
      user_id: change.userId,
      account: change.account,
      operator: change.operator,
      user_kind: change.userKind,
      work_id: change.workId,
      run_total: change.runTotal,
      started_at: timestamp(now),
      ended_at: null,
      reason: null,
    })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** Ends it where it runs; answers whether it did. */
export async function endImport(
  scope: Scope,
  db: Db,
  id: string,
  state: 'done' | 'cancelled' | 'failed',
  reason: string | null,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('person_import')
    .set({ state, reason, ended_at: timestamp(now) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

/** It takes files again. */
export async function reopenImport(scope: Scope, db: Db, id: string): Promise<void> {
  await db
    .updateTable('person_import')
    .set({ state: 'draft' })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '<>', 'running')
    .execute()
}

export async function noteUnknownColumns(scope: Scope, db: Db, id: string, headings: readonly string[]): Promise<void> {
  await db
    .updateTable('person_import')
    .set({ unknown_columns: JSON.stringify(headings) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** Removes an import; answers the files of its photographs. */
export async function deleteImport(scope: Scope, db: Db, id: string): Promise<string[]> {
  const files = await db
    .selectFrom('person_import_photo')
    .select('file_id')
    .where('park_id', '=', scope.parkId)
    .where('import_id', '=', id)
    .where('file_id', 'is not', null)
    .execute()
  await db.deleteFrom('person_import').where('park_id', '=', scope.parkId).where('id', '=', id).execute()
  return files.map((row) => row.file_id!)
}

export async function deleteOfPark(scope: Scope, db: Db): Promise<{ imports: number; fileIds: string[] }> {
  const files = await db
    .selectFrom('person_import_photo')
    .select('file_id')
    .where('park_id', '=', scope.parkId)
    .where('file_id', 'is not', null)
    .execute()
  await db.deleteFrom('person_import_taken').where('park_id', '=', scope.parkId).execute()
  const { numDeletedRows } = await db.deleteFrom('person_import').where('park_id', '=', scope.parkId).executeTakeFirst()
  return { imports: Number(numDeletedRows), fileIds: files.map((row) => row.file_id!) }
}

// Counts

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

export async function countAll(scope: Scope, db: Db, ids: readonly string[]): Promise<Map<string, Counts>> {
  const counts = new Map<string, Counts>(
    ids.map((id) => [
      id,
      { rows: { create: 0, change: 0, photo: 0, same: 0, refused: 0 }, open: 0, failed: 0, photos: 0, photosMatched: 0, photosRefused: 0 },
    ]),
  )
  if (ids.length === 0) return counts
  const [rows, photos] = await Promise.all([
    db
      .selectFrom('person_import_row')
      .select((eb) => [
        'import_id',
        'outcome',
        'finished',
        eb.fn.countAll<number>().as('count'),
        eb.fn.countAll<number>().filterWhere('tried', '=', true).as('tried'),
      ])
      .where('park_id', '=', scope.parkId)
      .where('import_id', '=', oneOf(ids))
      .groupBy(['import_id', 'outcome', 'finished'])
      .execute(),
    db
      .selectFrom('person_import_photo')
      .select((eb) => [
        'import_id',
        eb.fn.countAll<number>().as('photos'),
        eb.fn.countAll<number>().filterWhere('row_id', 'is not', null).as('matched'),
        eb.fn.countAll<number>().filterWhere('state', '=', 'refused').as('refused'),
      ])
      .where('park_id', '=', scope.parkId)
      .where('import_id', '=', oneOf(ids))
      .groupBy('import_id')
      .execute(),
  ])
  for (const { import_id, outcome, finished, count, tried } of rows) {
    const one = counts.get(import_id)!
    one.rows[outcome] += count
    if (!finished && outcome !== 'refused') one.open += count
    if (!finished && outcome === 'refused') one.failed += tried
  }
  for (const { import_id, photos: all, matched, refused } of photos)
    Object.assign(counts.get(import_id)!, { photos: all, photosMatched: matched, photosRefused: refused })
  return counts
}

// Rows

export interface RowRecord {
  id: string
  /** As they came, from 1. */
  position: number
  importId: string
  line: number | null
  outcome: ImportOutcome
  finished: boolean
  personId: string | null
  workNumber: string
  name: string
  groupName: string
  sealed: Buffer | null
  keys: Buffer[]
  issues: StoredIssue[]
}

const rowColumns = columnList([
  'id',
  'position',
  'import_id as importId',
  'line',
  'outcome',
  'finished',
  'person_id as personId',
  'work_number as workNumber',
  'name',
  'group_name as groupName',
  'sealed',
  'keys',
  'issues',
])

export interface NewRow {
  id: string
  line: number
  workNumber: string
  name: string
  sealed: Buffer
  keys: Buffer[]
}

/** Enters rows of an upload; those of earlier uploads with one of their work numbers go. */
export async function insertRows(scope: Scope, db: Db, importId: string, uploadId: string, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) return
  const numbers = rows.map(({ workNumber }) => workNumber).filter((number) => number !== '')
  await sql`DELETE FROM person_import_row WHERE park_id = ${scope.parkId}::uuid AND import_id = ${importId}::uuid AND upload_id <> ${uploadId}::uuid AND work_number = ANY(${sql.val(numbers)}::text[])`.execute(
    db,
  )
  await db
    .insertInto('person_import_row')
    .values(
      rows.map((row) => ({
        id: row.id,
        park_id: scope.parkId,
        import_id: importId,
        upload_id: uploadId,
        line: row.line,
        outcome: 'refused' as const,
        finished: false,
        tried: false,
        work_number: row.workNumber,
        name: row.name,
        group_name: '',
        sealed: row.sealed,
        keys: row.keys,
        issues: '[]',
      })),
    )
    .execute()
}

/** Somebody who is only given a photograph. */
export async function insertPhotoRows(
  scope: Scope,
  db: Db,
  importId: string,
  rows: readonly { id: string; workNumber: string }[],
): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('person_import_row')
    .values(
      rows.map(({ id, workNumber }) => ({
        id,
        park_id: scope.parkId,
        import_id: importId,
        upload_id: importId,
        line: null,
        outcome: 'photo' as const,
        finished: false,
        tried: false,
        work_number: workNumber,
        name: '',
        group_name: '',
        sealed: null,
        keys: [],
        issues: '[]',
      })),
    )
    .execute()
}

export async function deleteRows(scope: Scope, db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('person_import_row').where('park_id', '=', scope.parkId).where('id', '=', oneOf(ids)).execute()
}

/** Unfinished rows of these work numbers, the first of each sheet first. */
export async function findOpenRows(
  scope: Scope,
  db: Db,
  importId: string,
  numbers: readonly string[],
): Promise<{ id: string; workNumber: string; line: number | null }[]> {
  const { rows } = await sql<{
    id: string
    workNumber: string
    line: number | null
  }>`SELECT id, work_number AS "workNumber", line FROM person_import_row
    WHERE park_id = ${scope.parkId}::uuid AND import_id = ${importId}::uuid AND NOT finished AND work_number = ANY(${sql.val(numbers)}::text[]) ORDER BY position`.execute(
    db,
  )
  return rows
}

/** Unfinished rows without a line of a spreadsheet: of these work numbers, or all. */
export async function findPhotoRows(
  scope: Scope,
  db: Db,
  importId: string,
  numbers: readonly string[] | null,
): Promise<{ id: string; workNumber: string }[]> {
  const rows = db
    .selectFrom('person_import_row')
    .select(['id', 'work_number as workNumber'])
    .where('park_id', '=', scope.parkId)
    .where('import_id', '=', importId)
    .where('line', 'is', null)
    .where('finished', '=', false)
  return (numbers === null ? rows : rows.where(sql<boolean>`work_number = ANY(${sql.val(numbers)}::text[])`)).execute()
}

export interface RowChoice {
  /** Only rows the run has before it. */
  runnable?: boolean
  /** Only rows of these work numbers, or that share one of these keys. */
  of?: { numbers: readonly string[]; keys: readonly Buffer[] }
}

/** Unfinished rows in their order, from behind a position on. */
export function findUnfinished(
  scope: Scope,
  db: Db,
  importId: string,
  after: number,
  size: number,
  { runnable = false, of }: RowChoice = {},
): Promise<RowRecord[]> {
  let rows = db
    .selectFrom('person_import_row')
    .select(rowColumns)
    .where('park_id', '=', scope.parkId)
    .where('import_id', '=', importId)
    .where('finished', '=', false)
    .where('position', '>', after)
  if (runnable) rows = rows.where('outcome', '<>', 'refused')
  if (of !== undefined)
    rows = rows.where(sql<boolean>`(work_number = ANY(${sql.val(of.numbers)}::text[]) OR keys && ${sql.val(of.keys)}::bytea[])`)
  return rows.orderBy('position').limit(size).execute() as Promise<RowRecord[]>
}

export async function findRow(scope: Scope, db: Db, importId: string, id: string): Promise<RowRecord | null> {
  const row = db
    .selectFrom('person_import_row')
    .select(rowColumns)
    .where('park_id', '=', scope.parkId)
    .where('import_id', '=', importId)
    .where('id', '=', id)
  return ((await row.executeTakeFirst()) ?? null) as RowRecord | null
}

export interface RowQuery {
  page: number
  size: number
  outcome?: ImportOutcome | undefined
  name?: string | undefined
  workNumber?: string | undefined
  withIssue?: number | undefined
}

export function listRows(scope: Scope, db: Db, importId: string, query: RowQuery): Promise<{ content: RowRecord[]; total: number }> {
  let rows = db.selectFrom('person_import_row').select(rowColumns).where('park_id', '=', scope.parkId).where('import_id', '=', importId)
  if (query.outcome !== undefined) rows = rows.where('outcome', '=', query.outcome)
  if (query.name !== undefined && query.name !== '') rows = rows.where('name', 'ilike', personalPattern(scope, query.name))
  if (query.workNumber !== undefined && query.workNumber !== '') rows = rows.where('work_number', 'ilike', containing(query.workNumber))
  if (query.withIssue === 1) rows = rows.where(sql<boolean>`issues <> '[]'::jsonb`)
  return readPage(rows.orderBy('position'), query) as Promise<{ content: RowRecord[]; total: number }>
}

/** Which positions came first with a key that several unfinished rows have. */
export async function findShared(scope: Scope, db: Db, importId: string, keys: readonly Buffer[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<{ key: Buffer; first: number }>`SELECT key, min(position) AS first FROM person_import_row, unnest(keys) AS key
    WHERE park_id = ${scope.parkId}::uuid AND import_id = ${importId}::uuid AND NOT finished AND keys && ${sql.val(keys)}::bytea[] GROUP BY key HAVING count(*) > 1`.execute(
    db,
  )
  return new Map(rows.map(({ key, first }) => [key.toString('hex'), first]))
}

export interface RowVerdict {
  id: string
  outcome: ImportOutcome
  personId: string | null
  name: string
  groupName: string
  issues: StoredIssue[]
}

/** What rows would do, unless they are finished meanwhile. @param tried the run itself refuses them */
export async function judgeRows(scope: Scope, db: Db, verdicts: readonly RowVerdict[], tried = false): Promise<void> {
  if (verdicts.length === 0) return
  await sql`UPDATE person_import_row SET outcome = said.outcome, person_id = said.person_id, name = said.name, group_name = said.group_name, issues = said.issues, tried = ${tried}
    FROM unnest(${sql.val(verdicts.map(({ id }) => id))}::uuid[], ${sql.val(verdicts.map(({ outcome }) => outcome))}::text[], ${sql.val(verdicts.map(({ personId }) => personId))}::uuid[],
                ${sql.val(verdicts.map(({ name }) => name))}::text[], ${sql.val(verdicts.map(({ groupName }) => groupName))}::text[], ${sql.val(verdicts.map(({ issues }) => JSON.stringify(issues)))}::jsonb[])
      AS said (id, outcome, person_id, name, group_name, issues)
    WHERE person_import_row.id = said.id AND park_id = ${scope.parkId}::uuid AND NOT finished`.execute(db)
}

/** False where it is finished already, or gone. */
export async function finishRow(scope: Scope, db: Db, id: string, personId: string, issues: readonly StoredIssue[]): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('person_import_row')
    .set({ finished: true, tried: false, person_id: personId, issues: JSON.stringify(issues) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('finished', '=', false)
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

export async function replaceValues(
  scope: Scope,
  db: Db,
  id: string,
  row: Pick<NewRow, 'workNumber' | 'name' | 'sealed' | 'keys'>,
): Promise<void> {
  await db
    .updateTable('person_import_row')
    .set({ work_number: row.workNumber, name: row.name, sealed: row.sealed, keys: row.keys })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('finished', '=', false)
    .execute()
}

// Photographs

export interface PhotoRecord {
  id: string
  filename: string
  stem: string
  base: string | null
  position: number
  assigned: string | null
  workNumber: string | null
  rowId: string | null
  digest: Buffer
  fileId: string | null
  faceId: string | null
  state: 'waiting' | 'used' | 'refused'
  reason: string | null
  issue: StoredIssue | null
}

const photoColumns = columnList([
  'id',
  'filename',
  'stem',
  'base',
  'position',
  'assigned',
  'work_number as workNumber',
  'row_id as rowId',
  'digest',
  'file_id as fileId',
  'face_id as faceId',
  'state',
  'reason',
  'issue',
])

/** Photographs of these names. */
export async function findNamed(scope: Scope, db: Db, importId: string, stems: readonly string[]): Promise<PhotoRecord[]> {
  const rows = db
    .selectFrom('person_import_photo')
    .select(photoColumns)
    .where('park_id', '=', scope.parkId)
    .where('import_id', '=', importId)
  return rows.where(sql<boolean>`stem = ANY(${sql.val(stems)}::text[])`).execute() as Promise<PhotoRecord[]>
}

export async function insertPhoto(
  scope: Scope,
  db: Db,
  importId: string,
  photo: Pick<PhotoRecord, 'id' | 'filename' | 'stem' | 'base' | 'position' | 'digest' | 'fileId' | 'state' | 'reason' | 'issue'>,
): Promise<void> {
  await db
    .insertInto('person_import_photo')
    .values({
      id: photo.id,
      park_id: scope.parkId,
      import_id: importId,
      filename: photo.filename,
      stem: photo.stem,
      base: photo.base,
      position: photo.position,
      digest: photo.digest,
      file_id: photo.fileId,
      state: photo.state,
      reason: photo.reason,
      issue: photo.issue === null ? null : JSON.stringify(photo.issue),
    })
    .execute()
}

export async function deletePhotos(scope: Scope, db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('person_import_photo').where('park_id', '=', scope.parkId).where('id', '=', oneOf(ids)).execute()
}

/** Photographs nobody has got yet: those that may belong to these work numbers, or all. */
export function findOpenPhotos(scope: Scope, db: Db, importId: string, numbers: readonly string[] | null): Promise<PhotoRecord[]> {
  let rows = db
    .selectFrom('person_import_photo')
    .select(photoColumns)
    .where('park_id', '=', scope.parkId)
    .where('import_id', '=', importId)
    .where('state', '<>', 'used')
  if (numbers !== null) {
    const of = sql`${sql.val(numbers)}::text[]`
    rows = rows.where(sql<boolean>`(stem = ANY(${of}) OR base = ANY(${of}) OR assigned = ANY(${of}) OR work_number = ANY(${of}))`)
  }
  return rows.orderBy('id').execute() as Promise<PhotoRecord[]>
}

export interface PhotoPlace {
  id: string
  workNumber: string | null
  rowId: string | null
  reason: string | null
}

export async function placePhotos(scope: Scope, db: Db, places: readonly PhotoPlace[]): Promise<void> {
  if (places.length === 0) return
  await sql`UPDATE person_import_photo SET work_number = said.work_number, row_id = said.row_id, reason = said.reason
    FROM unnest(${sql.val(places.map(({ id }) => id))}::uuid[], ${sql.val(places.map(({ workNumber }) => workNumber))}::text[], ${sql.val(places.map(({ rowId }) => rowId))}::uuid[],
                ${sql.val(places.map(({ reason }) => reason))}::text[]) AS said (id, work_number, row_id, reason)
    WHERE person_import_photo.id = said.id AND park_id = ${scope.parkId}::uuid AND state <> 'used'`.execute(db)
}

/** Photographs of rows, in their order. */
export function findPhotosOf(scope: Scope, db: Db, rowIds: readonly string[]): Promise<PhotoRecord[]> {
  if (rowIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('person_import_photo')
    .select(photoColumns)
    .where('park_id', '=', scope.parkId)
    .where('row_id', '=', oneOf(rowIds))
    .orderBy('position')
    .orderBy('filename')
    .execute() as Promise<PhotoRecord[]>
}

export async function findPhoto(scope: Scope, db: Db, importId: string, id: string): Promise<PhotoRecord | null> {
  const row = db
    .selectFrom('person_import_photo')
    .select(photoColumns)
    .where('park_id', '=', scope.parkId)
    .where('import_id', '=', importId)
    .where('id', '=', id)
  return ((await row.executeTakeFirst()) ?? null) as PhotoRecord | null
}

export async function assignPhoto(scope: Scope, db: Db, id: string, workNumber: string): Promise<void> {
  await db
    .updateTable('person_import_photo')
    .set({ assigned: workNumber })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

export function listStray(scope: Scope, db: Db, importId: string, page: Paging): Promise<{ content: PhotoRecord[]; total: number }> {
  const rows = db
    .selectFrom('person_import_photo')
    .select(photoColumns)
    .where('park_id', '=', scope.parkId)
    .where('import_id', '=', importId)
    .where('reason', 'is not', null)
  return readPage(rows.orderBy('filename').orderBy('id'), page) as Promise<{ content: PhotoRecord[]; total: number }>
}

/** Remembers the face that was made of a photograph; null: it is to be made anew. */
export async function noteFace(scope: Scope, db: Db, id: string, faceId: string | null): Promise<void> {
  await db.updateTable('person_import_photo').set({ face_id: faceId }).where('park_id', '=', scope.parkId).where('id', '=', id).execute()
}

export async function refusePhoto(scope: Scope, db: Db, id: string, issue: StoredIssue): Promise<void> {
  await db
    .updateTable('person_import_photo')
    .set({ state: 'refused', issue: JSON.stringify(issue) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** These are the person's now: their files are no longer needed here, and they are known again when they come another time. */
export async function usePhotos(scope: Scope, db: Db, personId: string, photos: readonly PhotoRecord[]): Promise<void> {
  for (const { id, digest, faceId } of photos) {
    await db
      .updateTable('person_import_photo')
      .set({ state: 'used', file_id: null })
      .where('park_id', '=', scope.parkId)
      .where('id', '=', id)
      .execute()
    await db
      .insertInto('person_import_taken')
      .values({ park_id: scope.parkId, person_id: personId, digest, face_id: faceId! })
      .onConflict((conflict) => conflict.columns(['person_id', 'digest']).doUpdateSet({ face_id: faceId! }))
      .execute()
  }
}

/** Photographs persons were given by imports, whether or not they still have them. */
export async function findTaken(
  scope: Scope,
  db: Db,
  personIds: readonly string[],
): Promise<{ personId: string; digest: Buffer; faceId: string }[]> {
  if (personIds.length === 0) return []
  return db
    .selectFrom('person_import_taken')
    .select(['person_id as personId', 'digest', 'face_id as faceId'])
    .where('park_id', '=', scope.parkId)
    .where('person_id', '=', oneOf(personIds))
    .execute()
}

export async function forgetTaken(scope: Scope, db: Db, personIds: readonly string[]): Promise<void> {
  if (personIds.length > 0)
    await db.deleteFrom('person_import_taken').where('park_id', '=', scope.parkId).where('person_id', '=', oneOf(personIds)).execute()
}
