/** Rows of persons; every function takes the scope first, and those who do not exist for its asker are in no answer and in no change. */
import type { z } from 'zod'
import type { ConsentState, personQuery } from '@gatehouse/contract/people/calls'
import { objectOf, PLAIN_FIELDS, type PlainField } from '@gatehouse/contract/people/plain-fields'
import { columnList } from '../../platform/database/column-list.ts'
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { oneOf, containing, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import { keptPrepared } from '../../platform/database/prepared.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import { kindIsSeen } from '../../platform/session/sight.ts'
import { detailsOpener, sealedDetailsOf, wantedCard, wantedPhone, type PersonDetails, type WantedNumber } from './details.ts'
import { seenTypes } from './group-sight.ts'
import { spellingOf, wantedSpelling } from './spelling.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import { PLAIN_COLUMNS, type PeopleTables } from './schema.ts'

type Db = Database<PeopleTables>
/** What reads persons: what of them is sealed is opened on the way. */
export interface Reading {
  db: Db
  crypto: Crypto
}

export type PersonQuery = z.output<typeof personQuery>
export type PersonFilter = Omit<PersonQuery, 'page' | 'size'>

const DAY = 86_400_000

/** What a person is shown and exported by. */
const SHOWN = [
  'person.id',
  'person.name',
  'person.work_number as workNumber',
  'person.details',
  'person.gender',
  'person_group.name as groupName',
  'person.card_type as cardType',
  'person.card_number_format as cardNumberFormat',
  'person.id_type as idType',
  'person.id_number as idNumber',
  ...PLAIN_FIELDS.map((field) => `person.${PLAIN_COLUMNS[field]} as ${field}` as const),
  'person.valid_from as validFrom',
  'person.valid_to as validTo',
  'person.id_photo as idPhoto',
  'person.registration_photo as registrationPhoto',
  'person.consent',
  'person.consent_at as consentAt',
  'person.custom_fields as customFields',
  'person.enabled',
  'person.kind',
  'person.created_at as createdAt',
  'person.updated_at as updatedAt',
] as const
export const shownColumns = columnList(SHOWN)
const personColumns = columnList([
  ...SHOWN,
  'person.group_id as groupId',
  'person.personal_password as personalPassword',
  'person.personal_password_index as personalPasswordIndex',
  'person.version',
])

const withGroup = (db: Db) => db.selectFrom('person').innerJoin('person_group', 'person_group.id', 'person.group_id')

const hasNumber = (what: 'phone' | 'card', { whole, ending }: WantedNumber) =>
  sql<boolean>`(${sql.ref(`person.${what}_index`)} = ANY(${sql.val(whole)}::bytea[]) OR ${sql.ref(`person.${what}_ending`)} = ${ending}::bytea)`

/** Whether a typed text matches a person: the name, the work number, the phone or the pinyin of the name. */
function matches(scope: Scope, crypto: Crypto, typed: string) {
  const spelling = wantedSpelling(scope, typed)
  return sql<boolean>`(person.name ILIKE ${personalPattern(scope, typed)} OR person.work_number ILIKE ${containing(typed)}
    OR ${hasNumber('phone', wantedPhone(crypto, scope, typed))} OR ${spelling === null ? sql.lit(false) : sql`person.spelling LIKE ${spelling}`})`
}

/** Whether a typed text is the whole name, work number or phone of a person. */
const matchesExactly = (scope: Scope, crypto: Crypto, typed: string) =>
  sql<boolean>`(lower(${typed}) IN (lower(person.name), lower(person.work_number))
    OR person.phone_index = ANY(${sql.val(wantedPhone(crypto, scope, typed).whole)}::bytea[])) IS TRUE`

/** The filter of the list call; each condition names its index in the migration. */
export function filtered(scope: Scope, { db, crypto }: Reading, query: PersonFilter, groupIds: readonly string[] | null, now: number) {
  let rows = db.selectFrom('person').where('person.park_id', '=', scope.parkId).where(kindIsSeen(scope))
  if (query.keyword) rows = rows.where(matches(scope, crypto, query.keyword))
  if (query.name !== undefined && query.name !== '') rows = rows.where('person.name', 'ilike', personalPattern(scope, query.name))
  if (query.workNumber !== undefined && query.workNumber !== '')
    rows = rows.where('person.work_number', 'ilike', containing(query.workNumber))
  if (query.phone !== undefined && query.phone !== '') rows = rows.where(hasNumber('phone', wantedPhone(crypto, scope, query.phone)))
  if (query.cardNumber !== undefined && query.cardNumber !== '')
    rows = rows.where(hasNumber('card', wantedCard(crypto, scope, query.cardNumber)))
  if (groupIds !== null) rows = rows.where('person.group_id', '=', oneOf(groupIds))
  if (query.consent !== undefined) rows = rows.where('person.consent', '=', query.consent)
  // Whom to look out for is a register of its own: only who asks for it sees it.
  rows = query.kind === undefined ? rows.where('person.kind', '<>', sql.lit('special')) : rows.where('person.kind', '=', query.kind)
  if (query.facesBelow !== undefined) rows = rows.where('person.face_count', '<', query.facesBelow)
  if (query.hasFace !== undefined) rows = rows.where('person.face_count', query.hasFace === 1 ? '>' : '=', 0)
  const moment = timestamp(now)
  if (query.status === 0) rows = rows.where('person.enabled', '=', false)
  if (query.status === 1)
    rows = rows
      .where('person.enabled', '=', true)
      .where((eb) => eb.or([eb('person.valid_to', 'is', null), eb('person.valid_to', '>=', moment)]))
  if (query.status === 2) rows = rows.where('person.enabled', '=', true).where('person.valid_to', '<', moment)
  if (query.expiringDays !== undefined)
    rows = rows.where('person.valid_to', '>=', moment).where('person.valid_to', '<', timestamp(now + query.expiringDays * DAY))
  return rows
}

/** What a list is sorted by. Names that are shown masked are in no order: it would tell what stands behind the asterisks. */
export const sortColumnOf = ({ sees }: Scope, sort: keyof typeof SORT_COLUMNS = 'createdAt') =>
  SORT_COLUMNS[sees?.masked === true && sort === 'name' ? 'createdAt' : sort]

const SORT_COLUMNS = {
  createdAt: 'person.created_at',
  name: 'person.name',
  workNumber: 'person.work_number',
  validTo: 'person.valid_to',
} as const

export async function listPersons(scope: Scope, from: Reading, query: PersonQuery, groupIds: readonly string[] | null, now: number) {
  const { db, crypto } = from
  const rows = filtered(scope, from, query, groupIds, now)
  const direction = query.order ?? (query.sort === undefined ? 'desc' : 'asc')
  const column = sortColumnOf(scope, query.sort)
  const exactly = query.sort === undefined && query.keyword ? matchesExactly(scope, crypto, query.keyword) : null
  // Which persons first, by the index alone, and only of those all that is shown. As a list of ids: joining them would take longer to plan.
  const page = rows
    .select('person.id')
    .$if(exactly !== null, (found) => found.orderBy(exactly!, 'desc'))
    .orderBy(column, direction)
    .orderBy('person.id', direction)
    .limit(sql.lit(query.size))
    .$if(query.page > 1, (later) => later.offset((query.page - 1) * query.size))
  const [open, content, count] = await Promise.all([
    detailsOpener(crypto, scope),
    withGroup(db)
      .select(personColumns)
      .where('person.id', '=', sql<string>`ANY (ARRAY(${page}))`)
      .$if(exactly !== null, (found) => found.orderBy(exactly!, 'desc'))
      .orderBy(column, direction)
      .orderBy('person.id', direction)
      .modifyEnd(keptPrepared)
      .execute(),
    rows
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .modifyEnd(keptPrepared)
      .executeTakeFirstOrThrow(),
  ])
  return { content: content.map(open), total: count.total }
}

export type PersonRow = Awaited<ReturnType<typeof listPersons>>['content'][number]

/** The named persons of this park, in no order. */
export async function findPersons(scope: Scope, { db, crypto }: Reading, ids: readonly string[]): Promise<PersonRow[]> {
  if (ids.length === 0) return []
  const rows = await withGroup(db)
    .select(personColumns)
    .where('person.park_id', '=', scope.parkId)
    .where('person.id', 'in', ids)
    .where(kindIsSeen(scope))
    .execute()
  return rows.map(await detailsOpener(crypto, scope))
}

/** A person as the row has it; numbers of papers and passwords encrypted. */
export interface PersonValues extends Record<PlainField, string | null> {
  groupId: string
  kind: string
  name: string
  workNumber: string | null
  phone: string | null
  gender: number
  cardType: number
  cardNumberFormat: string
  cardNumber: string | null
  cardKey: string | null
  idType: string | null
  idNumber: Buffer | null
  idNumberIndex: Buffer | null
  birthday: string | null
  validFrom: number | null
  validTo: number | null
  idPhoto: string | null
  registrationPhoto: string | null
  personalPassword: Buffer | null
  personalPasswordIndex: Buffer | null
  consent: ConsentState
  consentAt: number | null
  customFields: Record<string, string>
  remark: string
  instruction: string
  faceCount: number
}

const columnsOf = async (crypto: Crypto, scope: Scope, id: string, values: PersonValues) => ({
  ...(await sealedDetailsOf(crypto, scope, id, values)),
  group_id: values.groupId,
  kind: values.kind,
  name: values.name,
  spelling: await spellingOf(values.name),
  work_number: values.workNumber,
  gender: values.gender,
  card_type: values.cardType,
  card_number_format: values.cardNumberFormat,
  id_type: values.idType,
  id_number: values.idNumber,
  id_number_index: values.idNumberIndex,
  ...objectOf(PLAIN_FIELDS.map((field) => [PLAIN_COLUMNS[field], values[field]])),
  valid_from: values.validFrom === null ? null : timestamp(values.validFrom),
  valid_to: values.validTo === null ? null : timestamp(values.validTo),
  id_photo: values.idPhoto,
  registration_photo: values.registrationPhoto,
  personal_password: values.personalPassword,
  personal_password_index: values.personalPasswordIndex,
  consent: values.consent,
  consent_at: values.consentAt === null ? null : timestamp(values.consentAt),
  custom_fields: values.customFields,
  face_count: values.faceCount,
})

/** @param copiedFrom the person this one is a copy of */
export async function insertPerson(
  scope: Scope,
  { db, crypto }: Reading,
  id: string,
  values: PersonValues,
  now: number,
  { enabled = true, copiedFrom = null }: { enabled?: boolean; copiedFrom?: string | null } = {},
): Promise<void> {
  await db
    .insertInto('person')
    .values({
      id,
      park_id: scope.parkId,
      ...(await columnsOf(crypto, scope, id, values)),
      copied_from: copiedFrom,
      enabled,
      created_at: timestamp(now),
      updated_at: timestamp(now),
      version: 1,
    })
    .execute()
}

/** False where the person is not at `version` any more. */
export async function updatePerson(
  scope: Scope,
  { db, crypto }: Reading,
  id: string,
  values: PersonValues,
  version: number,
  now: number,
): Promise<boolean> {
  return updateAtVersion(scope, db, 'person', { id, version }, await columnsOf(crypto, scope, id, values), now)
}

/** Gives a person a card, or none. @param person as it stands */
export async function updateCard(
  scope: Scope,
  { db, crypto }: Reading,
  person: Pick<PersonRow, 'id'> & PersonDetails,
  card: Pick<PersonValues, 'cardType' | 'cardNumberFormat' | 'cardNumber' | 'cardKey'>,
  now: number,
): Promise<void> {
  const { id } = person
  const sealed = await sealedDetailsOf(crypto, scope, id, { ...person, ...card })
  await db
    .updateTable('person')
    .set((eb) => ({
      card_type: card.cardType,
      card_number_format: card.cardNumberFormat,
      ...sealed,
      updated_at: timestamp(now),
      version: eb('version', '+', 1),
    }))
    .where('park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('id', '=', id)
    .execute()
}

/** Answers the ids that changed. */
export async function updateEnabled(scope: Scope, db: Db, ids: readonly string[], enabled: boolean, now: number): Promise<string[]> {
  const rows = await db
    .updateTable('person')
    .set((eb) => ({ enabled, updated_at: timestamp(now), version: eb('version', '+', 1) }))
    .where('park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('id', 'in', ids)
    .where('enabled', '=', !enabled)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Keeps these persons as they are until the transaction ends; always in the order of their ids, so that nobody waits for somebody who waits for him. */
export async function lockPersons(
  scope: Scope,
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; name: string; enabled: boolean; kind: string; groupId: string }[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('person')
    .select(['id', 'name', 'enabled', 'kind', 'group_id as groupId'])
    .where('park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('id', '=', oneOf(ids))
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Counts a change of what a person has outside of the row. */
export async function touchPerson(scope: Scope, db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('person')
    .set((eb) => ({ updated_at: timestamp(now), version: eb('version', '+', 1) }))
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** Gives persons another group. */
export async function updateGroupOf(scope: Scope, db: Db, ids: readonly string[], groupId: string, now: number): Promise<void> {
  await db
    .updateTable('person')
    .set((eb) => ({ group_id: groupId, updated_at: timestamp(now), version: eb('version', '+', 1) }))
    .where('park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('id', '=', oneOf(ids))
    .execute()
}

/** Which of these persons have a copy in a group; nobody is copied there twice, whoever asks. */
export async function findCopied(scope: Scope, db: Db, groupId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('person')
    .select('copied_from as id')
    .where('park_id', '=', scope.parkId)
    .where('group_id', '=', groupId)
    .where('copied_from', '=', oneOf(ids))
    .execute()
  return new Set(rows.map(({ id }) => id!))
}

/** Notes what somebody has agreed to; who withdrew has no photographs any more. False where there is no such person. */
export async function updateConsent(scope: Scope, db: Db, id: string, state: ConsentState, at: number, now: number): Promise<boolean> {
  const result = await db
    .updateTable('person')
    .set((eb) => ({
      consent: state,
      consent_at: timestamp(at),
      ...(state === 'withdrawn' && { face_count: 0 }),
      updated_at: timestamp(now),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Removes from all persons what they have in fields other than these: the form is everybody's, whoever changes it. */
export async function keepCustomFields(scope: Scope, db: Db, fieldIds: readonly string[]): Promise<void> {
  await sql`UPDATE person SET custom_fields = (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(custom_fields) WHERE key = ANY(${sql.val(fieldIds)}::text[]))
    WHERE park_id = ${scope.parkId}::uuid AND custom_fields - ${sql.val(fieldIds)}::text[] <> '{}'`.execute(db)
}

/** Files of the pictures of persons, or of all of the park. */
export async function findPictures(scope: Scope, db: Db, ids?: readonly string[]): Promise<string[]> {
  let rows = db
    .selectFrom('person')
    .select(['id_photo as idPhoto', 'registration_photo as registrationPhoto'])
    .where('park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
  rows =
    ids === undefined
      ? rows.where((eb) => eb.or([eb('id_photo', 'is not', null), eb('registration_photo', 'is not', null)]))
      : rows.where('id', '=', oneOf(ids))
  return (await rows.execute()).flatMap(({ idPhoto, registrationPhoto }) =>
    [idPhoto, registrationPhoto].filter((id): id is string => id !== null),
  )
}

export async function deletePersons(scope: Scope, db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('person').where('park_id', '=', scope.parkId).where(kindIsSeen(scope)).where('id', 'in', ids).execute()
}

export async function summarisePersons(scope: Scope, db: Db, now: number, soon: number) {
  const moment = timestamp(now)
  return db
    .selectFrom('person')
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.countAll<number>().filterWhere('face_count', '=', 0).as('withoutFace'),
      eb.fn
        .countAll<number>()
        .filterWhere('valid_to', '>=', moment)
        .filterWhere('valid_to', '<', timestamp(soon))
        .filterWhere('enabled', '=', true)
        .as('expiring'),
      eb.fn.countAll<number>().filterWhere('valid_to', '<', moment).filterWhere('enabled', '=', true).as('expired'),
    ])
    .where('park_id', '=', scope.parkId)
    .where('kind', '<>', 'special')
    .executeTakeFirstOrThrow()
}

/** What terminals need to know of a person; what is shown instead of a face only by keys that tell whether it is another. */
const factColumns = columnList([
  'id',
  'name',
  'work_number as workNumber',
  'enabled',
  'valid_from as validFrom',
  'valid_to as validTo',
  'group_id as groupId',
  'kind',
  'version',
  'id_number_index as idNumberIndex',
  'personal_password_index as personalPasswordIndex',
  'details',
])

/** What a terminal needs to know of persons, and what lists of other contexts show of them. */
export async function findPersonFacts(scope: Scope, { db, crypto }: Reading, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('person')
    .select([...factColumns])
    .where('park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('id', '=', oneOf(ids))
    .execute()
  return rows.map(await detailsOpener(crypto, scope))
}

/** What persons show instead of a face, or beside it; papers and passwords as they are stored. */
export async function findCredentials(scope: Scope, { db, crypto }: Reading, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('person')
    .select(['id', 'details', 'id_number as idNumber', 'personal_password as personalPassword'])
    .where('park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('id', '=', oneOf(ids))
    .where((eb) => eb.or([eb('card_index', 'is not', null), eb('id_number', 'is not', null), eb('personal_password', 'is not', null)]))
    .execute()
  return rows.map(await detailsOpener(crypto, scope))
}

/** What is said of persons beside their photographs. */
export async function describePersons(scope: Scope, { db, crypto }: Reading, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await withGroup(db)
    .select([
      'person.id',
      'person.name',
      'person.work_number as workNumber',
      'person.gender',
      'person.kind',
      'person.group_id as groupId',
      'person_group.name as groupName',
      'person.details',
    ])
    .where('person.park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('person.id', '=', oneOf(ids))
    .execute()
  const open = await detailsOpener(crypto, scope)
  return rows.map((row) => {
    const { id, name, workNumber, gender, kind, groupId, groupName, birthday } = open(row)
    return { id, name, workNumber, gender, kind, groupId, groupName, birthday }
  })
}

export async function countPersons(scope: Scope, db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('person')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .executeTakeFirstOrThrow()
  return count
}

/** Persons of the park in the order of their ids, from after an id on. */
export async function findPersonFactsAfter(scope: Scope, { db, crypto }: Reading, after: string, size: number) {
  const rows = await db
    .selectFrom('person')
    .select([...factColumns])
    .where('park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('id', '>', after)
    .orderBy('id')
    .limit(size)
    .execute()
  return rows.map(await detailsOpener(crypto, scope))
}

/** Ids of persons whose name or work number contains a text; of masked names only those that are the text. */
export async function findPersonIdsNamed(scope: Scope, db: Db, text: string): Promise<string[]> {
  const rows = await db
    .selectFrom('person')
    .select('id')
    .where('park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where((eb) => eb.or([eb('name', 'ilike', personalPattern(scope, text)), eb('work_number', 'ilike', containing(text))]))
    .execute()
  return rows.map((row) => row.id)
}

/** Those of these names that somebody has. */
export async function findNamesAmong(scope: Scope, db: Db, names: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('person')
    .select('name')
    .distinct()
    .where('park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('name', '=', sql<string>`ANY(${sql.val(names)}::text[])`)
    .execute()
  return rows.map(({ name }) => name)
}

/** The group of each of these persons; who is gone is absent. @param ids uuids */
export async function findGroupOf(scope: Scope, db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('person')
    .select(['id', 'group_id as groupId'])
    .where('park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('id', '=', oneOf(ids))
    .execute()
  return new Map(rows.map(({ id, groupId }) => [id, groupId]))
}

/** Ids of the persons in these groups. */
export async function findPersonIdsInGroups(scope: Scope, db: Db, groupIds: readonly string[]): Promise<string[]> {
  if (groupIds.length === 0) return []
  const rows = await db
    .selectFrom('person')
    .select('id')
    .where('park_id', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('group_id', 'in', groupIds)
    .execute()
  return rows.map((row) => row.id)
}

/** What names those who do not exist for whoever asks: logs that keep no columns of persons are searched for it. Nothing where everybody exists. */
export interface Unseen {
  /** Of persons, of their contacts and of their groups; of persons and contacts that were deleted too. */
  ids: ReadonlySet<string>
  names: ReadonlySet<string>
}

export async function findUnseen(scope: Scope, db: Db): Promise<Unseen> {
  if (seesWatchList(scope)) return { ids: new Set(), names: new Set() }
  const persons = await db
    .selectFrom('person')
    .select(['id', 'name'])
    .where('park_id', '=', scope.parkId)
    .where((eb) => eb.not(kindIsSeen(scope)))
    .execute()
  const personIds = persons.map(({ id }) => id)
  const contacts = await db
    .selectFrom('person_contact')
    .select('id')
    .where('park_id', '=', scope.parkId)
    .where('person_id', '=', oneOf(personIds))
    .execute()
  const groups = await db
    .selectFrom('person_group')
    .select('id')
    .where('park_id', '=', scope.parkId)
    .where('type', 'not in', seenTypes(scope))
    .execute()
  const former = await db.selectFrom('former_watched').select('id').where('park_id', '=', scope.parkId).execute()
  const all = [...persons, ...contacts, ...groups, ...former]
  return { ids: new Set(all.map(({ id }) => id)), names: new Set(persons.map(({ name }) => name)) }
}

export async function deletePeopleOfPark(scope: Scope, db: Db): Promise<{ persons: number; groups: number }> {
  const persons = await db.deleteFrom('person').where('park_id', '=', scope.parkId).executeTakeFirst()
  const groups = await db.deleteFrom('person_group').where('park_id', '=', scope.parkId).executeTakeFirst()
  await db.deleteFrom('former_watched').where('park_id', '=', scope.parkId).execute()
  return { persons: Number(persons.numDeletedRows), groups: Number(groups.numDeletedRows) }
}
