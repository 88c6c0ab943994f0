/** Rows of reports, and whose photographs they are made from; every function takes the scope first. */
import type { ReportSlice } from '@gatehouse/contract/faces/report'
import { columnList } from '../../platform/database/column-list.ts'
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import type { ReportTables } from './report-schema.ts'
import type { FacesTables } from './schema.ts'

type Db = Database<ReportTables>

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
  /** Of the photographs, those of the demo. */
  demoPhotos: number
  genuinePairs: number | null
  impostorPairs: number | null
  createdAt: number
  /** Whether it is also of the watch list. */
  watchList: boolean
  /** Of everybody; null until it is done, and where nobody was there. */
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
  'work_id as workId',
  'model_id as modelId',
  'door_score as doorScore',
  'persons',
  'photos',
  'demo_photos as demoPhotos',
  'genuine_pairs as genuinePairs',
  'impostor_pairs as impostorPairs',
  'created_at as createdAt',
  'watch_list as watchList',
])

/** One that is of the watch list too exists only for whom that exists: its totals would tell of it. */
const reportIsSeen = (scope: Scope) => (seesWatchList(scope) ? sql<boolean>`true` : sql<boolean>`NOT watch_list`)

/** Persons of the park with a photograph that is compared, in the order of their ids. */
export async function findPersonsWithPhotos(scope: Scope, db: Database<FacesTables>): Promise<string[]> {
  const rows = await db
    .selectFrom('face')
    .select('person_id as personId')
    .distinct()
    .where('park_id', '=', scope.parkId)
    .where('person_id', 'is not', null)
    .where('set_aside_at', 'is', null)
    .orderBy('person_id')
    .execute()
  return rows.map(({ personId }) => personId!)
}

export async function insertReport(scope: Scope, db: Db, report: NewReport, now: number): Promise<void> {
  await db
    .insertInto('face_report')
    .values({
      id: report.id,
      park_id: scope.parkId,
      work_id: report.workId,
      model_id: report.modelId,
      door_score: report.doorScore,
      persons: null,
      photos: null,
      genuine_pairs: null,
      impostor_pairs: null,
      slices: null,
      closest: null,
      created_at: timestamp(now),
      watch_list: seesWatchList(scope),
    })
    .execute()
}

/** A page of reports, newest first. */
export async function listReports(
  scope: Scope,
  db: Db,
  { page, size }: { page: number; size: number },
): Promise<{ content: ReportRow[]; total: number }> {
  const rows = db.selectFrom('face_report').where('park_id', '=', scope.parkId).where(reportIsSeen(scope))
  const { content, total } = await readPage(
    rows
      .select([...reportColumns, sql<ReportSlice | null>`slices -> 0`.as('whole')])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc'),
    { page, size },
  )
  return { content: content as ReportRow[], total }
}

/** One report, with its parts and the sealed pairs; null where there is none in this park. */
export async function findReport(
  scope: Scope,
  db: Db,
  id: string,
): Promise<(ReportRow & { slices: ReportSlice[] | null; closest: Buffer | null }) | null> {
  const row = await db
    .selectFrom('face_report')
    .select([...reportColumns, sql<ReportSlice | null>`slices -> 0`.as('whole'), 'slices', 'closest'])
    .where('park_id', '=', scope.parkId)
    .where(reportIsSeen(scope))
    .where('id', '=', id)
    .executeTakeFirst()
  return (row ?? null) as Awaited<ReturnType<typeof findReport>>
}

/** Keeps what came of it; a report that was deleted meanwhile stays deleted. */
export async function finishReport(scope: Scope, db: Db, id: string, result: ReportResult): Promise<void> {
  await db
    .updateTable('face_report')
    .set({
      persons: result.persons,
      photos: result.photos,
      demo_photos: result.demoPhotos,
      genuine_pairs: result.genuinePairs,
      impostor_pairs: result.impostorPairs,
      slices: JSON.stringify(result.slices),
      closest: result.closest,
    })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

export async function deleteReport(scope: Scope, db: Db, id: string): Promise<void> {
  await db.deleteFrom('face_report').where('park_id', '=', scope.parkId).where('id', '=', id).execute()
}

export async function deleteReportsOfPark(scope: Scope, db: Db): Promise<number> {
  const result = await db.deleteFrom('face_report').where('park_id', '=', scope.parkId).executeTakeFirst()
  return Number(result.numDeletedRows)
}
