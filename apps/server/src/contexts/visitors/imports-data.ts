/** Rows of spreadsheets by which visitors are invited. Every function takes the scope first, except those of jobs over all parks. */
import type { Language } from '@gatehouse/contract'
import type { VisitImport, VisitImportOutcome } from '@gatehouse/contract/visitors/imports'
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope, StoredActor } from '../../platform/session/session.ts'
import type { StoredIssue } from './imports-schema.ts'

export interface NewImport extends StoredActor {
  id: string
  language: Language
}
export interface NewImportRow {
  id: string
  line: number
  details: Buffer
}

export async function insertImport(
  scope: Scope,
  db: Database,
  { id, language, userId, account, operator, userKind }: NewImport,
  rows: readonly NewImportRow[],
  now: number,
): Promise<void> {
  const { parkId } = scope
  await db
    .insertInto('visitImport')
    .values({ id, parkId, language, state: 'running', userId: userId ?? '', account, operator, userKind, createdAt: timestamp(now) })
    .execute()
  await db
    .insertInto('visitImportRow')
    .values(rows.map((row) => ({ ...row, parkId, importId: id, outcome: 'waiting' as const })))
    .execute()
}

const importColumns = ['id', 'parkId', 'state', 'language', 'userId', 'account', 'operator', 'userKind', 'createdAt'] as const

export const findImport = (scope: Scope, db: Database, id: string) =>
  db.selectFrom('visitImport').select(importColumns).where('parkId', '=', scope.parkId).where('id', '=', id).executeTakeFirst()
export type ImportRecord = NonNullable<Awaited<ReturnType<typeof findImport>>>

/** Return the import of the park that is to run next. */
export const findRunning = (scope: Scope, db: Database): Promise<ImportRecord | undefined> =>
  db
    .selectFrom('visitImport')
    .select(importColumns)
    .where('parkId', '=', scope.parkId)
    .where('state', '=', 'running')
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()

/** Unscoped: return the parks in which imports are to run. */
export async function findRunningParksUnscoped(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('visitImport').select('parkId').distinct().where('state', '=', 'running').execute()
  return rows.map(({ parkId }) => parkId)
}

/** End an import that runs. */
export async function endImport(scope: Scope, db: Database, id: string, state: Exclude<VisitImport['state'], 'running'>): Promise<void> {
  await db
    .updateTable('visitImport')
    .set({ state })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
}

/** Return rows of an import with these outcomes, in their order. */
export const findRows = (scope: Scope, db: Database, importId: string, outcomes: readonly VisitImportOutcome[], limit: number) =>
  db
    .selectFrom('visitImportRow')
    .select(['id', 'line', 'outcome', 'details', 'issues'])
    .where('parkId', '=', scope.parkId)
    .where('importId', '=', importId)
    .where('outcome', 'in', outcomes)
    .orderBy('line')
    .limit(limit)
    .execute()
export type ImportRow = Awaited<ReturnType<typeof findRows>>[number]

export async function countRows(scope: Scope, db: Database, importId: string): Promise<Partial<Record<VisitImportOutcome, number>>> {
  const rows = await db
    .selectFrom('visitImportRow')
    .select(['outcome', (eb) => eb.fn.countAll<number>().as('count')])
    .where('parkId', '=', scope.parkId)
    .where('importId', '=', importId)
    .groupBy('outcome')
    .execute()
  return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, Number(count)]))
}

/**
 * Note what became of a row; its texts stay with a refused one alone.
 * @returns false where somebody else noted it, or the import ended
 */
export async function finishRow(
  scope: Scope,
  db: Database,
  { importId, id }: { importId: string; id: string },
  outcome: Exclude<VisitImportOutcome, 'waiting'>,
  issues: readonly StoredIssue[] = [],
): Promise<boolean> {
  const result = await db
    .updateTable('visitImportRow')
    .set({ outcome, issues: JSON.stringify(issues), ...(outcome !== 'refused' && { details: null }) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('outcome', '=', 'waiting')
    .where((eb) =>
      eb.exists(
        eb.selectFrom('visitImport').select('visitImport.id').where('visitImport.id', '=', importId).where('state', '=', 'running'),
      ),
    )
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Unscoped: delete the imports of all parks from before a moment that do not run; return how many. */
export async function deleteOldImportsUnscoped(db: Database, before: number): Promise<number> {
  const result = await db
    .deleteFrom('visitImport')
    .where('createdAt', '<', timestamp(before))
    .where('state', '<>', 'running')
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
