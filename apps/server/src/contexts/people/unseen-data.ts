/** What names persons that do not exist for a scope. */
import { oneOf, type Database } from '../../platform/database/database.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import { kindIsSeen } from '../../platform/session/sight.ts'
import { visibleGroupTypes } from './policy.ts'

/**
 * What names persons that do not exist for a scope: logs without columns of persons are searched for it. Empty where all
 * persons exist.
 */
export interface Unseen {
  /** Of persons, of their contacts and of their groups; of persons and contacts that were deleted too. */
  ids: ReadonlySet<string>
  names: ReadonlySet<string>
}

export async function findUnseen(scope: Scope, db: Database): Promise<Unseen> {
  if (seesWatchList(scope)) return { ids: new Set(), names: new Set() }
  const persons = await db
    .selectFrom('person')
    .select(['id', 'name'])
    .where('parkId', '=', scope.parkId)
    .where((eb) => eb.not(kindIsSeen(scope)))
    .execute()
  const personIds = persons.map(({ id }) => id)
  const contacts = await db
    .selectFrom('personContact')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .execute()
  const groups = await db
    .selectFrom('personGroup')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where('type', 'not in', visibleGroupTypes(scope))
    .execute()
  const former = await db.selectFrom('formerWatched').select('id').where('parkId', '=', scope.parkId).execute()
  const all = [...persons, ...contacts, ...groups, ...former]
  return { ids: new Set(all.map(({ id }) => id)), names: new Set(persons.map(({ name }) => name)) }
}
