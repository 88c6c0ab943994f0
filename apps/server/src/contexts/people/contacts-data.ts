/** Rows of contacts; every function takes the scope first. A contact exists for whom the person does. */
import { columnList } from '../../platform/database/column-list.ts'
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { personIsSeen } from '../../platform/session/sight.ts'
import type { Reading } from './data.ts'
import { CONTACT_PHONE } from './details-migration.ts'

export interface ContactRow {
  id: string
  personId: string
  relation: number
  name: string
  phone: string
  gender: number
}

const isSeen = (scope: Scope) => personIsSeen(scope, 'personContact.personId')

const columns = columnList(['id', 'personId', 'relation', 'name', 'phoneSealed', 'gender'])

const sealed = (crypto: Crypto, { parkId }: Scope, id: string, phone: string): Promise<Buffer> =>
  crypto.seal(parkId, placeOf(CONTACT_PHONE, id), Buffer.from(phone))

async function opener(crypto: Crypto, { parkId }: Scope) {
  const read = await crypto.reader(parkId)
  return ({ phoneSealed, ...row }: Omit<ContactRow, 'phone'> & { phoneSealed: Buffer }): ContactRow => ({
    ...row,
    phone: read(placeOf(CONTACT_PHONE, row.id), phoneSealed)?.toString('utf8') ?? '',
  })
}

/** Contacts of persons in the order they were added. */
export async function findContactsOf(scope: Scope, { db, crypto }: Reading, personIds: readonly string[]): Promise<ContactRow[]> {
  if (personIds.length === 0) return []
  const rows = await db
    .selectFrom('personContact')
    .select(columns)
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .where(isSeen(scope))
    .orderBy('personId')
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  return rows.map(await opener(crypto, scope))
}

export async function findContact(scope: Scope, from: Reading, id: string): Promise<ContactRow | undefined> {
  return (await findContacts(scope, from, [id]))[0]
}

/** The named contacts of this park, in no order. */
export async function findContacts(scope: Scope, { db, crypto }: Reading, ids: readonly string[]): Promise<ContactRow[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('personContact')
    .select(columns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .where(isSeen(scope))
    .execute()
  return rows.map(await opener(crypto, scope))
}

export async function insertContact(scope: Scope, { db, crypto }: Reading, contact: ContactRow, now: number): Promise<void> {
  const { id, personId, relation, name, phone, gender } = contact
  await db
    .insertInto('personContact')
    .values({
      id,
      parkId: scope.parkId,
      personId,
      relation,
      name,
      phoneSealed: await sealed(crypto, scope, id, phone),
      gender,
      createdAt: timestamp(now),
    })
    .execute()
}

/** False where it is gone. */
export async function updateContact(
  scope: Scope,
  { db, crypto }: Reading,
  { id, relation, name, phone, gender }: Omit<ContactRow, 'personId'>,
): Promise<boolean> {
  const result = await db
    .updateTable('personContact')
    .set({ relation, name, phoneSealed: await sealed(crypto, scope, id, phone), gender })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where(isSeen(scope))
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** False where it was gone. */
export async function deleteContact(scope: Scope, db: Database, id: string): Promise<boolean> {
  const result = await db
    .deleteFrom('personContact')
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where(isSeen(scope))
    .executeTakeFirst()
  return Number(result.numDeletedRows) === 1
}
