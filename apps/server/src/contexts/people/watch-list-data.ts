/** Rows of the watch list, as the watch at doors reads them; every function takes the scope first. */
import { oneOf, sql, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { kindIsSeen } from '../../platform/session/sight.ts'
import type { Reading } from './data.ts'
import { detailsOpener } from './details.ts'

/** A person of the watch list, with what staff who meet them have to know. */
export interface WatchListPerson {
  id: string
  name: string
  groupName: string
  /** Why they are on the list. */
  remark: string
  /** What is to be done when they appear. */
  instruction: string
}

/** Written out, so that the planner knows the partial index fits. */
const isSpecial = sql<boolean>`person.kind = 'special'`

/** Return the ids of persons whose photographs are searched for: disabled persons are not. */
export async function findLookedOutFor(scope: Scope, db: Database): Promise<string[]> {
  const rows = await db
    .selectFrom('person')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where(isSpecial)
    .where('enabled', '=', true)
    .where('faceCount', '>', 0)
    .where(kindIsSeen(scope))
    .execute()
  return rows.map(({ id }) => id)
}

/** Return those of these persons who are on the watch list, in no order. */
export async function findWatchListed(scope: Scope, { db, crypto }: Reading, ids: readonly string[]): Promise<WatchListPerson[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('person')
    .innerJoin('personGroup', 'personGroup.id', 'person.groupId')
    .select(['person.id', 'person.name', 'personGroup.name as groupName', 'person.details'])
    .where('person.parkId', '=', scope.parkId)
    .where('person.id', '=', oneOf(ids))
    .where(isSpecial)
    .where(kindIsSeen(scope))
    .execute()
  const open = await detailsOpener(crypto, scope)
  return rows.map((row) => {
    const { id, name, groupName, remark, instruction } = open(row)
    return { id, name, groupName, remark, instruction }
  })
}
