/** Rows of imports; every function takes the scope first. */
import type { ImportOutcome } from '@gatehouse/contract/imports/calls'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, sql, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { StoredIssue } from './schema.ts'

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
  'importId',
  'line',
  'outcome',
  'finished',
  'personId',
  'workNumber',
  'name',
  'groupName',
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
export async function insertRows(scope: Scope, db: Database, importId: string, uploadId: string, rows: readonly NewRow[]): Promise<void> {
  if (rows.length === 0) return
  const numbers = rows.map(({ workNumber }) => workNumber).filter((number) => number !== '')
  await sql`DELETE FROM person_import_row
    WHERE park_id = ${scope.parkId}::uuid AND import_id = ${importId}::uuid AND upload_id <> ${uploadId}::uuid
    AND work_number = ANY(${sql.val(numbers)}::text[])`.execute(db)
  await db
    .insertInto('personImportRow')
    .values(
      rows.map((row) => ({
        id: row.id,
        parkId: scope.parkId,
        importId,
        uploadId,
        line: row.line,
        outcome: 'refused' as const,
        finished: false,
        tried: false,
        workNumber: row.workNumber,
        name: row.name,
        groupName: '',
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
  db: Database,
  importId: string,
  rows: readonly { id: string; workNumber: string }[],
): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('personImportRow')
    .values(
      rows.map(({ id, workNumber }) => ({
        id,
        parkId: scope.parkId,
        importId,
        uploadId: importId,
        line: null,
        outcome: 'photo' as const,
        finished: false,
        tried: false,
        workNumber,
        name: '',
        groupName: '',
        sealed: null,
        keys: [],
        issues: '[]',
      })),
    )
    .execute()
}

export async function deleteRows(scope: Scope, db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('personImportRow').where('parkId', '=', scope.parkId).where('id', '=', oneOf(ids)).execute()
}

/** Unfinished rows of these work numbers, the first of each sheet first. */
export async function findOpenRows(
  scope: Scope,
  db: Database,
  importId: string,
  numbers: readonly string[],
): Promise<{ id: string; workNumber: string; line: number | null }[]> {
  const { rows } = await sql<{
    id: string
    workNumber: string
    line: number | null
  }>`SELECT id, work_number AS "workNumber", line FROM person_import_row
    WHERE park_id = ${scope.parkId}::uuid AND import_id = ${importId}::uuid AND NOT finished
    AND work_number = ANY(${sql.val(numbers)}::text[]) ORDER BY position`.execute(db)
  return rows
}

/** Unfinished rows without a line of a spreadsheet: of these work numbers, or all. */
export async function findPhotoRows(
  scope: Scope,
  db: Database,
  importId: string,
  numbers: readonly string[] | null,
): Promise<{ id: string; workNumber: string }[]> {
  const rows = db
    .selectFrom('personImportRow')
    .select(['id', 'workNumber'])
    .where('parkId', '=', scope.parkId)
    .where('importId', '=', importId)
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
  db: Database,
  importId: string,
  after: number,
  size: number,
  { runnable = false, of }: RowChoice = {},
): Promise<RowRecord[]> {
  let rows = db
    .selectFrom('personImportRow')
    .select(rowColumns)
    .where('parkId', '=', scope.parkId)
    .where('importId', '=', importId)
    .where('finished', '=', false)
    .where('position', '>', after)
  if (runnable) rows = rows.where('outcome', '<>', 'refused')
  if (of !== undefined)
    rows = rows.where(sql<boolean>`(work_number = ANY(${sql.val(of.numbers)}::text[]) OR keys && ${sql.val(of.keys)}::bytea[])`)
  return rows.orderBy('position').limit(size).execute() as Promise<RowRecord[]>
}

export async function findRow(scope: Scope, db: Database, importId: string, id: string): Promise<RowRecord | null> {
  const row = db
    .selectFrom('personImportRow')
    .select(rowColumns)
    .where('parkId', '=', scope.parkId)
    .where('importId', '=', importId)
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

export function listRows(scope: Scope, db: Database, importId: string, query: RowQuery): Promise<{ content: RowRecord[]; total: number }> {
  let rows = db.selectFrom('personImportRow').select(rowColumns).where('parkId', '=', scope.parkId).where('importId', '=', importId)
  if (query.outcome !== undefined) rows = rows.where('outcome', '=', query.outcome)
  if (query.name !== undefined && query.name !== '') rows = rows.where('name', 'ilike', personalPattern(scope, query.name))
  if (query.workNumber !== undefined && query.workNumber !== '') rows = rows.where('workNumber', 'ilike', containing(query.workNumber))
  if (query.withIssue === 1) rows = rows.where(sql<boolean>`issues <> '[]'::jsonb`)
  return readPage(rows.orderBy('position'), query) as Promise<{ content: RowRecord[]; total: number }>
}

/** Which positions came first with a key that several unfinished rows have. */
export async function findShared(scope: Scope, db: Database, importId: string, keys: readonly Buffer[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const { rows } = await sql<{ key: Buffer; first: number }>`SELECT key, min(position) AS first FROM person_import_row, unnest(keys) AS key
    WHERE park_id = ${scope.parkId}::uuid AND import_id = ${importId}::uuid AND NOT finished AND keys && ${sql.val(keys)}::bytea[]
    GROUP BY key HAVING count(*) > 1`.execute(db)
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
export async function judgeRows(scope: Scope, db: Database, verdicts: readonly RowVerdict[], tried = false): Promise<void> {
  if (verdicts.length === 0) return
  await sql`UPDATE person_import_row
    SET outcome = said.outcome, person_id = said.person_id, name = said.name, group_name = said.group_name, issues = said.issues,
    tried = ${tried}
    FROM unnest(${sql.val(verdicts.map(({ id }) => id))}::uuid[], ${sql.val(verdicts.map(({ outcome }) => outcome))}::text[],
    ${sql.val(verdicts.map(({ personId }) => personId))}::uuid[],
                ${sql.val(verdicts.map(({ name }) => name))}::text[], ${sql.val(verdicts.map(({ groupName }) => groupName))}::text[],
                ${sql.val(verdicts.map(({ issues }) => JSON.stringify(issues)))}::jsonb[])
      AS said (id, outcome, person_id, name, group_name, issues)
    WHERE person_import_row.id = said.id AND park_id = ${scope.parkId}::uuid AND NOT finished`.execute(db)
}

/** False where it is finished already, or gone. */
export async function finishRow(
  scope: Scope,
  db: Database,
  id: string,
  personId: string,
  issues: readonly StoredIssue[],
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('personImportRow')
    .set({ finished: true, tried: false, personId, issues: JSON.stringify(issues) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('finished', '=', false)
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

export async function replaceValues(
  scope: Scope,
  db: Database,
  id: string,
  row: Pick<NewRow, 'workNumber' | 'name' | 'sealed' | 'keys'>,
): Promise<void> {
  await db
    .updateTable('personImportRow')
    .set({ workNumber: row.workNumber, name: row.name, sealed: row.sealed, keys: row.keys })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('finished', '=', false)
    .execute()
}
