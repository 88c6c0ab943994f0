/** Rows of customers whose validity ends; every function takes the scope first. */
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Reading } from './data.ts'
import { detailsOpener } from './details.ts'
import type { PeopleTables } from './schema.ts'

type Db = Database<PeopleTables>

/** A disabled customer is kept out for another reason: his validity reminds nobody. */
const enabledCustomers = (scope: Scope, db: Db) =>
  db
    .selectFrom('person')
    .where('person.park_id', '=', scope.parkId)
    .where('person.kind', '=', 'customer')
    .where('person.enabled', '=', true)

/** Whether there are customers at all, disabled ones included. */
export async function hasCustomers(scope: Scope, db: Db): Promise<boolean> {
  return (
    (await db
      .selectFrom('person')
      .select('id')
      .where('park_id', '=', scope.parkId)
      .where('kind', '=', 'customer')
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}

/** Whether the validity of any ends before a moment. */
export async function hasCustomersEnding(scope: Scope, db: Db, before: number): Promise<boolean> {
  return (
    (await enabledCustomers(scope, db).select('person.id').where('person.valid_to', '<', timestamp(before)).limit(1).executeTakeFirst()) !==
    undefined
  )
}

/** Those whose validity ends before a moment, the earliest first, a page from after a row on. */
export async function findCustomersEnding(
  scope: Scope,
  { db, crypto }: Reading,
  before: number,
  after: { id: string; validTo: number } | null,
  size: number,
) {
  let rows = enabledCustomers(scope, db)
    .innerJoin('person_group', 'person_group.id', 'person.group_id')
    .where('person.valid_to', '<', timestamp(before))
  if (after !== null) {
    const [moment, { id }] = [timestamp(after.validTo), after]
    rows = rows.where((eb) =>
      eb.or([eb('person.valid_to', '>', moment), eb.and([eb('person.valid_to', '=', moment), eb('person.id', '>', id)])]),
    )
  }
  const found = await rows
    .select([
      'person.id',
      'person.name',
      'person.work_number as workNumber',
      'person.details',
      'person_group.name as groupName',
      'person.valid_from as validFrom',
      'person.valid_to as validTo',
    ])
    .orderBy('person.valid_to')
    .orderBy('person.id')
    .limit(size)
    .execute()
  const open = await detailsOpener(crypto, scope)
  return found.map((row) => {
    const { id, name, workNumber, phone, groupName, validFrom, validTo, remark } = open(row)
    return {
      id,
      name,
      workNumber: workNumber ?? '',
      phone: phone ?? '',
      groupName,
      validFrom: validFrom as number | null,
      validTo: validTo as number,
      remark,
    }
  })
}
