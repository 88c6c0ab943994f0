/** Rows of how single persons are compared; every function takes the scope first. */
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database, type Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { PairOrigin } from './matching-schema.ts'

/**
 * Lock class of changes to matching. `NAMES_LOCK` of records has the same number, but one-key and two-key advisory locks never
 * conflict.
 */
const MATCHING_LOCK = 7_140_063

/** Serialise changes of one park until commit: they are rare, and each depends on the earlier ones. */
export async function lockMatching(scope: Scope, tx: Transaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${sql.lit(MATCHING_LOCK)}, hashtext(${scope.parkId}))`.execute(tx)
}

/** The score doors require of a person; lower than that for everybody only where `loosens`. */
export interface OwnThreshold {
  threshold: number
  loosens: boolean
}

export async function findThresholds(scope: Scope, db: Database, personIds: readonly string[]): Promise<Map<string, OwnThreshold>> {
  if (personIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('facePerson')
    .select(['personId', 'threshold', 'loosens'])
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .execute()
  return new Map(rows.map(({ personId, ...own }) => [personId, own]))
}

export async function putThreshold(scope: Scope, db: Database, personId: string, own: OwnThreshold, now: number): Promise<void> {
  const changed = { ...own, updatedAt: timestamp(now) }
  await db
    .insertInto('facePerson')
    .values({ personId, parkId: scope.parkId, ...changed })
    .onConflict((conflict) => conflict.column('personId').doUpdateSet(changed).where('facePerson.parkId', '=', scope.parkId))
    .execute()
}

export async function deleteThresholds(scope: Scope, db: Database, personIds: readonly string[]): Promise<void> {
  await db.deleteFrom('facePerson').where('parkId', '=', scope.parkId).where('personId', '=', oneOf(personIds)).execute()
}

const pairColumns = columnList(['id', 'personId', 'otherId', 'origin', 'recordId', 'createdAt'])

/** Return the pairs with one of these persons on either side, oldest first. */
export function findPairs(scope: Scope, db: Database, personIds: readonly string[]) {
  if (personIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('facePair')
    .select(pairColumns)
    .where('parkId', '=', scope.parkId)
    .where((eb) => eb.or([eb('personId', '=', oneOf(personIds)), eb('otherId', '=', oneOf(personIds))]))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}
export type PairRow = Awaited<ReturnType<typeof findPairs>>[number]

export function findPair(scope: Scope, db: Database, id: string): Promise<PairRow | undefined> {
  return db.selectFrom('facePair').select(pairColumns).where('parkId', '=', scope.parkId).where('id', '=', id).executeTakeFirst()
}

export interface NewPair {
  id: string
  personId: string
  otherId: string
  origin: PairOrigin
  recordId: string | null
}

/** Add a pair and return its id; where the pair exists in either order, return the existing id. */
export async function putPair(scope: Scope, db: Database, pair: NewPair, now: number): Promise<string> {
  // An update that changes nothing: a conflict that does nothing does not return the row.
  const { rows } = await sql<{ id: string }>`
    INSERT INTO face_pair (id, park_id, person_id, other_id, origin, record_id, created_at)
    VALUES (${pair.id}, ${scope.parkId}, ${pair.personId}, ${pair.otherId}, ${pair.origin}, ${pair.recordId}, ${timestamp(now)})
    ON CONFLICT (park_id, least(person_id, other_id), greatest(person_id, other_id)) DO UPDATE SET origin = face_pair.origin
    RETURNING id`.execute(db)
  return rows[0]!.id
}

/** Delete a pair and return its persons; undefined where this park has no pair of that id. */
export function deletePair(scope: Scope, db: Database, id: string): Promise<{ personId: string; otherId: string } | undefined> {
  return db
    .deleteFrom('facePair')
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .returning(['personId', 'otherId'])
    .executeTakeFirst()
}

/** Delete the pairs of these persons and return the other persons in them. */
export async function deletePairsOfPersons(scope: Scope, db: Database, personIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .deleteFrom('facePair')
    .where('parkId', '=', scope.parkId)
    .where((eb) => eb.or([eb('personId', '=', oneOf(personIds)), eb('otherId', '=', oneOf(personIds))]))
    .returning(['personId', 'otherId'])
    .execute()
  const deletedIds = new Set(personIds)
  return [...new Set(rows.flatMap(({ personId, otherId }) => [personId, otherId]))].filter((id) => !deletedIds.has(id))
}

const photosOf = (scope: Scope, db: Database) =>
  db
    .selectFrom('face')
    .select(['id as faceId', 'fileId', 'setAsideAt'])
    .select((eb) => eb.ref('personId').$notNull().as('personId'))
    .where('parkId', '=', scope.parkId)
    .where('personId', 'is not', null)

/** Return the photographs of these persons, in each person's order. */
export function findPhotosOfPersons(scope: Scope, db: Database, personIds: readonly string[]) {
  if (personIds.length === 0) return Promise.resolve([])
  return photosOf(scope, db).where('personId', '=', oneOf(personIds)).orderBy('personId').orderBy('position').execute()
}

/** Return those of these photographs that belong to a person, in no order. */
export function findPhotosOfFaces(scope: Scope, db: Database, faceIds: readonly string[]) {
  if (faceIds.length === 0) return Promise.resolve([])
  return photosOf(scope, db).where('id', '=', oneOf(faceIds)).execute()
}

/** Return which of these photographs a model has a template of. */
export async function findComparable(scope: Scope, db: Database, faceIds: readonly string[], modelId: string): Promise<Set<string>> {
  if (faceIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('faceTemplate')
    .select('faceId')
    .where('parkId', '=', scope.parkId)
    .where('modelId', '=', modelId)
    .where('faceId', '=', oneOf(faceIds))
    .execute()
  return new Set(rows.map(({ faceId }) => faceId))
}

/** Exclude photographs from comparison since a moment, or include them again with null. */
export async function setAsideAt(scope: Scope, db: Database, faceIds: readonly string[], at: number | null): Promise<void> {
  await db
    .updateTable('face')
    .set({ setAsideAt: at === null ? null : timestamp(at) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(faceIds))
    .execute()
}

export async function deleteMatchingOfPark(scope: Scope, db: Database): Promise<void> {
  await db.deleteFrom('facePerson').where('parkId', '=', scope.parkId).execute()
  await db.deleteFrom('facePair').where('parkId', '=', scope.parkId).execute()
}
