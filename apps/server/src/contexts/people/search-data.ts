/** Rows of persons a search found; every function takes the scope first. */
import { oneOf, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { kindIsSeen } from '../../platform/session/sight.ts'

/** Return those of these persons that are of one of these kinds, in no order. */
export function findFound(scope: Scope, db: Database, ids: readonly string[], kinds: readonly string[]) {
  if (ids.length === 0 || kinds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('person')
    .innerJoin('personGroup', 'personGroup.id', 'person.groupId')
    .select([
      'person.id',
      'person.name',
      'person.workNumber',
      'personGroup.name as groupName',
      'person.kind',
      'person.enabled',
      'person.validTo',
      'person.createdAt',
    ])
    .where('person.parkId', '=', scope.parkId)
    .where('person.id', '=', oneOf(ids))
    .where('person.kind', 'in', kinds)
    .where(kindIsSeen(scope))
    .execute()
}
export type FoundRow = Awaited<ReturnType<typeof findFound>>[number]

/** Return how many photographs the persons of these kinds have. */
export async function countPhotosOf(scope: Scope, db: Database, kinds: readonly string[]): Promise<number> {
  if (kinds.length === 0) return 0
  const { count } = await db
    .selectFrom('person')
    .select((eb) => eb.fn.sum<string | null>('faceCount').as('count'))
    .where('parkId', '=', scope.parkId)
    .where('kind', 'in', kinds)
    .where(kindIsSeen(scope))
    .executeTakeFirstOrThrow()
  return Number(count ?? 0)
}
