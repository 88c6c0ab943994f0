/** Rows of how single persons are compared; every function takes the scope first. */
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database, type Tx } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { MatchingTables, PairOrigin } from './matching-schema.ts'
import type { FacesTables } from './schema.ts'

export type Tables = MatchingTables & FacesTables
type Db = Database<Tables>

/** Any number that other advisory locks do not use. */
const MATCHING_LOCK = 7_140_063

/** Makes changes of one park wait for each other until commit: few are made, and each looks at what others left. */
export async function lockMatching(scope: Scope, tx: Tx<Tables>): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${sql.lit(MATCHING_LOCK)}, hashtext(${scope.parkId}))`.execute(tx)
}

/** What doors ask of a person; less than of everybody only where it loosens. */
export interface OwnThreshold {
  threshold: number
  loosens: boolean
}

export async function findThresholds(scope: Scope, db: Db, personIds: readonly string[]): Promise<Map<string, OwnThreshold>> {
  if (personIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('face_person')
    .select(['person_id as personId', 'threshold', 'loosens'])
    .where('park_id', '=', scope.parkId)
    .where('person_id', '=', oneOf(personIds))
    .execute()
  return new Map(rows.map(({ personId, ...own }) => [personId, own]))
}

export async function putThreshold(scope: Scope, db: Db, personId: string, own: OwnThreshold, now: number): Promise<void> {
  const changed = { ...own, updated_at: timestamp(now) }
  await db
    .insertInto('face_person')
    .values({ person_id: personId, park_id: scope.parkId, ...changed })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet(changed).where('face_person.park_id', '=', scope.parkId))
    .execute()
}

export async function deleteThresholds(scope: Scope, db: Db, personIds: readonly string[]): Promise<void> {
  await db.deleteFrom('face_person').where('park_id', '=', scope.parkId).where('person_id', '=', oneOf(personIds)).execute()
}

const pairColumns = columnList([
  'id',
  'person_id as personId',
  'other_id as otherId',
  'origin',
  'record_id as recordId',
  'created_at as createdAt',
])

/** Pairs in which one of these persons stands on either side, oldest first. */
export function findPairs(scope: Scope, db: Db, personIds: readonly string[]) {
  if (personIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('face_pair')
    .select(pairColumns)
    .where('park_id', '=', scope.parkId)
    .where((eb) => eb.or([eb('person_id', '=', oneOf(personIds)), eb('other_id', '=', oneOf(personIds))]))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}
export type PairRow = Awaited<ReturnType<typeof findPairs>>[number]

export function findPair(scope: Scope, db: Db, id: string): Promise<PairRow | undefined> {
  return db.selectFrom('face_pair').select(pairColumns).where('park_id', '=', scope.parkId).where('id', '=', id).executeTakeFirst()
}

export interface NewPair {
  id: string
  personId: string
  otherId: string
  origin: PairOrigin
  recordId: string | null
}

/** Adds a pair; answers its id, that of the pair which is there already in either order. */
export async function putPair(scope: Scope, db: Db, pair: NewPair, now: number): Promise<string> {
  // An update that changes nothing: a conflict that does nothing does not return the row.
  const { rows } = await sql<{ id: string }>`
    INSERT INTO face_pair (id, park_id, person_id, other_id, origin, record_id, created_at)
    VALUES (${pair.id}, ${scope.parkId}, ${pair.personId}, ${pair.otherId}, ${pair.origin}, ${pair.recordId}, ${timestamp(now)})
    ON CONFLICT (park_id, least(person_id, other_id), greatest(person_id, other_id)) DO UPDATE SET origin = face_pair.origin
    RETURNING id`.execute(db)
  return rows[0]!.id
}

/** Answers the pair that is gone; undefined where this park has none of that id. */
export function deletePair(scope: Scope, db: Db, id: string): Promise<{ personId: string; otherId: string } | undefined> {
  return db
    .deleteFrom('face_pair')
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .returning(['person_id as personId', 'other_id as otherId'])
    .executeTakeFirst()
}

/** Deletes the pairs of these persons; answers who else stood in them. */
export async function deletePairsOfPersons(scope: Scope, db: Db, personIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .deleteFrom('face_pair')
    .where('park_id', '=', scope.parkId)
    .where((eb) => eb.or([eb('person_id', '=', oneOf(personIds)), eb('other_id', '=', oneOf(personIds))]))
    .returning(['person_id as personId', 'other_id as otherId'])
    .execute()
  const gone = new Set(personIds)
  return [...new Set(rows.flatMap(({ personId, otherId }) => [personId, otherId]))].filter((id) => !gone.has(id))
}

const photosOf = (scope: Scope, db: Db) =>
  db
    .selectFrom('face')
    .select(['id as faceId', 'file_id as fileId', 'set_aside_at as setAsideAt'])
    .select((eb) => eb.ref('person_id').$notNull().as('personId'))
    .where('park_id', '=', scope.parkId)
    .where('person_id', 'is not', null)

/** Photographs of these persons, each person's in its order. */
export function findPhotosOfPersons(scope: Scope, db: Db, personIds: readonly string[]) {
  if (personIds.length === 0) return Promise.resolve([])
  return photosOf(scope, db).where('person_id', '=', oneOf(personIds)).orderBy('person_id').orderBy('position').execute()
}

/** Those of these photographs that a person has, in no order. */
export function findPhotosOfFaces(scope: Scope, db: Db, faceIds: readonly string[]) {
  if (faceIds.length === 0) return Promise.resolve([])
  return photosOf(scope, db).where('id', '=', oneOf(faceIds)).execute()
}

/** Which of these photographs a model has a template of. */
export async function findComparable(scope: Scope, db: Db, faceIds: readonly string[], modelId: string): Promise<Set<string>> {
  if (faceIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('face_template')
    .select('face_id as faceId')
    .where('park_id', '=', scope.parkId)
    .where('model_id', '=', modelId)
    .where('face_id', '=', oneOf(faceIds))
    .execute()
  return new Set(rows.map(({ faceId }) => faceId))
}

/** Takes photographs out of comparison, or back in with null. */
export async function setAsideAt(scope: Scope, db: Db, faceIds: readonly string[], at: number | null): Promise<void> {
  await db
    .updateTable('face')
    .set({ set_aside_at: at === null ? null : timestamp(at) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', oneOf(faceIds))
    .execute()
}

export async function deleteMatchingOfPark(scope: Scope, db: Db): Promise<void> {
  await db.deleteFrom('face_person').where('park_id', '=', scope.parkId).execute()
  await db.deleteFrom('face_pair').where('park_id', '=', scope.parkId).execute()
}
