/** Rows of the watch list as whoever looks out at doors reads them; every function takes the scope first. */
import { oneOf, sql, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { kindIsSeen } from '../../platform/session/sight.ts'
import type { Reading } from './data.ts'
import { detailsOpener } from './details.ts'
import type { PeopleTables } from './schema.ts'

/** Somebody of the watch list, and what whoever meets them has to know. */
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

/** Ids of those who are looked out for by their photographs: whoever is disabled is not. */
export async function findLookedOutFor(scope: Scope, db: Database<PeopleTables>): Promise<string[]> {
  const rows = await db
    .selectFrom('person')
    .select('id')
    .where('park_id', '=', scope.parkId)
    .where(isSpecial)
    .where('enabled', '=', true)
    .where('face_count', '>', 0)
    .where(kindIsSeen(scope))
    .execute()
  return rows.map(({ id }) => id)
}

/** Those of these persons who are on the watch list, in no order. */
export async function findWatchListed(scope: Scope, { db, crypto }: Reading, ids: readonly string[]): Promise<WatchListPerson[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('person')
    .innerJoin('person_group', 'person_group.id', 'person.group_id')
    .select(['person.id', 'person.name', 'person_group.name as groupName', 'person.details'])
    .where('person.park_id', '=', scope.parkId)
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
