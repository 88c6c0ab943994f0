/** Rows of customers whose validity ends; every function takes the scope first. */
import { timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Reading } from './data.ts'
import { detailsOpener } from './details.ts'

/** A disabled customer is left out: there is no reminder of their validity. */
const enabledCustomers = (scope: Scope, db: Database) =>
  db.selectFrom('person').where('person.parkId', '=', scope.parkId).where('person.kind', '=', 'customer').where('person.enabled', '=', true)

/** Return whether there are customers at all, disabled ones included. */
export async function hasCustomers(scope: Scope, db: Database): Promise<boolean> {
  return (
    (await db
      .selectFrom('person')
      .select('id')
      .where('parkId', '=', scope.parkId)
      .where('kind', '=', 'customer')
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}

/** Return whether the validity of any ends before a moment. */
export async function hasCustomersEnding(scope: Scope, db: Database, before: number): Promise<boolean> {
  return (
    (await enabledCustomers(scope, db).select('person.id').where('person.validTo', '<', timestamp(before)).limit(1).executeTakeFirst()) !==
    undefined
  )
}

/** Return a page of those whose validity ends before a moment, the earliest first, after a row. */
export async function findCustomersEnding(
  scope: Scope,
  { db, crypto }: Reading,
  before: number,
  after: { id: string; validTo: number } | null,
  size: number,
) {
  let rows = enabledCustomers(scope, db)
    .innerJoin('personGroup', 'personGroup.id', 'person.groupId')
    .where('person.validTo', '<', timestamp(before))
  if (after !== null) {
    const [moment, { id }] = [timestamp(after.validTo), after]
    rows = rows.where((eb) =>
      eb.or([eb('person.validTo', '>', moment), eb.and([eb('person.validTo', '=', moment), eb('person.id', '>', id)])]),
    )
  }
  const found = await rows
    .select([
      'person.id',
      'person.name',
      'person.workNumber',
      'person.details',
      'personGroup.name as groupName',
      'person.validFrom',
      'person.validTo',
    ])
    .orderBy('person.validTo')
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
      validFrom,
      validTo: validTo as number,
      remark,
    }
  })
}
