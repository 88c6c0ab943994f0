/** Rows of consent and erasures; every function takes the scope first. */
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import type { Erasure, RECORDS_ON_ERASURE } from '@gatehouse/contract/privacy/calls'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { seesAllDevices, seesWatchList, type Scope } from '../../platform/session/session.ts'
import { deviceIsSeen, kindIsSeen } from '../../platform/session/sight.ts'

type Place = Erasure['places'][number]
export type RecordsRule = (typeof RECORDS_ON_ERASURE)[number]

export interface ConsentRow {
  id: string
  state: 'given' | 'withdrawn'
  channel: 'form' | 'self' | 'import'
  notedBy: string
  note: string
  at: number
}

export async function insertConsent(scope: Scope, db: Database, personId: string, row: ConsentRow): Promise<void> {
  const { id, state, channel, notedBy, note, at } = row
  await db
    .insertInto('personConsent')
    .values({ id, parkId: scope.parkId, personId, state, channel, notedBy, note, at: timestamp(at) })
    .execute()
}

/** The newest first. */
export async function listConsents(scope: Scope, db: Database, personId: string): Promise<ConsentRow[]> {
  const rows = await db
    .selectFrom('personConsent')
    .select(['id', 'state', 'channel', 'notedBy', 'note', 'at'])
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', personId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows as ConsentRow[]
}

export async function deleteConsents(scope: Scope, db: Database, personIds: readonly string[]): Promise<void> {
  await db.deleteFrom('personConsent').where('parkId', '=', scope.parkId).where('personId', '=', oneOf(personIds)).execute()
}

export type NewErasure = Omit<Erasure, 'completedAt' | 'places'> & { pseudonymised: boolean }
export interface NewPlace extends Omit<Place, 'removed'> {
  /** The park that has the device, where it is a linked one. */
  devicePark: string | null
  fileIds: readonly string[]
}

/** False where the number is taken. */
export async function insertErasure(scope: Scope, db: Database, row: NewErasure): Promise<boolean> {
  const inserted = await db
    .insertInto('erasure')
    .values({
      id: row.id,
      parkId: scope.parkId,
      number: row.number,
      personId: row.personId,
      kind: row.kind,
      origin: row.origin,
      reason: row.reason,
      requestedBy: row.requestedBy,
      requestedAt: timestamp(row.requestedAt),
      completedAt: null,
      pseudonymised: row.pseudonymised,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function insertPlaces(scope: Scope, db: Database, erasureId: string, places: readonly NewPlace[]): Promise<void> {
  await db
    .insertInto('erasurePlace')
    .values(
      places.map(({ place, name, deviceId, devicePark, state, count, at, fileIds }, position) => ({
        erasureId,
        parkId: scope.parkId,
        position,
        place,
        name,
        deviceId,
        devicePark,
        state,
        count,
        at: at === null ? null : timestamp(at),
        removed: false,
        fileIds: [...fileIds],
      })),
    )
    .execute()
}

/** Return the erased persons of this park that did not exist for the scope; none where all exist. */
export async function findUnseenErased(scope: Scope, db: Database): Promise<string[]> {
  if (seesWatchList(scope)) return []
  const rows = await db
    .selectFrom('erasure')
    .select('personId')
    .where('parkId', '=', scope.parkId)
    .where((eb) => eb.not(kindIsSeen(scope, 'erasure.kind')))
    .execute()
  return rows.map(({ personId }) => personId)
}

/** Receipts of these persons; those who have none are left out. */
export function findErasuresOf(
  scope: Scope,
  db: Database,
  personIds: readonly string[],
): Promise<{ id: string; personId: string; pseudonymised: boolean }[]> {
  if (personIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('erasure')
    .select(['id', 'personId', 'pseudonymised'])
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope, 'erasure.kind'))
    .where('personId', '=', oneOf(personIds))
    .execute()
}

const erasureColumns = columnList(['id', 'number', 'personId', 'kind', 'origin', 'reason', 'requestedBy', 'requestedAt', 'completedAt'])

/** Counted over the records of all devices. */
const OF_ALL_DEVICES = ['records', 'captures']

/** A place of a receipt tells of no device that does not exist for the asker. */
const placeIsSeen = (scope: Scope) =>
  seesAllDevices(scope)
    ? sql<boolean>`true`
    : sql<boolean>`((device_id IS NULL AND NOT place = ANY(${sql.val(OF_ALL_DEVICES)})) OR ${deviceIsSeen(scope, 'erasurePlace.deviceId')})`

async function withPlaces(scope: Scope, db: Database, rows: readonly Omit<Erasure, 'places'>[]): Promise<Erasure[]> {
  if (rows.length === 0) return []
  const places = await db
    .selectFrom('erasurePlace')
    .select(['erasureId', 'place', 'name', 'deviceId', 'state', 'count', 'at', 'removed'])
    .where('parkId', '=', scope.parkId)
    .where(placeIsSeen(scope))
    .where('erasureId', '=', oneOf(rows.map(({ id }) => id)))
    .orderBy('erasureId')
    .orderBy('position')
    .execute()
  return rows.map((row) => ({
    ...row,
    places: places.filter(({ erasureId }) => erasureId === row.id).map(({ erasureId: _, ...place }) => place as Place),
  }))
}

export async function findErasure(scope: Scope, db: Database, id: string): Promise<Erasure | undefined> {
  const row = await db
    .selectFrom('erasure')
    .select(erasureColumns)
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope, 'erasure.kind'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : (await withPlaces(scope, db, [row as Omit<Erasure, 'places'>]))[0]
}

export interface ErasureQuery {
  number?: string | undefined
  pending?: number | undefined
  page: number
  size: number
}

/** The newest first. */
export async function listErasures(
  scope: Scope,
  db: Database,
  { number, pending, page, size }: ErasureQuery,
): Promise<{ total: number; content: Erasure[] }> {
  let rows = db.selectFrom('erasure').where('parkId', '=', scope.parkId).where(kindIsSeen(scope, 'erasure.kind'))
  if (number !== undefined && number !== '') rows = rows.where('number', 'ilike', containing(number))
  if (pending !== undefined) rows = rows.where('completedAt', pending === 1 ? 'is' : 'is not', null)
  const [content, { total }] = await Promise.all([
    rows
      .select(erasureColumns)
      .orderBy('requestedAt', 'desc')
      .orderBy('id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { total, content: await withPlaces(scope, db, content as Omit<Erasure, 'places'>[]) }
}

export interface PendingPlace {
  erasureId: string
  position: number
  parkId: string
  place: string
  deviceId: string | null
  devicePark: string | null
  personId: string
  kind: PersonKind
  fileIds: string[]
  pseudonymised: boolean
  requestedAt: number
}

/**
 * Places nobody has confirmed yet, of these devices or of all, from after one on. Unscoped: the job that follows them up
 * is of the installation, and each row names its park.
 */
export function findPendingUnscoped(
  db: Database,
  of: { deviceIds?: readonly string[]; erasureId?: string; after?: { erasureId: string; position: number } },
  limit: number,
): Promise<PendingPlace[]> {
  let rows = db
    .selectFrom('erasurePlace')
    .innerJoin('erasure', 'erasure.id', 'erasurePlace.erasureId')
    .select([
      'erasureId',
      'position',
      'erasurePlace.parkId',
      'place',
      'deviceId',
      'devicePark',
      'personId',
      'kind',
      'fileIds',
      'pseudonymised',
      'requestedAt',
    ])
    .where('state', '=', sql.lit('pending'))
  if (of.deviceIds !== undefined) rows = rows.where('deviceId', '=', oneOf(of.deviceIds))
  if (of.erasureId !== undefined) rows = rows.where('erasureId', '=', of.erasureId)
  if (of.after !== undefined)
    rows = rows.where(sql<boolean>`(erasure_id, position) > (${of.after.erasureId}::uuid, ${of.after.position}::integer)`)
  return rows.orderBy('erasureId').orderBy('position').limit(limit).execute() as Promise<PendingPlace[]>
}

/** What became of a place that is waited for no longer. */
export interface Outcome {
  state: 'done' | 'unconfirmed'
  removed: boolean
}

/** Nothing is waited for at a place from a moment on; the receipt is complete with its last one. */
export async function closePlace(
  scope: Scope,
  db: Database,
  { erasureId, position }: Pick<PendingPlace, 'erasureId' | 'position'>,
  at: number,
  { state, removed }: Outcome,
): Promise<void> {
  // Two places confirmed at once would each see the other still pending.
  await db.selectFrom('erasure').select('id').where('id', '=', erasureId).where('parkId', '=', scope.parkId).forUpdate().execute()
  await db
    .updateTable('erasurePlace')
    .set({ state, at: timestamp(at), removed, fileIds: [] })
    .where('erasureId', '=', erasureId)
    .where('position', '=', position)
    .where('parkId', '=', scope.parkId)
    .where('state', '=', 'pending')
    .execute()
  await completeErasure(scope, db, erasureId, at)
}

/** Close a receipt of which nothing is pending. */
export async function completeErasure(scope: Scope, db: Database, erasureId: string, at: number): Promise<void> {
  await sql`UPDATE erasure SET completed_at = ${timestamp(at)}, leftovers_since = now()
    WHERE id = ${erasureId}::uuid AND park_id = ${scope.parkId}::uuid AND completed_at IS NULL
    AND NOT EXISTS (SELECT FROM erasure_place WHERE erasure_id = erasure.id AND state = 'pending')`.execute(db)
}

/** Files found later belong to a place too. */
export async function addFiles(
  scope: Scope,
  db: Database,
  erasureId: string,
  place: string,
  fileIds: readonly string[],
  more: number,
): Promise<void> {
  await sql`UPDATE erasure_place SET count = count + ${more}, file_ids = file_ids || ${sql.val(fileIds)}::uuid[],
      state = CASE WHEN cardinality(${sql.val(fileIds)}::uuid[]) > 0 THEN 'pending' ELSE state END
    WHERE erasure_id = ${erasureId}::uuid AND park_id = ${scope.parkId}::uuid AND place = ${place}`.execute(db)
}

/** Replace what a pattern finds in the reasons of all receipts of the park. */
export async function blankReasons(scope: Scope, db: Database, pattern: string, blank: string): Promise<void> {
  await sql`UPDATE erasure SET reason = regexp_replace(reason, ${pattern}, ${blank}, 'gi')
    WHERE park_id = ${scope.parkId}::uuid AND reason ~* ${pattern}`.execute(db)
}

/**
 * Since when the database's files may hold what was erased, by the database's own clock; null: they do not. Unscoped:
 * files are of the installation.
 */
export async function leftoversUntilUnscoped(db: Database): Promise<string | null> {
  const { rows } = await sql<{
    until: string | null
  }>`SELECT max(since)::text AS until FROM (SELECT leftovers_since AS since FROM erasure WHERE leftovers_since IS NOT NULL
    UNION ALL SELECT since FROM leftovers) AS left_over`.execute(db)
  return rows[0]?.until ?? null
}

/** The files hold nothing any more that was erased until then. Unscoped as above. */
export async function noteClearedUnscoped(db: Database, until: string): Promise<void> {
  await sql`UPDATE erasure SET leftovers_since = NULL WHERE leftovers_since <= ${until}::timestamptz`.execute(db)
  await sql`DELETE FROM leftovers WHERE since <= ${until}::timestamptz`.execute(db)
}

export async function deletePrivacyOfPark(scope: Scope, db: Database): Promise<number> {
  await db.deleteFrom('personConsent').where('parkId', '=', scope.parkId).execute()
  await db.deleteFrom('erasurePlace').where('parkId', '=', scope.parkId).execute()
  const { numDeletedRows } = await db.deleteFrom('erasure').where('parkId', '=', scope.parkId).executeTakeFirst()
  return Number(numDeletedRows)
}
