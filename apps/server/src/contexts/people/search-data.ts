/** Rows of persons a search found; every function takes the scope first. */
import { oneOf, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { kindIsSeen } from '../../platform/session/sight.ts'
import type { PeopleTables } from './schema.ts'

type Db = Database<PeopleTables>

/** Those of these persons that are of one of these kinds, in no order. */
export function findFound(scope: Scope, db: Db, ids: readonly string[], kinds: readonly string[]) {
  if (ids.length === 0 || kinds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('person')
    .innerJoin('person_group', 'person_group.id', 'person.group_id')
    .select([
      'person.id',
      'person.name',
      'person.work_number as workNumber',
      'person_group.name as groupName',
      'person.kind',
      'person.enabled',
      'person.valid_to as validTo',
      'person.created_at as createdAt',
    ])
    .where('person.park_id', '=', scope.parkId)
    .where('person.id', '=', oneOf(ids))
    .where('person.kind', 'in', kinds)
    .where(kindIsSeen(scope))
    .execute()
}
export type FoundRow = Awaited<ReturnType<typeof findFound>>[number]

/** How many photographs the persons of these kinds have. */
export async function countPhotosOf(scope: Scope, db: Db, kinds: readonly string[]): Promise<number> {
  if (kinds.length === 0) return 0
  const { count } = await db
    .selectFrom('person')
    .select((eb) => eb.fn.sum<string | null>('face_count').as('count'))
    .where('park_id', '=', scope.parkId)
    .where('kind', 'in', kinds)
    .where(kindIsSeen(scope))
    .executeTakeFirstOrThrow()
  return Number(count ?? 0)
}
