/** Rows of persons; every function takes the scope first. */
import type { z } from 'zod'
import type { personQuery } from '@gatehouse/contract/people/calls'
import { oneOf, containing, timestamp, type Database } from '../../platform/database.ts'
import type { Scope } from '../../platform/session.ts'
import type { PeopleTables } from './schema.ts'

type Db = Database<PeopleTables>
export type PersonQuery = z.output<typeof personQuery>

const DAY = 86_400_000

const personColumns = [
  'person.id',
  'person.name',
  'person.work_number as workNumber',
  'person.phone',
  'person.gender',
  'person.group_id as groupId',
  'person_group.name as groupName',
  'person.card_number as cardNumber',
  'person.id_number as idNumber',
  'person.birthday',
  'person.valid_from as validFrom',
  'person.valid_to as validTo',
  'person.enabled',
  'person.remark',
  'person.kind',
  'person.version',
  'person.created_at as createdAt',
  'person.updated_at as updatedAt',
] as const

const withGroup = (db: Db) => db.selectFrom('person').innerJoin('person_group', 'person_group.id', 'person.group_id')

/** The filter of the list call; each condition names its index in the migration. */
function filtered(scope: Scope, db: Db, query: PersonQuery, groupIds: readonly string[] | null, now: number) {
  let rows = db.selectFrom('person').where('person.park_id', '=', scope.parkId)
  if (query.name !== undefined && query.name !== '') rows = rows.where('person.name', 'ilike', containing(query.name))
  if (query.workNumber !== undefined && query.workNumber !== '') rows = rows.where('person.work_number', 'ilike', containing(query.workNumber))
  if (query.phone !== undefined && query.phone !== '') rows = rows.where('person.phone', 'like', containing(query.phone))
  if (groupIds !== null) rows = rows.where('person.group_id', 'in', groupIds)
  if (query.kind !== undefined) rows = rows.where('person.kind', '=', query.kind)
  if (query.facesBelow !== undefined) rows = rows.where('person.face_count', '<', query.facesBelow)
  if (query.hasFace !== undefined) rows = rows.where('person.face_count', query.hasFace === 1 ? '>' : '=', 0)
  const moment = timestamp(now)
  if (query.status === 0) rows = rows.where('person.enabled', '=', false)
  if (query.status === 1)
    rows = rows.where('person.enabled', '=', true).where((eb) => eb.or([eb('person.valid_to', 'is', null), eb('person.valid_to', '>=', moment)]))
  if (query.status === 2) rows = rows.where('person.enabled', '=', true).where('person.valid_to', '<', moment)
  if (query.expiringDays !== undefined)
    rows = rows.where('person.valid_to', '>=', moment).where('person.valid_to', '<', timestamp(now + query.expiringDays * DAY))
  return rows
}

const SORT_COLUMNS = { createdAt: 'person.created_at', name: 'person.name', workNumber: 'person.work_number', validTo: 'person.valid_to' } as const

export async function listPersons(scope: Scope, db: Db, query: PersonQuery, groupIds: readonly string[] | null, now: number) {
  const rows = filtered(scope, db, query, groupIds, now)
  const direction = query.order ?? (query.sort === undefined ? 'desc' : 'asc')
  const [content, count] = await Promise.all([
    rows
      .innerJoin('person_group', 'person_group.id', 'person.group_id')
      .select(personColumns)
      .orderBy(SORT_COLUMNS[query.sort ?? 'createdAt'], direction)
      .orderBy('person.id', direction)
      .limit(query.size)
      .offset((query.page - 1) * query.size)
      .execute(),
    rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { content, total: count.total }
}

export type PersonRow = Awaited<ReturnType<typeof listPersons>>['content'][number]

/** The named persons of this park, in no order. */
export function findPersons(scope: Scope, db: Db, ids: readonly string[]): Promise<PersonRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return withGroup(db).select(personColumns).where('person.park_id', '=', scope.parkId).where('person.id', 'in', ids).execute()
}

export interface PersonValues {
  groupId: string
  kind: string
  name: string
  workNumber: string | null
  phone: string | null
  gender: number
  cardNumber: string | null
  idNumber: Buffer | null
  idNumberIndex: Buffer | null
  birthday: string | null
  validFrom: number | null
  validTo: number | null
  remark: string
  faceCount: number
}

const columnsOf = (values: PersonValues) => ({
  group_id: values.groupId,
  kind: values.kind,
  name: values.name,
  work_number: values.workNumber,
  phone: values.phone,
  gender: values.gender,
  card_number: values.cardNumber,
  id_number: values.idNumber,
  id_number_index: values.idNumberIndex,
  birthday: values.birthday,
  valid_from: values.validFrom === null ? null : timestamp(values.validFrom),
  valid_to: values.validTo === null ? null : timestamp(values.validTo),
  remark: values.remark,
  face_count: values.faceCount,
})

export async function insertPerson(scope: Scope, db: Db, id: string, values: PersonValues, now: number): Promise<void> {
  await db
    .insertInto('person')
    .values({ id, park_id: scope.parkId, ...columnsOf(values), enabled: true, created_at: timestamp(now), updated_at: timestamp(now), version: 1 })
    .execute()
}

/** False where the person is not at `version` any more. */
export async function updatePerson(scope: Scope, db: Db, id: string, values: PersonValues, version: number, now: number): Promise<boolean> {
  const result = await db
    .updateTable('person')
    .set((eb) => ({ ...columnsOf(values), updated_at: timestamp(now), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('park_id', '=', scope.parkId)
    .where('version', '=', version)
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** Answers the ids that changed. */
export async function updateEnabled(scope: Scope, db: Db, ids: readonly string[], enabled: boolean, now: number): Promise<string[]> {
  const rows = await db
    .updateTable('person')
    .set((eb) => ({ enabled, updated_at: timestamp(now), version: eb('version', '+', 1) }))
    .where('park_id', '=', scope.parkId)
    .where('id', 'in', ids)
    .where('enabled', '=', !enabled)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

export async function deletePersons(scope: Scope, db: Db, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('person').where('park_id', '=', scope.parkId).where('id', 'in', ids).execute()
}

export async function summarisePersons(scope: Scope, db: Db, now: number, soon: number) {
  const moment = timestamp(now)
  return db
    .selectFrom('person')
    .select((eb) => [
      eb.fn.countAll<number>().as('total'),
      eb.fn.countAll<number>().filterWhere('face_count', '=', 0).as('withoutFace'),
      eb.fn.countAll<number>().filterWhere('valid_to', '>=', moment).filterWhere('valid_to', '<', timestamp(soon)).filterWhere('enabled', '=', true).as('expiring'),
      eb.fn.countAll<number>().filterWhere('valid_to', '<', moment).filterWhere('enabled', '=', true).as('expired'),
    ])
    .where('park_id', '=', scope.parkId)
    .executeTakeFirstOrThrow()
}

/** What a terminal needs to know of persons, and what lists of other contexts show of them. */
export function findPersonFacts(scope: Scope, db: Db, ids: readonly string[]) {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('person')
    .select(['id', 'name', 'work_number as workNumber', 'enabled', 'valid_from as validFrom', 'valid_to as validTo', 'group_id as groupId', 'version'])
    .where('park_id', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .execute()
}

/** What is said of persons beside their photographs. */
export function describePersons(scope: Scope, db: Db, ids: readonly string[]) {
  if (ids.length === 0) return Promise.resolve([])
  return withGroup(db)
    .select([
      'person.id',
      'person.name',
      'person.work_number as workNumber',
      'person.gender',
      'person.kind',
      'person.group_id as groupId',
      'person_group.name as groupName',
      'person.birthday',
    ])
    .where('person.park_id', '=', scope.parkId)
    .where('person.id', '=', oneOf(ids))
    .execute()
}

export async function countPersons(scope: Scope, db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('person')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('park_id', '=', scope.parkId)
    .executeTakeFirstOrThrow()
  return count
}

/** Persons of the park in the order of their ids, from after an id on. */
export function findPersonFactsAfter(scope: Scope, db: Db, after: string, size: number) {
  return db
    .selectFrom('person')
    .select(['id', 'name', 'work_number as workNumber', 'enabled', 'valid_from as validFrom', 'valid_to as validTo', 'group_id as groupId', 'version'])
    .where('park_id', '=', scope.parkId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(size)
    .execute()
}

/** Groups as branches of a tree. */
export function findGroupRows(scope: Scope, db: Db): Promise<{ id: string; parentId: string | null }[]> {
  return db.selectFrom('person_group').select(['id', 'parent_id as parentId']).where('park_id', '=', scope.parkId).execute()
}

/** Ids of persons whose name or work number contains a text. */
export async function findPersonIdsNamed(scope: Scope, db: Db, text: string): Promise<string[]> {
  const rows = await db
    .selectFrom('person')
    .select('id')
    .where('park_id', '=', scope.parkId)
    .where((eb) => eb.or([eb('name', 'ilike', containing(text)), eb('work_number', 'ilike', containing(text))]))
    .execute()
  return rows.map((row) => row.id)
}

/** Ids of the persons in these groups. */
export async function findPersonIdsInGroups(scope: Scope, db: Db, groupIds: readonly string[]): Promise<string[]> {
  if (groupIds.length === 0) return []
  const rows = await db.selectFrom('person').select('id').where('park_id', '=', scope.parkId).where('group_id', 'in', groupIds).execute()
  return rows.map((row) => row.id)
}

export async function deletePeopleOfPark(scope: Scope, db: Db): Promise<{ persons: number; groups: number }> {
  const persons = await db.deleteFrom('person').where('park_id', '=', scope.parkId).executeTakeFirst()
  const groups = await db.deleteFrom('person_group').where('park_id', '=', scope.parkId).executeTakeFirst()
  return { persons: Number(persons.numDeletedRows), groups: Number(groups.numDeletedRows) }
}

export function listGroups(scope: Scope, db: Db) {
  return db
    .selectFrom('person_group')
    .leftJoin('person', 'person.group_id', 'person_group.id')
    .select((eb) => [
      'person_group.id',
      'person_group.name',
      'person_group.parent_id as parentId',
      'person_group.type',
      'person_group.position as order',
      eb.fn.count<number>('person.id').as('personCount'),
    ])
    .where('person_group.park_id', '=', scope.parkId)
    .groupBy('person_group.id')
    .orderBy('person_group.position', 'desc')
    .orderBy('person_group.created_at')
    .execute()
}
export type GroupRow = Awaited<ReturnType<typeof listGroups>>[number]

export async function insertGroup(scope: Scope, db: Db, group: { id: string; name: string; parentId: string | null; type: number }, now: number): Promise<void> {
  await db
    .insertInto('person_group')
    .values({ id: group.id, park_id: scope.parkId, name: group.name, parent_id: group.parentId, type: group.type, position: 0, created_at: timestamp(now) })
    .execute()
}

export async function updateGroup(scope: Scope, db: Db, id: string, change: { name?: string; parent_id?: string | null }): Promise<void> {
  if (Object.keys(change).length === 0) return
  await db.updateTable('person_group').set(change).where('id', '=', id).where('park_id', '=', scope.parkId).execute()
}

export async function deleteGroup(scope: Scope, db: Db, id: string): Promise<void> {
  await db.deleteFrom('person_group').where('id', '=', id).where('park_id', '=', scope.parkId).execute()
}
