/** Rows of reports, and the persons they are made from; every function takes the scope first. */
import type { ReportSlice } from '@gatehouse/contract/faces/report'
import { columnList } from '../../platform/database/column-list.ts'
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'

export interface NewReport {
  id: string
  workId: string
  modelId: string
  doorScore: number
}

export interface ReportRow {
  id: string
  workId: string
  modelId: string
  doorScore: number
  persons: number | null
  photos: number | null
  /** Photographs of the demo that were left out. */
  demoPhotos: number
  genuinePairs: number | null
  impostorPairs: number | null
  createdAt: number
  /** Whether it includes the watch list. */
  watchList: boolean
  /** The slice of everybody; null until the report is done, and where nobody had photographs. */
  whole: ReportSlice | null
}

export interface ReportResult {
  persons: number
  photos: number
  demoPhotos: number
  genuinePairs: number
  impostorPairs: number
  slices: readonly ReportSlice[]
  closest: Buffer
}

const reportColumns = columnList([
  'id',
  'workId',
  'modelId',
  'doorScore',
  'persons',
  'photos',
  'demoPhotos',
  'genuinePairs',
  'impostorPairs',
  'createdAt',
  'watchList',
])

/** Condition that the caller may see a report: one that includes the watch list would reveal it by its totals. */
const reportIsSeen = (scope: Scope) => (seesWatchList(scope) ? sql<boolean>`true` : sql<boolean>`NOT watch_list`)

/** Return the persons of the park with a photograph that is compared, in the order of their ids. */
export async function findPersonsWithPhotos(scope: Scope, db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('face')
    .select('personId')
    .distinct()
    .where('parkId', '=', scope.parkId)
    .where('personId', 'is not', null)
    .where('setAsideAt', 'is', null)
    .orderBy('personId')
    .execute()
  return rows.map(({ personId }) => personId!)
}

export async function insertReport(scope: Scope, db: Database, report: NewReport, now: number): Promise<void> {
  await db
    .insertInto('faceReport')
    .values({
      id: report.id,
      parkId: scope.parkId,
      workId: report.workId,
      modelId: report.modelId,
      doorScore: report.doorScore,
      persons: null,
      photos: null,
      genuinePairs: null,
      impostorPairs: null,
      slices: null,
      closest: null,
      createdAt: timestamp(now),
      watchList: seesWatchList(scope),
    })
    .execute()
}

/** Return a page of reports, newest first. */
export async function listReports(
  scope: Scope,
  db: Database,
  { page, size }: { page: number; size: number },
): Promise<{ content: ReportRow[]; total: number }> {
  const rows = db.selectFrom('faceReport').where('parkId', '=', scope.parkId).where(reportIsSeen(scope))
  const { content, total } = await readPage(
    rows
      .select([...reportColumns, sql<ReportSlice | null>`slices -> 0`.as('whole')])
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc'),
    { page, size },
  )
  return { content: content as ReportRow[], total }
}

/** Return a report with its slices and the encrypted pairs; null where this park has no such report. */
export async function findReport(
  scope: Scope,
  db: Database,
  id: string,
): Promise<(ReportRow & { slices: ReportSlice[] | null; closest: Buffer | null }) | null> {
  const row = await db
    .selectFrom('faceReport')
    .select([...reportColumns, sql<ReportSlice | null>`slices -> 0`.as('whole'), 'slices', 'closest'])
    .where('parkId', '=', scope.parkId)
    .where(reportIsSeen(scope))
    .where('id', '=', id)
    .executeTakeFirst()
  return (row ?? null) as Awaited<ReturnType<typeof findReport>>
}

/** Store the result; a report that was deleted meanwhile stays deleted. */
export async function finishReport(scope: Scope, db: Database, id: string, result: ReportResult): Promise<void> {
  await db
    .updateTable('faceReport')
    .set({
      persons: result.persons,
      photos: result.photos,
      demoPhotos: result.demoPhotos,
      genuinePairs: result.genuinePairs,
      impostorPairs: result.impostorPairs,
      slices: JSON.stringify(result.slices),
      closest: result.closest,
    })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

export async function deleteReport(scope: Scope, db: Database, id: string): Promise<void> {
  await db.deleteFrom('faceReport').where('parkId', '=', scope.parkId).where('id', '=', id).execute()
}

export async function deleteReportsOfPark(scope: Scope, db: Database): Promise<number> {
  const result = await db.deleteFrom('faceReport').where('parkId', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
