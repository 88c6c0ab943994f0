/** Rows of links and applications; every function takes the scope first. What is about somebody who does not exist for its asker does not either. */
import type { APPLICATION_SOURCES, AUDIT_STATES } from '@gatehouse/contract/enrolment/calls'
import type { PersonKind } from '@gatehouse/contract/people/calls'
import { columnList } from '../../platform/database/column-list.ts'
import type { LeavingPerson } from '../../platform/context.ts'
import { containing, oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import { kindIsSeen, personIsSeen } from '../../platform/session/sight.ts'
import type { EnrolmentTables } from './schema.ts'

type Db = Database<EnrolmentTables>
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

const isSeen = (scope: Scope, table: 'enrolment_link' | 'person_application') =>
  sql<boolean>`(${kindIsSeen(scope, `${table}.kind`)} AND ${personIsSeen(scope, `${table}.person_id`)})`

const linkColumns = columnList([
  'id',
  'park_id as parkId',
  'person_id as personId',
  'group_id as groupId',
  'kind',
  'created_at as createdAt',
  'expires_at as expiresAt',
])

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
  db: Db,
  { id, tokenHash, personId, groupId, kind, expiresAt }: LinkValues,
  now: number,
): Promise<void> {
  await db
    .insertInto('enrolment_link')
    .values({
      id,
      park_id: scope.parkId,
      token_hash: tokenHash,
      person_id: personId,
      group_id: groupId,
      kind,
      created_at: timestamp(now),
      expires_at: timestamp(expiresAt),
    })
    .execute()
}

/** Unscoped: whoever opens a link has no session, and the token says which park it is. */
export const findLinkUnscoped = (db: Db, tokenHash: Buffer, now: number) =>
  db
    .selectFrom('enrolment_link')
    .select(linkColumns)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', timestamp(now))
    .executeTakeFirst()
export type LinkRow = NonNullable<Awaited<ReturnType<typeof findLinkUnscoped>>>

/** Links that still open, the newest first, with how often each was used. */
export function listLinks(scope: Scope, db: Db, page: Paging, now: number) {
  const rows = db
    .selectFrom('enrolment_link')
    .select((eb) => [
      ...linkColumns,
      eb
        .selectFrom('person_application')
        .whereRef('person_application.link_id', '=', 'enrolment_link.id')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .as('applications'),
    ])
    .where('park_id', '=', scope.parkId)
    .where('expires_at', '>', timestamp(now))
    .where(isSeen(scope, 'enrolment_link'))
  return readPage(rows.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
}

/** Answers whether there was such a link. */
export async function deleteLink(scope: Scope, db: Db, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('enrolment_link')
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where(isSeen(scope, 'enrolment_link'))
    .executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}

export async function deleteLinksOf(scope: Scope, db: Db, of: { groupId: string } | { personIds: readonly string[] }): Promise<void> {
  const rows = db.deleteFrom('enrolment_link').where('park_id', '=', scope.parkId)
  await ('groupId' in of ? rows.where('group_id', '=', of.groupId) : rows.where('person_id', '=', oneOf(of.personIds))).execute()
}

/** Unscoped: whatever park they are of. */
export async function deleteEndedLinksUnscoped(db: Db, now: number): Promise<void> {
  await db.deleteFrom('enrolment_link').where('expires_at', '<=', timestamp(now)).execute()
}

const applicationColumns = columnList([
  'id',
  'park_id as parkId',
  'link_id as linkId',
  'source',
  'system',
  'state',
  'person_id as personId',
  'kind',
  'name',
  'work_number as workNumber',
  'phone_sealed as phoneSealed',
  'gender',
  'group_id as groupId',
  'file_id as fileId',
  'model_id as modelId',
  'template',
  'face_x as faceX',
  'face_y as faceY',
  'second_file_id as secondFileId',
  'second_face_x as secondFaceX',
  'second_face_y as secondFaceY',
  'consent',
  'created_at as createdAt',
  'decided_at as decidedAt',
  'decided_by as decidedBy',
  'reason',
  'claimed_until as claimedUntil',
])

const LONGEST_WAITING = [
  ['created_at', 'asc'],
  ['id', 'asc'],
] as const
const LATEST_DECIDED = [
  ['decided_at', 'desc'],
  ['id', 'desc'],
] as const

export function listApplications(scope: Scope, db: Db, query: ApplicationQuery) {
  let rows = db
    .selectFrom('person_application')
    .select(applicationColumns)
    .where('park_id', '=', scope.parkId)
    .where(isSeen(scope, 'person_application'))
  if (query.state !== undefined) rows = rows.where('state', '=', query.state)
  if (query.source !== undefined) rows = rows.where('source', '=', query.source)
  if (query.name !== undefined && query.name !== '') rows = rows.where('name', 'ilike', personalPattern(scope, query.name))
  if (query.workNumber !== undefined && query.workNumber !== '') rows = rows.where('work_number', 'ilike', containing(query.workNumber))
  const [[first, direction], [second]] = query.state === undefined || query.state === 'pending' ? LONGEST_WAITING : LATEST_DECIDED
  return readPage(rows.orderBy(first, direction).orderBy(second, direction), query)
}
export type ApplicationRow = Awaited<ReturnType<typeof listApplications>>['content'][number]

export async function countApplications(scope: Scope, db: Db): Promise<Record<AuditState, number> & { newest: number | null }> {
  const rows = await db
    .selectFrom('person_application')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count'), eb.fn.max('created_at').as('newest')])
    .where('park_id', '=', scope.parkId)
    .where(isSeen(scope, 'person_application'))
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

export function findApplications(scope: Scope, db: Db, ids: readonly string[]): Promise<ApplicationRow[]> {
  return db
    .selectFrom('person_application')
    .select(applicationColumns)
    .where('park_id', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(isSeen(scope, 'person_application'))
    .execute()
}

/** Applications about these persons, whatever became of them: theirs, and of others who gave their work number. */
export function findApplicationsOf(scope: Scope, db: Db, persons: readonly LeavingPerson[]) {
  const workNumbers = persons.flatMap(({ workNumber }) => workNumber ?? [])
  return db
    .selectFrom('person_application')
    .select(['id', 'file_id as fileId', 'second_file_id as secondFileId'])
    .where('park_id', '=', scope.parkId)
    .where((eb) =>
      eb.or([
        eb('person_id', '=', oneOf(persons.map(({ id }) => id))),
        ...(workNumbers.length > 0 ? [eb('work_number', 'in', workNumbers)] : []),
      ]),
    )
    .execute()
}

/** Lets whoever hands in the same at the same time wait for the end of this transaction. */
export async function lockIdentity(scope: Scope, db: Db, identity: Buffer): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${scope.parkId + identity.toString('hex')}, 0))`.execute(db)
}

/** The latest one of this identity. */
export const findByIdentity = (scope: Scope, db: Db, identity: Buffer): Promise<ApplicationRow | undefined> =>
  db
    .selectFrom('person_application')
    .select(applicationColumns)
    .where('park_id', '=', scope.parkId)
    .where('identity', '=', identity)
    .orderBy('created_at', 'desc')
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
  link_id: values.linkId,
  identity: values.identity,
  person_id: values.personId,
  kind: values.kind,
  name: values.name,
  work_number: values.workNumber,
  phone_sealed: values.phoneSealed,
  gender: values.gender,
  group_id: values.groupId,
  file_id: values.fileId,
  model_id: values.modelId,
  template: values.template,
  face_x: values.faceX,
  face_y: values.faceY,
  consent: values.consent,
})

export async function insertApplication(scope: Scope, db: Db, id: string, values: ApplicationValues, now: number): Promise<void> {
  await db
    .insertInto('person_application')
    .values({ id, park_id: scope.parkId, ...columnsOf(values), state: 'pending', created_at: timestamp(now), decided_by: '', reason: '' })
    .execute()
}

/** A pending one anew; false where somebody is deciding it, or has. */
export async function replaceApplication(scope: Scope, db: Db, id: string, values: ApplicationValues, now: number): Promise<boolean> {
  const result = await db
    .updateTable('person_application')
    .set({ ...columnsOf(values), second_file_id: null, second_face_x: null, second_face_y: null, created_at: timestamp(now) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', timestamp(now))]))
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Gives a pending one its second photograph; answers what it was before, undefined where it is not pending any more, or somebody is deciding it. */
export async function saveSecond(
  scope: Scope,
  db: Db,
  id: string,
  { fileId, faceX, faceY }: { fileId: string; faceX: number; faceY: number },
  now: number,
): Promise<ApplicationRow | undefined> {
  const before = await db
    .selectFrom('person_application')
    .select(applicationColumns)
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', timestamp(now))]))
    .forUpdate()
    .executeTakeFirst()
  if (before === undefined) return undefined
  await db
    .updateTable('person_application')
    // Whoever decides has not seen it yet.
    .set({ second_file_id: fileId, second_face_x: faceX, second_face_y: faceY, created_at: timestamp(now) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
  return before
}

/** Takes a pending one to decide it; undefined where somebody else has, or it is decided. */
export function claimApplication(scope: Scope, db: Db, id: string, now: number, until: number): Promise<ApplicationRow | undefined> {
  return db
    .updateTable('person_application')
    .set({ claimed_until: timestamp(until) })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .where(isSeen(scope, 'person_application'))
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', timestamp(now))]))
    .returning(applicationColumns)
    .executeTakeFirst()
}

export async function unclaimApplication(scope: Scope, db: Db, id: string): Promise<void> {
  await db.updateTable('person_application').set({ claimed_until: null }).where('park_id', '=', scope.parkId).where('id', '=', id).execute()
}

export interface Decision {
  state: 'passed' | 'rejected'
  personId: string | null
  decidedBy: string
  reason: string
}

/** Writes a decision down and drops what it was made by. */
export async function decideApplication(
  scope: Scope,
  db: Db,
  id: string,
  { state, personId, decidedBy, reason }: Decision,
  now: number,
): Promise<void> {
  await db
    .updateTable('person_application')
    .set({
      state,
      person_id: personId,
      decided_by: decidedBy,
      reason,
      decided_at: timestamp(now),
      file_id: null,
      model_id: null,
      template: null,
      face_x: null,
      face_y: null,
      second_file_id: null,
      second_face_x: null,
      second_face_y: null,
      claimed_until: null,
    })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

export async function deleteApplications(scope: Scope, db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('person_application').where('park_id', '=', scope.parkId).where('id', '=', oneOf(ids)).execute()
}

/** Unscoped: whatever park they are of. */
export const findDecidedBeforeUnscoped = (db: Db, moment: number) =>
  db.selectFrom('person_application').select(['id', 'park_id as parkId']).where('decided_at', '<', timestamp(moment)).limit(1000).execute()

/** Answers files that nobody refers to any more. */
export async function deleteOfPark(scope: Scope, db: Db): Promise<{ links: number; applications: number; fileIds: string[] }> {
  const links = await db.deleteFrom('enrolment_link').where('park_id', '=', scope.parkId).executeTakeFirst()
  const rows = await db
    .deleteFrom('person_application')
    .where('park_id', '=', scope.parkId)
    .returning(['file_id', 'second_file_id'])
    .execute()
  return {
    links: Number(links.numDeletedRows),
    applications: rows.length,
    fileIds: rows.flatMap((row) => [row.file_id ?? [], row.second_file_id ?? []].flat()),
  }
}
