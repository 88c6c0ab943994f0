/**
 * Rows of links and applications; every function takes the scope first. A row about a person whom the caller cannot see does not exist for
 * the caller.
 */
import type { APPLICATION_SOURCES, AUDIT_STATES } from '@gatehouse/contract/enrolment/calls'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { columnList } from '../../platform/database/column-list.ts'
import type { LeavingPerson } from '../../platform/context.ts'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { kindIsSeen, personIsSeen } from '../../platform/session/sight.ts'

export type AuditState = (typeof AUDIT_STATES)[number]
export type ApplicationSource = (typeof APPLICATION_SOURCES)[number]

export interface ApplicationQuery {
  state?: AuditState | undefined
  source?: ApplicationSource | undefined
  name?: string | undefined
  workNumber?: string | undefined
  page: number
  size: number
}

const isSeen = (scope: Scope, table: 'enrolmentLink' | 'personApplication') =>
  sql<boolean>`(${kindIsSeen(scope, `${table}.kind`)} AND ${personIsSeen(scope, `${table}.person_id`)})`

const linkColumns = columnList(['id', 'parkId', 'personId', 'groupId', 'kind', 'createdAt', 'expiresAt'])

export interface LinkValues {
  id: string
  tokenHash: Buffer
  personId: string | null
  groupId: string
  kind: string
  expiresAt: number
}

export async function insertLink(
  scope: Scope,
  db: Database,
  { id, tokenHash, personId, groupId, kind, expiresAt }: LinkValues,
  now: number,
): Promise<void> {
  await db
    .insertInto('enrolmentLink')
    .values({
      id,
      parkId: scope.parkId,
      tokenHash,
      personId,
      groupId,
      kind,
      createdAt: timestamp(now),
      expiresAt: timestamp(expiresAt),
    })
    .execute()
}

/** Unscoped: a person who opens a link has no session, and the token determines the park. */
export const findLinkUnscoped = (db: Database, tokenHash: Buffer, now: number) =>
  db
    .selectFrom('enrolmentLink')
    .select(linkColumns)
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', timestamp(now))
    .executeTakeFirst()
export type LinkRow = NonNullable<Awaited<ReturnType<typeof findLinkUnscoped>>>

/** Return the links that are still valid, the newest first, with how often each was used. */
export function listLinks(scope: Scope, db: Database, page: Paging, now: number) {
  const rows = db
    .selectFrom('enrolmentLink')
    .select((eb) => [
      ...linkColumns,
      eb
        .selectFrom('personApplication')
        .whereRef('personApplication.linkId', '=', 'enrolmentLink.id')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .as('applications'),
    ])
    .where('parkId', '=', scope.parkId)
    .where('expiresAt', '>', timestamp(now))
    .where(isSeen(scope, 'enrolmentLink'))
  return readPage(rows.orderBy('createdAt', 'desc').orderBy('id', 'desc'), page)
}

/** Delete a link; return whether it existed. */
export async function deleteLink(scope: Scope, db: Database, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('enrolmentLink')
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where(isSeen(scope, 'enrolmentLink'))
    .executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}

export async function deleteLinksOf(scope: Scope, db: Database, of: { groupId: string } | { personIds: readonly string[] }): Promise<void> {
  const rows = db.deleteFrom('enrolmentLink').where('parkId', '=', scope.parkId)
  await ('groupId' in of ? rows.where('groupId', '=', of.groupId) : rows.where('personId', '=', oneOf(of.personIds))).execute()
}

/** Unscoped: delete the ended links of all parks. */
export async function deleteEndedLinksUnscoped(db: Database, now: number): Promise<void> {
  await db.deleteFrom('enrolmentLink').where('expiresAt', '<=', timestamp(now)).execute()
}

const applicationColumns = columnList([
  'id',
  'parkId',
  'linkId',
  'source',
  'system',
  'state',
  'personId',
  'kind',
  'name',
  'workNumber',
  'phoneSealed',
  'gender',
  'groupId',
  'fileId',
  'modelId',
  'template',
  'faceX',
  'faceY',
  'secondFileId',
  'secondFaceX',
  'secondFaceY',
  'consent',
  'createdAt',
  'decidedAt',
  'decidedBy',
  'reason',
  'claimedUntil',
])

const LONGEST_WAITING = [
  ['createdAt', 'asc'],
  ['id', 'asc'],
] as const
const LATEST_DECIDED = [
  ['decidedAt', 'desc'],
  ['id', 'desc'],
] as const

export function listApplications(scope: Scope, db: Database, query: ApplicationQuery) {
  let rows = db
    .selectFrom('personApplication')
    .select(applicationColumns)
    .where('parkId', '=', scope.parkId)
    .where(isSeen(scope, 'personApplication'))
  if (query.state !== undefined) rows = rows.where('state', '=', query.state)
  if (query.source !== undefined) rows = rows.where('source', '=', query.source)
  if (query.name !== undefined && query.name !== '') rows = rows.where('name', 'ilike', personalPattern(scope, query.name))
  if (query.workNumber !== undefined && query.workNumber !== '') rows = rows.where('workNumber', 'ilike', containing(query.workNumber))
  const [[first, direction], [second]] = query.state === undefined || query.state === 'pending' ? LONGEST_WAITING : LATEST_DECIDED
  return readPage(rows.orderBy(first, direction).orderBy(second, direction), query)
}
export type ApplicationRow = Awaited<ReturnType<typeof listApplications>>['content'][number]

export async function countApplications(scope: Scope, db: Database): Promise<Record<AuditState, number> & { newest: number | null }> {
  const rows = await db
    .selectFrom('personApplication')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count'), eb.fn.max('createdAt').as('newest')])
    .where('parkId', '=', scope.parkId)
    .where(isSeen(scope, 'personApplication'))
    .groupBy('state')
    .execute()
  const newest = rows.find(({ state }) => state === 'pending')?.newest as number | undefined
  return {
    pending: 0,
    passed: 0,
    rejected: 0,
    newest: newest ?? null,
    ...Object.fromEntries(rows.map(({ state, count }) => [state, count])),
  }
}

export function findApplications(scope: Scope, db: Database, ids: readonly string[]): Promise<ApplicationRow[]> {
  return db
    .selectFrom('personApplication')
    .select(applicationColumns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(isSeen(scope, 'personApplication'))
    .execute()
}

/** Return applications about these persons in any state: their own, and others with their work number. */
export function findApplicationsOf(scope: Scope, db: Database, persons: readonly LeavingPerson[]) {
  const workNumbers = persons.flatMap(({ workNumber }) => workNumber ?? [])
  return db
    .selectFrom('personApplication')
    .select(['id', 'fileId', 'secondFileId'])
    .where('parkId', '=', scope.parkId)
    .where((eb) =>
      eb.or([
        eb('personId', '=', oneOf(persons.map(({ id }) => id))),
        ...(workNumbers.length > 0 ? [eb('workNumber', 'in', workNumbers)] : []),
      ]),
    )
    .execute()
}

/** Lock an identity, so that concurrent applications of it wait for the end of this transaction. */
export async function lockIdentity(scope: Scope, db: Database, identity: Buffer): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${scope.parkId + identity.toString('hex')}, 0))`.execute(db)
}

/** Return the latest application of this identity. */
export const findByIdentity = (scope: Scope, db: Database, identity: Buffer): Promise<ApplicationRow | undefined> =>
  db
    .selectFrom('personApplication')
    .select(applicationColumns)
    .where('parkId', '=', scope.parkId)
    .where('identity', '=', identity)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()

export interface ApplicationValues {
  source: ApplicationSource
  system: string
  linkId: string | null
  identity: Buffer
  personId: string | null
  kind: PersonKind
  name: string
  workNumber: string | null
  /** Encrypted. */
  phoneSealed: Buffer | null
  gender: number
  groupId: string
  fileId: string | null
  modelId: string | null
  template: Buffer | null
  faceX: number | null
  faceY: number | null
  consent: boolean
}

const columnsOf = (values: ApplicationValues) => ({
  source: values.source,
  system: values.system,
  linkId: values.linkId,
  identity: values.identity,
  personId: values.personId,
  kind: values.kind,
  name: values.name,
  workNumber: values.workNumber,
  phoneSealed: values.phoneSealed,
  gender: values.gender,
  groupId: values.groupId,
  fileId: values.fileId,
  modelId: values.modelId,
  template: values.template,
  faceX: values.faceX,
  faceY: values.faceY,
  consent: values.consent,
})

export async function insertApplication(scope: Scope, db: Database, id: string, values: ApplicationValues, now: number): Promise<void> {
  await db
    .insertInto('personApplication')
    .values({ id, parkId: scope.parkId, ...columnsOf(values), state: 'pending', createdAt: timestamp(now), decidedBy: '', reason: '' })
    .execute()
}

/** Replace a pending application; return false if it is being decided, or has been. */
export async function replaceApplication(scope: Scope, db: Database, id: string, values: ApplicationValues, now: number): Promise<boolean> {
  const result = await db
    .updateTable('personApplication')
    .set({ ...columnsOf(values), secondFileId: null, secondFaceX: null, secondFaceY: null, createdAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where((eb) => eb.or([eb('claimedUntil', 'is', null), eb('claimedUntil', '<=', timestamp(now))]))
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Add the second photo to a pending application; return the row before, or undefined if it is no longer pending or is being decided. */
export async function saveSecond(
  scope: Scope,
  db: Database,
  id: string,
  { fileId, faceX, faceY }: { fileId: string; faceX: number; faceY: number },
  now: number,
): Promise<ApplicationRow | undefined> {
  const before = await db
    .selectFrom('personApplication')
    .select(applicationColumns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where((eb) => eb.or([eb('claimedUntil', 'is', null), eb('claimedUntil', '<=', timestamp(now))]))
    .forUpdate()
    .executeTakeFirst()
  if (before === undefined) return undefined
  await db
    .updateTable('personApplication')
    // A new time, because no approver has seen this photo yet.
    .set({ secondFileId: fileId, secondFaceX: faceX, secondFaceY: faceY, createdAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
  return before
}

/** Claim a pending application to decide it; undefined if another caller has, or it is decided. */
export function claimApplication(scope: Scope, db: Database, id: string, now: number, until: number): Promise<ApplicationRow | undefined> {
  return db
    .updateTable('personApplication')
    .set({ claimedUntil: timestamp(until) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where(isSeen(scope, 'personApplication'))
    .where((eb) => eb.or([eb('claimedUntil', 'is', null), eb('claimedUntil', '<=', timestamp(now))]))
    .returning(applicationColumns)
    .executeTakeFirst()
}

export async function unclaimApplication(scope: Scope, db: Database, id: string): Promise<void> {
  await db.updateTable('personApplication').set({ claimedUntil: null }).where('parkId', '=', scope.parkId).where('id', '=', id).execute()
}

export interface Decision {
  state: 'passed' | 'rejected'
  personId: string | null
  decidedBy: string
  reason: string
}

/** Store a decision, and delete the data that only the decision needed. */
export async function decideApplication(
  scope: Scope,
  db: Database,
  id: string,
  { state, personId, decidedBy, reason }: Decision,
  now: number,
): Promise<void> {
  await db
    .updateTable('personApplication')
    .set({
      state,
      personId,
      decidedBy,
      reason,
      decidedAt: timestamp(now),
      fileId: null,
      modelId: null,
      template: null,
      faceX: null,
      faceY: null,
      secondFileId: null,
      secondFaceX: null,
      secondFaceY: null,
      claimedUntil: null,
    })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

export async function deleteApplications(scope: Scope, db: Database, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('personApplication').where('parkId', '=', scope.parkId).where('id', '=', oneOf(ids)).execute()
}

/** Unscoped: return at most 1,000 applications of all parks that were decided before a time. */
export const findDecidedBeforeUnscoped = (db: Database, moment: number) =>
  db.selectFrom('personApplication').select(['id', 'parkId']).where('decidedAt', '<', timestamp(moment)).limit(1000).execute()

/** Delete the rows of a park; return their numbers, and the files that no row refers to any more. */
export async function deleteOfPark(scope: Scope, db: Database): Promise<{ links: number; applications: number; fileIds: string[] }> {
  const links = await db.deleteFrom('enrolmentLink').where('parkId', '=', scope.parkId).executeTakeFirst()
  const rows = await db.deleteFrom('personApplication').where('parkId', '=', scope.parkId).returning(['fileId', 'secondFileId']).execute()
  return {
    links: Number(links.numDeletedRows),
    applications: rows.length,
    fileIds: rows.flatMap((row) => [row.fileId ?? [], row.secondFileId ?? []].flat()),
  }
}
