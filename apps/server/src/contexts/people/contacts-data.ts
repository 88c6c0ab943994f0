/** Rows of contacts; every function takes the scope first. A contact exists for whom the person does. */
import { oneOf, timestamp, type Database } from '../../platform/database.ts'
import type { Scope } from '../../platform/session.ts'
import { personIsSeen } from '../../platform/sight.ts'
import type { PeopleTables } from './schema.ts'

type Db = Database<PeopleTables>

export interface ContactRow {
  id: string
  personId: string
  relation: number
  name: string
  phone: string
  gender: number
}

const isSeen = (scope: Scope) => personIsSeen(scope, 'person_contact.person_id')

const columns = ['id', 'person_id as personId', 'relation', 'name', 'phone', 'gender'] as const

/** Contacts of persons in the order they were added. */
export function findContactsOf(scope: Scope, db: Db, personIds: readonly string[]): Promise<ContactRow[]> {
  if (personIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('person_contact')
    .select(columns)
    .where('park_id', '=', scope.parkId)
    .where('person_id', '=', oneOf(personIds))
    .where(isSeen(scope))
    .orderBy('person_id')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export function findContact(scope: Scope, db: Db, id: string): Promise<ContactRow | undefined> {
  return db
    .selectFrom('person_contact')
    .select(columns)
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where(isSeen(scope))
    .executeTakeFirst()
}

/** The named contacts of this park, in no order. */
export function findContacts(scope: Scope, db: Db, ids: readonly string[]): Promise<ContactRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('person_contact')
    .select(columns)
    .where('park_id', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(isSeen(scope))
    .execute()
}

export async function insertContact(scope: Scope, db: Db, contact: ContactRow, now: number): Promise<void> {
  const { id, personId, relation, name, phone, gender } = contact
  await db
    .insertInto('person_contact')
    .values({ id, park_id: scope.parkId, person_id: personId, relation, name, phone, gender, created_at: timestamp(now) })
    .execute()
}

/** False where it is gone. */
export async function updateContact(
  scope: Scope,
  db: Db,
  { id, relation, name, phone, gender }: Omit<ContactRow, 'personId'>,
): Promise<boolean> {
  const result = await db
    .updateTable('person_contact')
    .set({ relation, name, phone, gender })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where(isSeen(scope))
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** False where it was gone. */
export async function deleteContact(scope: Scope, db: Db, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('person_contact')
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where(isSeen(scope))
    .executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}
