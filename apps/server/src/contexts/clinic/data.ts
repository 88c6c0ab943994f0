/** Rows of the wrong-match clinic; every function takes the scope first. */
import { LIST_OFFSET_MAX } from '@gatehouse/contract'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { countUpTo, readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen, personIsSeen } from '../../platform/session/sight.ts'
import type { ClinicTables } from './schema.ts'
import type { Pseudonym, RecordTables } from '../records/index.ts'

export type Tables = RecordTables & ClinicTables
type Db = Database<Tables>

/** What the clinic reads of a record; undefined where this park has no such record. */
export function findPassage(scope: Scope, db: Db, id: string) {
  return passageOf(scope, db, id).executeTakeFirst()
}

/** The same, and nobody deletes the record before the transaction ends. */
export function holdPassage(scope: Scope, tx: Db, id: string) {
  return passageOf(scope, tx, id).forShare().executeTakeFirst()
}

const passageOf = (scope: Scope, db: Db, id: string) =>
  db
    .selectFrom('access_record')
    .select([
      'id',
      'occurred_at as time',
      'device_id as deviceId',
      'person_id as personId',
      'person_name as personName',
      'score',
      'liveness',
    ])
    .select(['capture_file_id as captureFileId', 'contact_id as contactId', 'contact_name as contactName'])
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where(personIsSeen(scope, 'access_record.person_id'))
    .where(deviceIsSeen(scope, 'access_record.device_id'))

const correctionColumns = columnList([
  'record_correction.id',
  'record_correction.record_id as recordId',
  'record_correction.record_time as recordTime',
  'record_correction.device_id as deviceId',
  'record_correction.person_id as personId',
  'record_correction.actual_person_id as actualPersonId',
  'record_correction.pair_id as pairId',
  'record_correction.asked_aside as askedAside',
  'record_correction.set_aside as setAside',
  'record_correction.threshold',
  'record_correction.threshold_before as thresholdBefore',
  'record_correction.note',
  'record_correction.created_by as createdBy',
  'record_correction.created_at as createdAt',
])

/** A correction as it is kept. */
export interface CorrectionRow {
  id: string
  recordId: string
  recordTime: number
  deviceId: string
  personId: string
  actualPersonId: string | null
  pairId: string | null
  askedAside: string[]
  setAside: Record<string, number>
  threshold: number | null
  thresholdBefore: number | null
  note: string
  createdBy: string
  createdAt: number
}

/** What was said about a record; undefined where nothing was. */
export function findCorrection(scope: Scope, db: Db, recordId: string): Promise<CorrectionRow | undefined> {
  const row = db
    .selectFrom('record_correction')
    .select(correctionColumns)
    .where('park_id', '=', scope.parkId)
    .where('record_id', '=', recordId)
    .where(personIsSeen(scope, 'record_correction.person_id'))
    .where(deviceIsSeen(scope, 'record_correction.device_id'))
    .executeTakeFirst()
  return row as Promise<CorrectionRow | undefined>
}

export async function insertCorrection(scope: Scope, db: Db, row: CorrectionRow): Promise<void> {
  await db
    .insertInto('record_correction')
    .values({
      id: row.id,
      park_id: scope.parkId,
      record_id: row.recordId,
      record_time: timestamp(row.recordTime),
      device_id: row.deviceId,
      person_id: row.personId,
      actual_person_id: row.actualPersonId,
      pair_id: row.pairId,
      asked_aside: row.askedAside,
      set_aside: JSON.stringify(row.setAside),
      threshold: row.threshold,
      threshold_before: row.thresholdBefore,
      note: row.note,
      created_by: row.createdBy,
      created_at: timestamp(row.createdAt),
    })
    .execute()
}

/** Forgets what was said about a record; its effects stay. */
export async function deleteCorrection(scope: Scope, db: Db, recordId: string): Promise<void> {
  await db.deleteFrom('record_correction').where('park_id', '=', scope.parkId).where('record_id', '=', recordId).execute()
}

export async function deleteCorrections(scope: Scope, db: Db, recordIds: readonly string[]): Promise<void> {
  await db.deleteFrom('record_correction').where('park_id', '=', scope.parkId).where('record_id', '=', oneOf(recordIds)).execute()
}

/** Other corrections about the same person, or of the same two persons in either order, oldest first. */
export async function findOthersOn(scope: Scope, db: Db, { recordId, personId, actualPersonId }: CorrectionRow): Promise<CorrectionRow[]> {
  const rows = await db
    .selectFrom('record_correction')
    .select(correctionColumns)
    .where('park_id', '=', scope.parkId)
    .where('record_id', '<>', recordId)
    .where((eb) => eb.or([eb('person_id', '=', personId), ...(actualPersonId === null ? [] : [eb('person_id', '=', actualPersonId)])]))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows as CorrectionRow[]
}

/** Lets a correction answer for what another one did, from now on. */
export async function handOver(
  scope: Scope,
  db: Db,
  id: string,
  owned: Pick<CorrectionRow, 'pairId' | 'setAside' | 'thresholdBefore'>,
): Promise<void> {
  await db
    .updateTable('record_correction')
    .set({ pair_id: owned.pairId, set_aside: JSON.stringify(owned.setAside), threshold_before: owned.thresholdBefore })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

export interface CorrectionQuery {
  personId?: string | undefined
  deviceId?: string | undefined
  page: number
  size: number
}

/** A page of corrections with what their records say, newest first; each filter has the index of its name. */
export async function listCorrections(scope: Scope, db: Db, { personId, deviceId, page, size }: CorrectionQuery) {
  let rows = db
    .selectFrom('record_correction')
    .where('record_correction.park_id', '=', scope.parkId)
    .where(personIsSeen(scope, 'record_correction.person_id'))
    .where(deviceIsSeen(scope, 'record_correction.device_id'))
  if (personId !== undefined) rows = rows.where('record_correction.person_id', '=', personId)
  if (deviceId !== undefined) rows = rows.where('record_correction.device_id', '=', deviceId)
  const { content, total } = await readPage(
    rows.select(correctionColumns).orderBy('record_correction.created_at', 'desc').orderBy('record_correction.id', 'desc'),
    { page, size },
  )
  return { content: content as CorrectionRow[], total }
}

/** What records of corrections say themselves; those that are gone are left out. */
export function findSnapshots(scope: Scope, db: Db, corrections: readonly CorrectionRow[]) {
  if (corrections.length === 0) return Promise.resolve([])
  const times = corrections.map(({ recordTime }) => recordTime)
  return (
    db
      .selectFrom('access_record')
      .select(['id', 'device_name as deviceName', 'person_name as personName', 'score', 'capture_file_id as captureFileId'])
      .where('park_id', '=', scope.parkId)
      .where('id', '=', oneOf(corrections.map(({ recordId }) => recordId)))
      // Tells the planner which months to leave out.
      .where('occurred_at', '>=', timestamp(Math.min(...times)))
      .where('occurred_at', '<=', timestamp(Math.max(...times)))
      .execute()
  )
}

/** Which of these records somebody has corrected. */
export async function findCorrected(scope: Scope, db: Db, recordIds: readonly string[]): Promise<Set<string>> {
  if (recordIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('record_correction')
    .select('record_id as recordId')
    .where('park_id', '=', scope.parkId)
    .where('record_id', '=', oneOf(recordIds))
    .execute()
  return new Set(rows.map(({ recordId }) => recordId))
}

export interface ScoredQuery {
  from: number
  /** Scores below this one. */
  below?: number | undefined
  /** Only these records, or all but these. */
  among?: { ids: readonly string[]; within: boolean } | undefined
  page: number
  size: number
}

/** Records that carry a liveness score, newest first, counted to one beyond what pages reach; by the index access_record_liveness. */
export async function listScored(scope: Scope, db: Db, { from, below, among, page, size }: ScoredQuery) {
  let rows = db
    .selectFrom('access_record')
    .where('park_id', '=', scope.parkId)
    .where('liveness', 'is not', null)
    .where(personIsSeen(scope, 'access_record.person_id'))
    .where(deviceIsSeen(scope, 'access_record.device_id'))
    .where('occurred_at', '>=', timestamp(from))
  if (below !== undefined) rows = rows.where('liveness', '<', below)
  if (among !== undefined)
    rows = rows.where(among.within ? sql<boolean>`id = ${oneOf(among.ids)}` : sql<boolean>`NOT (id = ${oneOf(among.ids)})`)
  const [content, total] = await Promise.all([
    rows
      .select([
        'id',
        'occurred_at as time',
        'device_name as deviceName',
        'person_name as personName',
        'result',
        'capture_file_id as captureFileId',
      ])
      .select((eb) => eb.ref('liveness').$notNull().as('score'))
      .orderBy('occurred_at', 'desc')
      .orderBy('id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    countUpTo(db, rows.select('id'), LIST_OFFSET_MAX + 1),
  ])
  return { content, total }
}

export async function deleteCorrectionsOfPark(scope: Scope, db: Db): Promise<void> {
  await db.deleteFrom('record_correction').where('park_id', '=', scope.parkId).execute()
}

/** Puts a pseudonym in place of a person in what was said about records; what somebody wrote beside it goes, for it may name anybody. */
export async function pseudonymiseCorrections(scope: Scope, db: Db, personId: string, pseudonym: Pseudonym): Promise<void> {
  for (const column of ['person_id', 'actual_person_id'] as const)
    await db
      .updateTable('record_correction')
      .set({ [column]: pseudonym.id, note: '' })
      .where('park_id', '=', scope.parkId)
      .where(column, '=', personId)
      .execute()
}

/** What was said about records that lie before a moment goes with their months. Unscoped: a month holds the records of all parks. */
export async function deleteCorrectionsBeforeUnscoped(db: Db, before: number): Promise<void> {
  await db.deleteFrom('record_correction').where('record_time', '<', timestamp(before)).execute()
}
