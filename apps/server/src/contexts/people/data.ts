/**
 * Rows of persons. Every function takes the scope first; persons that do not exist for the scope are in no answer and in no change.
 * The list is in `listing-data.ts`, what other contexts read is in `facts-data.ts`.
 */
import type { ConsentState } from '@gatehouse/contract/people/person-fields'
import { objectOf, PLAIN_FIELDS, type PlainField } from '@gatehouse/contract/people/plain-fields'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { updateAtVersion } from '../../platform/database/versioned-rows.ts'
import type { Crypto } from '../../platform/encryption/crypto.ts'
import type { Scope } from '../../platform/session/session.ts'
import { kindIsSeen } from '../../platform/session/sight.ts'
import { VISITOR_KIND } from './policy.ts'
import { detailsOpener, sealedDetailsOf, type PersonDetails } from './details.ts'
import { PLAIN_COLUMNS } from './schema.ts'
import { spellingOf } from './spelling.ts'

/** A connection that reads persons, and the keys that open what is sealed of them. */
export interface Reading {
  db: Database
  crypto: Crypto
}

/** Columns by which a person is listed and exported. */
const SHOWN = [
  'person.id',
  'person.name',
  'person.workNumber',
  'person.details',
  'person.gender',
  'personGroup.name as groupName',
  'person.cardType',
  'person.cardNumberFormat',
  'person.idType',
  'person.idNumber',
  ...PLAIN_FIELDS.map((field) => `person.${PLAIN_COLUMNS[field]} as ${field}` as const),
  'person.validFrom',
  'person.validTo',
  'person.idPhoto',
  'person.registrationPhoto',
  'person.consent',
  'person.consentAt',
  'person.customFields',
  'person.enabled',
  'person.kind',
  'person.createdAt',
  'person.updatedAt',
] as const
export const shownColumns = columnList(SHOWN)
export const personColumns = columnList([
  ...SHOWN,
  'person.groupId',
  'person.personalPassword',
  'person.personalPasswordIndex',
  'person.version',
])

/** The person of a row is of a register: calls on persons know no persons of visits. */
export const isRegistered = sql<boolean>`person.kind <> ${sql.lit(VISITOR_KIND)}`

/** Persons with their groups, of all parks: the caller names the park. */
export const withGroup = (db: Database) => db.selectFrom('person').innerJoin('personGroup', 'personGroup.id', 'person.groupId')

/** Return these persons of the park's registers, in no order. */
export async function findPersons(scope: Scope, { db, crypto }: Reading, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await withGroup(db)
    .select(personColumns)
    .where('person.parkId', '=', scope.parkId)
    .where('person.id', 'in', ids)
    .where(kindIsSeen(scope))
    .where(isRegistered)
    .execute()
  return rows.map(await detailsOpener(crypto, scope))
}

/** Return the person of a visit, locked until the transaction of `db` ends. */
export async function lockVisitor(scope: Scope, { db, crypto }: Reading, id: string) {
  const row = await withGroup(db)
    .select([...personColumns, 'person.passMethods'])
    .where('person.parkId', '=', scope.parkId)
    .where('person.id', '=', id)
    .where('person.kind', '=', VISITOR_KIND)
    .forUpdate('person')
    .executeTakeFirst()
  return row === undefined ? undefined : (await detailsOpener(crypto, scope))(row)
}

export type PersonRow = Awaited<ReturnType<typeof findPersons>>[number]

/** A person as it is stored; ID numbers and passwords encrypted. */
export interface PersonValues extends Record<PlainField, string | null> {
  groupId: string
  kind: string
  name: string
  workNumber: string | null
  phone: string | null
  email: string | null
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
  /** Absent: as they were; all for a new person. */
  passMethods?: number[]
}

const columnsOf = async (crypto: Crypto, scope: Scope, id: string, values: PersonValues) => ({
  ...(await sealedDetailsOf(crypto, scope, id, values)),
  groupId: values.groupId,
  kind: values.kind,
  name: values.name,
  spelling: await spellingOf(values.name),
  workNumber: values.workNumber,
  gender: values.gender,
  cardType: values.cardType,
  cardNumberFormat: values.cardNumberFormat,
  idType: values.idType,
  idNumber: values.idNumber,
  idNumberIndex: values.idNumberIndex,
  ...objectOf(PLAIN_FIELDS.map((field) => [PLAIN_COLUMNS[field], values[field]])),
  validFrom: values.validFrom === null ? null : timestamp(values.validFrom),
  validTo: values.validTo === null ? null : timestamp(values.validTo),
  idPhoto: values.idPhoto,
  registrationPhoto: values.registrationPhoto,
  personalPassword: values.personalPassword,
  personalPasswordIndex: values.personalPasswordIndex,
  consent: values.consent,
  consentAt: values.consentAt === null ? null : timestamp(values.consentAt),
  customFields: JSON.stringify(values.customFields),
  faceCount: values.faceCount,
  ...(values.passMethods !== undefined && { passMethods: values.passMethods }),
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
      parkId: scope.parkId,
      ...(await columnsOf(crypto, scope, id, values)),
      copiedFrom,
      enabled,
      createdAt: timestamp(now),
      updatedAt: timestamp(now),
      version: 1,
    })
    .execute()
}

/** Return false where the person is not at `version` any more. */
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

/** Give a person a card, or none. @param person as they are */
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
      cardType: card.cardType,
      cardNumberFormat: card.cardNumberFormat,
      ...sealed,
      updatedAt: timestamp(now),
      version: eb('version', '+', 1),
    }))
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('id', '=', id)
    .execute()
}

/** Return the ids that changed. */
export async function updateEnabled(scope: Scope, db: Database, ids: readonly string[], enabled: boolean, now: number): Promise<string[]> {
  const rows = await db
    .updateTable('person')
    .set((eb) => ({ enabled, updatedAt: timestamp(now), version: eb('version', '+', 1) }))
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('id', 'in', ids)
    .where('enabled', '=', !enabled)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/**
 * Lock these persons of the registers until the transaction ends; always in the order of their ids, so that two transactions never wait
 * for each other.
 */
export async function lockPersons(
  scope: Scope,
  db: Database,
  ids: readonly string[],
): Promise<{ id: string; name: string; enabled: boolean; kind: string; groupId: string }[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('person')
    .select(['id', 'name', 'enabled', 'kind', 'groupId'])
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where(isRegistered)
    .where('id', '=', oneOf(ids))
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Count a change of what belongs to a person outside of the row. */
export async function touchPerson(scope: Scope, db: Database, id: string, now: number): Promise<void> {
  await db
    .updateTable('person')
    .set((eb) => ({ updatedAt: timestamp(now), version: eb('version', '+', 1) }))
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .execute()
}

/** Give persons another group. */
export async function updateGroupOf(scope: Scope, db: Database, ids: readonly string[], groupId: string, now: number): Promise<void> {
  await db
    .updateTable('person')
    .set((eb) => ({ groupId, updatedAt: timestamp(now), version: eb('version', '+', 1) }))
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('id', '=', oneOf(ids))
    .execute()
}

/** Return those of these persons who have a copy in a group, also copies that do not exist for the scope: no person is copied twice. */
export async function findCopied(scope: Scope, db: Database, groupId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('person')
    .select('copiedFrom as id')
    .where('parkId', '=', scope.parkId)
    .where('groupId', '=', groupId)
    .where('copiedFrom', '=', oneOf(ids))
    .execute()
  return new Set(rows.map(({ id }) => id!))
}

/** Note a person's consent; a person who withdrew has no photographs any more. Return false where there is no such person. */
export async function updateConsent(
  scope: Scope,
  db: Database,
  id: string,
  state: ConsentState,
  at: number,
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('person')
    .set((eb) => ({
      consent: state,
      consentAt: timestamp(at),
      ...(state === 'withdrawn' && { faceCount: 0 }),
      updatedAt: timestamp(now),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where(isRegistered)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Remove the values of all other custom fields from all persons, also from those that do not exist for the scope. */
export async function keepCustomFields(scope: Scope, db: Database, fieldIds: readonly string[]): Promise<void> {
  await sql`UPDATE person SET custom_fields = (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(custom_fields)
    WHERE key = ANY(${sql.val(fieldIds)}::text[]))
    WHERE park_id = ${scope.parkId}::uuid AND custom_fields - ${sql.val(fieldIds)}::text[] <> '{}'`.execute(db)
}

/** Return the files of the pictures of persons, or of all persons of the park. */
export async function findPictures(scope: Scope, db: Database, ids?: readonly string[]): Promise<string[]> {
  let rows = db.selectFrom('person').select(['idPhoto', 'registrationPhoto']).where('parkId', '=', scope.parkId).where(kindIsSeen(scope))
  rows =
    ids === undefined
      ? rows.where((eb) => eb.or([eb('idPhoto', 'is not', null), eb('registrationPhoto', 'is not', null)]))
      : rows.where('id', '=', oneOf(ids))
  return (await rows.execute()).flatMap(({ idPhoto, registrationPhoto }) =>
    [idPhoto, registrationPhoto].filter((id): id is string => id !== null),
  )
}

export async function deletePersons(scope: Scope, db: Database, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('person').where('parkId', '=', scope.parkId).where(kindIsSeen(scope)).where('id', 'in', ids).execute()
}

export async function deletePeopleOfPark(scope: Scope, db: Database): Promise<{ persons: number; groups: number }> {
  const persons = await db.deleteFrom('person').where('parkId', '=', scope.parkId).executeTakeFirst()
  const groups = await db.deleteFrom('personGroup').where('parkId', '=', scope.parkId).executeTakeFirst()
  await db.deleteFrom('formerWatched').where('parkId', '=', scope.parkId).execute()
  return { persons: Number(persons.numDeletedRows), groups: Number(groups.numDeletedRows) }
}
