/** Rows of the wrong-match clinic; every function takes the scope first. */
import { LIST_OFFSET_MAX } from '@gatehouse/contract'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { countUpTo, readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deviceIsSeen, personIsSeen } from '../../platform/session/sight.ts'
import { recordsOf, type Pseudonym } from '../records/index.ts'

/** Return what the clinic reads of a record; undefined where this park has no such record. */
export function findPassage(scope: Scope, db: Database, id: string) {
  return passageOf(scope, db, id).executeTakeFirst()
}

/** The same, and lock the record against deletion until the transaction ends. */
export function holdPassage(scope: Scope, tx: Database, id: string) {
  return passageOf(scope, tx, id).forShare().executeTakeFirst()
}

const passageOf = (scope: Scope, db: Database, id: string) =>
  recordsOf(scope, db)
    .select(['id', 'occurredAt as time', 'deviceId', 'personId', 'personName', 'score', 'liveness'])
    .select(['captureFileId', 'contactId', 'contactName'])
    .where('id', '=', id)
    .where(personIsSeen(scope, 'accessRecord.personId'))
    .where(deviceIsSeen(scope, 'accessRecord.deviceId'))

const correctionColumns = columnList([
  'recordCorrection.id',
  'recordCorrection.recordId',
  'recordCorrection.recordTime',
  'recordCorrection.deviceId',
  'recordCorrection.personId',
  'recordCorrection.actualPersonId',
  'recordCorrection.pairId',
  'recordCorrection.askedAside',
  'recordCorrection.setAside',
  'recordCorrection.threshold',
  'recordCorrection.thresholdBefore',
  'recordCorrection.note',
  'recordCorrection.createdBy',
  'recordCorrection.createdAt',
])

/** A stored correction. */
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

/** Return the correction of a record; undefined where there is none. */
export function findCorrection(scope: Scope, db: Database, recordId: string): Promise<CorrectionRow | undefined> {
  const row = db
    .selectFrom('recordCorrection')
    .select(correctionColumns)
    .where('parkId', '=', scope.parkId)
    .where('recordId', '=', recordId)
    .where(personIsSeen(scope, 'recordCorrection.personId'))
    .where(deviceIsSeen(scope, 'recordCorrection.deviceId'))
    .executeTakeFirst()
  return row as Promise<CorrectionRow | undefined>
}

export async function insertCorrection(scope: Scope, db: Database, row: CorrectionRow): Promise<void> {
  await db
    .insertInto('recordCorrection')
    .values({
      id: row.id,
      parkId: scope.parkId,
      recordId: row.recordId,
      recordTime: timestamp(row.recordTime),
      deviceId: row.deviceId,
      personId: row.personId,
      actualPersonId: row.actualPersonId,
      pairId: row.pairId,
      askedAside: row.askedAside,
      setAside: JSON.stringify(row.setAside),
      threshold: row.threshold,
      thresholdBefore: row.thresholdBefore,
      note: row.note,
      createdBy: row.createdBy,
      createdAt: timestamp(row.createdAt),
    })
    .execute()
}

/** Delete the correction of a record; its effects stay. */
export async function deleteCorrection(scope: Scope, db: Database, recordId: string): Promise<void> {
  await db.deleteFrom('recordCorrection').where('parkId', '=', scope.parkId).where('recordId', '=', recordId).execute()
}

export async function deleteCorrections(scope: Scope, db: Database, recordIds: readonly string[]): Promise<void> {
  await db.deleteFrom('recordCorrection').where('parkId', '=', scope.parkId).where('recordId', '=', oneOf(recordIds)).execute()
}

/** Return the other corrections about the same person, or about the person this one names instead, oldest first. */
export async function findOthersOn(
  scope: Scope,
  db: Database,
  { recordId, personId, actualPersonId }: CorrectionRow,
): Promise<CorrectionRow[]> {
  const rows = await db
    .selectFrom('recordCorrection')
    .select(correctionColumns)
    .where('parkId', '=', scope.parkId)
    .where('recordId', '<>', recordId)
    .where((eb) => eb.or([eb('personId', '=', personId), ...(actualPersonId === null ? [] : [eb('personId', '=', actualPersonId)])]))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows as CorrectionRow[]
}

/** Store the effects that a correction takes over from another one. */
export async function handOver(
  scope: Scope,
  db: Database,
  id: string,
  owned: Pick<CorrectionRow, 'pairId' | 'setAside' | 'thresholdBefore'>,
): Promise<void> {
  await db
    .updateTable('recordCorrection')
    .set({ pairId: owned.pairId, setAside: JSON.stringify(owned.setAside), thresholdBefore: owned.thresholdBefore })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

export interface CorrectionQuery {
  personId?: string | undefined
  deviceId?: string | undefined
  page: number
  size: number
}

/** Return a page of corrections, newest first; each filter has an index of its name. */
export async function listCorrections(scope: Scope, db: Database, { personId, deviceId, page, size }: CorrectionQuery) {
  let rows = db
    .selectFrom('recordCorrection')
    .where('recordCorrection.parkId', '=', scope.parkId)
    .where(personIsSeen(scope, 'recordCorrection.personId'))
    .where(deviceIsSeen(scope, 'recordCorrection.deviceId'))
  if (personId !== undefined) rows = rows.where('recordCorrection.personId', '=', personId)
  if (deviceId !== undefined) rows = rows.where('recordCorrection.deviceId', '=', deviceId)
  const { content, total } = await readPage(
    rows.select(correctionColumns).orderBy('recordCorrection.createdAt', 'desc').orderBy('recordCorrection.id', 'desc'),
    { page, size },
  )
  return { content: content as CorrectionRow[], total }
}

/** Return data of the records of corrections; records that no longer exist are left out. */
export function findSnapshots(scope: Scope, db: Database, corrections: readonly CorrectionRow[]) {
  if (corrections.length === 0) return Promise.resolve([])
  const times = corrections.map(({ recordTime }) => recordTime)
  return (
    recordsOf(scope, db)
      .select(['id', 'deviceName', 'personName', 'score', 'captureFileId'])
      .where('id', '=', oneOf(corrections.map(({ recordId }) => recordId)))
      // Lets the planner skip months.
      .where('occurredAt', '>=', timestamp(Math.min(...times)))
      .where('occurredAt', '<=', timestamp(Math.max(...times)))
      .execute()
  )
}

/** Return which of these records were corrected. */
export async function findCorrected(scope: Scope, db: Database, recordIds: readonly string[]): Promise<Set<string>> {
  if (recordIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('recordCorrection')
    .select('recordId')
    .where('parkId', '=', scope.parkId)
    .where('recordId', '=', oneOf(recordIds))
    .execute()
  return new Set(rows.map(({ recordId }) => recordId))
}

export interface ScoredQuery {
  from: number
  /** Scores below this one. */
  below?: number | undefined
  /** Only these records, or all except these. */
  among?: { ids: readonly string[]; within: boolean } | undefined
  page: number
  size: number
}

/**
 * Return a page of records with a liveness score, newest first, and their number, counted up to one beyond the last page; by the
 * index access_record_liveness.
 */
export async function listScored(scope: Scope, db: Database, { from, below, among, page, size }: ScoredQuery) {
  let rows = recordsOf(scope, db)
    .where('liveness', 'is not', null)
    .where(personIsSeen(scope, 'accessRecord.personId'))
    .where(deviceIsSeen(scope, 'accessRecord.deviceId'))
    .where('occurredAt', '>=', timestamp(from))
  if (below !== undefined) rows = rows.where('liveness', '<', below)
  if (among !== undefined)
    rows = rows.where(among.within ? sql<boolean>`id = ${oneOf(among.ids)}` : sql<boolean>`NOT (id = ${oneOf(among.ids)})`)
  const [content, total] = await Promise.all([
    rows
      .select(['id', 'occurredAt as time', 'deviceName', 'personName', 'result', 'captureFileId'])
      .select((eb) => eb.ref('liveness').$notNull().as('score'))
      .orderBy('occurredAt', 'desc')
      .orderBy('id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    countUpTo(db, rows.select('id'), LIST_OFFSET_MAX + 1),
  ])
  return { content, total }
}

export async function deleteCorrectionsOfPark(scope: Scope, db: Database): Promise<void> {
  await db.deleteFrom('recordCorrection').where('parkId', '=', scope.parkId).execute()
}

/** Replace a person by a pseudonym in corrections and delete the notes of those corrections, which may name anybody. */
export async function pseudonymiseCorrections(scope: Scope, db: Database, personId: string, pseudonym: Pseudonym): Promise<void> {
  for (const column of ['personId', 'actualPersonId'] as const)
    await db
      .updateTable('recordCorrection')
      .set({ [column]: pseudonym.id, note: '' })
      .where('parkId', '=', scope.parkId)
      .where(column, '=', personId)
      .execute()
}

/** Delete the corrections of records from before a moment, whose months are dropped. Unscoped: a month holds the records of all parks. */
export async function deleteCorrectionsBeforeUnscoped(db: Database, before: number): Promise<void> {
  await db.deleteFrom('recordCorrection').where('recordTime', '<', timestamp(before)).execute()
}
