/**
 * What terminals and other contexts read of persons, and which persons a condition finds. Every function takes the scope first; persons
 * that do not exist for it are in no answer.
 */
import { columnList } from '../../platform/database/column-list.ts'
import { containing, oneOf, sql, type Database } from '../../platform/database/database.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import type { Scope } from '../../platform/session/session.ts'
import { kindIsSeen } from '../../platform/session/sight.ts'
import { isRegistered, withGroup, type Reading } from './data.ts'
import { detailsOpener } from './details.ts'

/** What terminals need to know of a person; what is shown instead of a face only by keys that tell whether it is another. */
const factColumns = columnList([
  'id',
  'name',
  'workNumber',
  'enabled',
  'validFrom',
  'validTo',
  'groupId',
  'kind',
  'version',
  'idNumberIndex',
  'personalPasswordIndex',
  'passMethods',
  'details',
])

/** What a terminal needs to know of persons, and what lists of other contexts show of them. */
export async function findPersonFacts(scope: Scope, { db, crypto }: Reading, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('person')
    .select([...factColumns])
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('id', '=', oneOf(ids))
    .execute()
  return rows.map(await detailsOpener(crypto, scope))
}

/** Persons of the park in the order of their ids, from after an id on. */
export async function findPersonFactsAfter(scope: Scope, { db, crypto }: Reading, after: string, size: number) {
  const rows = await db
    .selectFrom('person')
    .select([...factColumns])
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('id', '>', after)
    .orderBy('id')
    .limit(size)
    .execute()
  return rows.map(await detailsOpener(crypto, scope))
}

/** What persons show instead of a face, or beside it; papers and passwords as they are stored. */
export async function findCredentials(scope: Scope, { db, crypto }: Reading, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('person')
    .select(['id', 'details', 'idNumber', 'personalPassword'])
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('id', '=', oneOf(ids))
    .where((eb) => eb.or([eb('cardIndex', 'is not', null), eb('idNumber', 'is not', null), eb('personalPassword', 'is not', null)]))
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
      'person.workNumber',
      'person.gender',
      'person.kind',
      'person.groupId',
      'personGroup.name as groupName',
      'person.details',
    ])
    .where('person.parkId', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('person.id', '=', oneOf(ids))
    .execute()
  const open = await detailsOpener(crypto, scope)
  return rows.map((row) => {
    const { id, name, workNumber, gender, kind, groupId, groupName, birthday } = open(row)
    return { id, name, workNumber, gender, kind, groupId, groupName, birthday }
  })
}

export async function countPersons(scope: Scope, db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('person')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .executeTakeFirstOrThrow()
  return count
}

/** Return the ids of persons whose name or work number contains a text; of masked names only those that are the text. */
export async function findPersonIdsNamed(scope: Scope, db: Database, text: string): Promise<string[]> {
  const rows = await db
    .selectFrom('person')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where((eb) => eb.or([eb('name', 'ilike', personalPattern(scope, text)), eb('workNumber', 'ilike', containing(text))]))
    .execute()
  return rows.map((row) => row.id)
}

/** Return those of these names that somebody has. */
export async function findNamesAmong(scope: Scope, db: Database, names: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('person')
    .select('name')
    .distinct()
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('name', '=', sql<string>`ANY(${sql.val(names)}::text[])`)
    .execute()
  return rows.map(({ name }) => name)
}

/** The group of each of these persons; who is gone is absent. @param ids uuids */
export async function findGroupOf(scope: Scope, db: Database, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('person')
    .select(['id', 'groupId'])
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('id', '=', oneOf(ids))
    .execute()
  return new Map(rows.map(({ id, groupId }) => [id, groupId]))
}

/** Return the ids of the persons in these groups. @param of `registered`: without the persons of visits */
export async function findPersonIdsInGroups(
  scope: Scope,
  db: Database,
  groupIds: readonly string[],
  of: 'all' | 'registered',
): Promise<string[]> {
  if (groupIds.length === 0) return []
  const rows = await db
    .selectFrom('person')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where(kindIsSeen(scope))
    .where('groupId', 'in', groupIds)
    .$if(of === 'registered', (persons) => persons.where(isRegistered))
    .execute()
  return rows.map((row) => row.id)
}
