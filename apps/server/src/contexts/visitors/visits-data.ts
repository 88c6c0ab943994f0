/** Rows of visits and of those who come along. Every function takes the scope first, except those of jobs over all parks. */
import type { VisitorStatus } from '@gatehouse/contract/visitors/transitions'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deleteLinksOfHosts } from './links-data.ts'
import type { StoredMatch } from './schema.ts'

export const visitColumns = columnList([
  'id',
  'parkId',
  'status',
  'source',
  'channel',
  'enabled',
  'name',
  'details',
  'visitorGroupId',
  'visitorNumber',
  'hostId',
  'hostName',
  'reason',
  'appointedAt',
  'visitAt',
  'visitEndAt',
  'validDays',
  'expiresAt',
  'enteredAt',
  'signedOffAt',
  'signInSource',
  'forced',
  'cardReturned',
  'rejectReason',
  'remark',
  'customFields',
  'watchMatches',
  'deskChecks',
  'accessGroupIds',
  'passMethods',
  'personId',
  'formerPersonIds',
  'photoFileId',
  'faceConsent',
  'registeredBy',
  'version',
  'updatedAt',
])

/** Return these visits of the park, in no order. */
export async function findVisits(scope: Scope, db: Database, ids: readonly string[]) {
  if (ids.length === 0) return []
  return db.selectFrom('visit').select(visitColumns).where('parkId', '=', scope.parkId).where('id', '=', oneOf(ids)).execute()
}
export type VisitRow = Awaited<ReturnType<typeof findVisits>>[number]

/** Return a visit, locked until the transaction ends. */
export async function lockVisit(scope: Scope, db: Database, id: string): Promise<VisitRow | undefined> {
  return db.selectFrom('visit').select(visitColumns).where('parkId', '=', scope.parkId).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** What a form decides of a visit; details encrypted. */
export interface VisitValues {
  name: string
  details: Buffer
  phoneIndex: Buffer
  phoneEnding: Buffer | null
  visitorGroupId: string
  visitorNumber: number
  hostId: string | null
  hostName: string
  reason: number
  visitAt: number
  visitEndAt: number
  validDays: number | null
  expiresAt: number
  remark: string
  customFields: Record<string, string>
  watchMatches: readonly StoredMatch[]
  deskChecks: string[]
  accessGroupIds: string[]
  passMethods: number[]
  photoFileId: string | null
  faceConsent: boolean
}

const columnsOf = (values: VisitValues) => ({
  ...values,
  visitAt: timestamp(values.visitAt),
  visitEndAt: timestamp(values.visitEndAt),
  expiresAt: timestamp(values.expiresAt),
  customFields: JSON.stringify(values.customFields),
  watchMatches: JSON.stringify(values.watchMatches),
  // What was agreed to before says nothing of a consent that is given again.
  ...(!values.faceConsent && { consentShown: null }),
})

export interface NewVisit {
  id: string
  status: VisitorStatus
  source: number
  channel: number | null
  enteredAt: number | null
  signInSource: number | null
  personId: string | null
  registeredBy: string
}

export async function insertVisit(scope: Scope, db: Database, visit: NewVisit, values: VisitValues, now: number): Promise<void> {
  await db
    .insertInto('visit')
    .values({
      ...visit,
      parkId: scope.parkId,
      ...columnsOf(values),
      enteredAt: visit.enteredAt === null ? null : timestamp(visit.enteredAt),
      appointedAt: timestamp(now),
      createdAt: timestamp(now),
      updatedAt: timestamp(now),
      version: 1,
    })
    .execute()
}

/** Return false where the visit is not at `version` any more. @param more columns besides those of the form */
export const updateVisit = (
  scope: Scope,
  db: Database,
  { id, version }: { id: string; version: number },
  values: VisitValues,
  more: { personId?: string | null },
  now: number,
): Promise<boolean> => updateAtVersion(scope, db, 'visit', { id, version }, { ...columnsOf(values), ...more }, now)

/** What happens to a visit besides its form; what is left out stays. */
export interface VisitChange {
  status?: VisitorStatus
  enabled?: boolean
  personId?: string | null
  formerPersonIds?: string[]
  enteredAt?: number
  signInSource?: number
  signedOffAt?: number
  endedAt?: number
  forced?: boolean
  cardReturned?: boolean
  rejectReason?: string
  details?: Buffer
  accessGroupIds?: string[]
  passMethods?: number[]
  watchMatches?: readonly StoredMatch[]
  deskChecks?: string[]
}

/** Write what happened to a visit that is locked. */
export async function changeVisit(scope: Scope, db: Database, id: string, change: VisitChange, now: number): Promise<void> {
  const { enteredAt, signedOffAt, endedAt, watchMatches, ...others } = change
  await db
    .updateTable('visit')
    .set((eb) => ({
      ...others,
      ...(enteredAt !== undefined && { enteredAt: timestamp(enteredAt) }),
      ...(signedOffAt !== undefined && { signedOffAt: timestamp(signedOffAt) }),
      ...(endedAt !== undefined && { endedAt: timestamp(endedAt) }),
      ...(watchMatches !== undefined && { watchMatches: JSON.stringify(watchMatches) }),
      updatedAt: timestamp(now),
      version: eb('version', '+', 1),
    }))
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

export async function deleteVisits(scope: Scope, db: Database, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('visit').where('parkId', '=', scope.parkId).where('id', '=', oneOf(ids)).execute()
}

/** Return which of these phones a visitor has who is there now. @param except a visit that does not count */
export async function findPresentPhones(
  scope: Scope,
  db: Database,
  phoneIndexes: readonly Buffer[],
  except: string | null,
): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('visit')
    .select('phoneIndex')
    .where('parkId', '=', scope.parkId)
    .where('phoneIndex', '=', sql<Buffer>`ANY(${sql.val(phoneIndexes)}::bytea[])`)
    .where('status', 'in', [2, 9])
    .$if(except !== null, (found) => found.where('id', '<>', except!))
    .execute()
  return rows.map(({ phoneIndex }) => phoneIndex)
}

/** Return the visits whose visitors these persons are now, by person; companions are left out. */
export async function findVisitsOfPersons(
  scope: Scope,
  db: Database,
  personIds: readonly string[],
): Promise<{ id: string; personId: string }[]> {
  if (personIds.length === 0) return []
  const rows = await db
    .selectFrom('visit')
    .select(['id', 'personId'])
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .execute()
  return rows.flatMap(({ id, personId }) => (personId === null ? [] : [{ id, personId }]))
}

/** Remove the values of all other own fields from all visits of the park. */
export async function keepCustomFields(scope: Scope, db: Database, fieldIds: readonly string[]): Promise<void> {
  await sql`UPDATE visit SET custom_fields = (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(custom_fields)
    WHERE key = ANY(${sql.val(fieldIds)}::text[]))
    WHERE park_id = ${scope.parkId}::uuid AND custom_fields - ${sql.val(fieldIds)}::text[] <> '{}'`.execute(db)
}

/** A visit whose time is over, or that waits for its sign-off. */
export interface DueVisit {
  id: string
  parkId: string
  status: VisitorStatus
  expiresAt: number
  personId: string | null
}

/** Return visits of all parks of which something has ended, those after an id, in the order of their ids. */
export async function findDueUnscoped(db: Database, now: number, after: string, limit: number): Promise<DueVisit[]> {
  const moment = timestamp(now)
  return db
    .selectFrom('visit')
    .select(['id', 'parkId', sql<VisitorStatus>`status`.as('status'), 'expiresAt', 'personId'])
    .where((eb) =>
      eb.or([
        eb.and([eb('status', 'in', [0, 5]), eb('visitEndAt', '<', moment)]),
        eb.and([eb('status', 'in', [1, 2, 9]), eb('expiresAt', '<', moment)]),
      ]),
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Return the ids of visits of a park that ended before a moment. */
export async function findEndedBefore(scope: Scope, db: Database, before: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('visit')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where('endedAt', '<', timestamp(before))
    .orderBy('endedAt')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Forget persons as hosts, with their links, and as matches of the watch list. Return how many visits named one.
 * @param erased their names too
 */
export async function forgetPersons(scope: Scope, db: Database, personIds: readonly string[], erased: boolean): Promise<number> {
  await deleteLinksOfHosts(scope, db, personIds)
  const hosted = await db
    .updateTable('visit')
    .set({ hostId: null, ...(erased && { hostName: '' }) })
    .where('parkId', '=', scope.parkId)
    .where('hostId', '=', oneOf(personIds))
    .executeTakeFirst()
  const { numAffectedRows = 0n } = await sql`UPDATE visit SET watch_matches = (
      SELECT coalesce(jsonb_agg(match), '[]') FROM jsonb_array_elements(watch_matches) AS match
        WHERE NOT match->>'personId' = ANY(${sql.val(personIds)}::text[]))
    WHERE park_id = ${scope.parkId}::uuid AND watch_matches <> '[]'
      AND EXISTS (SELECT 1 FROM jsonb_array_elements(watch_matches) AS match
        WHERE match->>'personId' = ANY(${sql.val(personIds)}::text[]))`.execute(db)
  return Number(hosted.numUpdatedRows) + Number(numAffectedRows)
}

/** Return how many visits name one of these persons as their host. */
export async function countHosted(scope: Scope, db: Database, personIds: readonly string[]): Promise<number> {
  const { count } = await db
    .selectFrom('visit')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('parkId', '=', scope.parkId)
    .where('hostId', '=', oneOf(personIds))
    .executeTakeFirstOrThrow()
  return count
}

/** Delete all visits, imports of visits and pass rules of the park; return their number and the files of their pictures. */
export async function deleteOfPark(scope: Scope, db: Database): Promise<{ visits: number; passRules: number; fileIds: string[] }> {
  await db.deleteFrom('visitImport').where('parkId', '=', scope.parkId).execute()
  const peers = await db.deleteFrom('visitPeer').where('parkId', '=', scope.parkId).returning('photoFileId').execute()
  const visits = await db.deleteFrom('visit').where('parkId', '=', scope.parkId).returning('photoFileId').execute()
  const rules = await db.deleteFrom('visitorPassRule').where('parkId', '=', scope.parkId).executeTakeFirst()
  return {
    visits: visits.length,
    passRules: Number(rules.numDeletedRows),
    fileIds: [...peers, ...visits].flatMap(({ photoFileId }) => photoFileId ?? []),
  }
}
