/** Rows of what deleted persons of the watch list are still named by elsewhere; every function takes the scope first. */
import { oneOf, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

async function insert(db: Database, rows: readonly { id: string; parkId: string }[]): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('formerWatched')
    .values(rows.map(({ id, parkId }) => ({ id, parkId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What persons of the watch list and their contacts are named by elsewhere. */
interface WatchedNames {
  ids: string[]
  names: string[]
}

/** Keep the ids of those of these persons who are on the watch list, and of their contacts; answer them with the persons' names. */
export async function keepWatched({ parkId }: Scope, db: Database, personIds: readonly string[]): Promise<WatchedNames> {
  const persons = await db
    .selectFrom('person')
    .select(['id', 'name'])
    .where('parkId', '=', parkId)
    .where('id', '=', oneOf(personIds))
    .where('kind', '=', 'special')
    .execute()
  const contacts = await db
    .selectFrom('personContact')
    .select('id')
    .where('parkId', '=', parkId)
    .where('personId', '=', oneOf(persons.map(({ id }) => id)))
    .execute()
  const ids = [...persons, ...contacts].map(({ id }) => id)
  await insert(
    db,
    ids.map((id) => ({ id, parkId })),
  )
  return { ids, names: persons.map(({ name }) => name) }
}

/** Keep the id of a contact whose person is on the watch list; answer whether it is. */
export async function keepContactOfWatched({ parkId }: Scope, db: Database, contactId: string): Promise<boolean> {
  const contact = await db
    .selectFrom('personContact')
    .innerJoin('person', 'person.id', 'personContact.personId')
    .select('personContact.id')
    .where('personContact.parkId', '=', parkId)
    .where('personContact.id', '=', contactId)
    .where('person.kind', '=', 'special')
    .executeTakeFirst()
  if (contact !== undefined) await insert(db, [{ id: contactId, parkId }])
  return contact !== undefined
}

/** Keep pseudonyms in place of the ids of a person who was erased, each in the park whose records it stands in. */
export async function keepPseudonyms(
  { parkId }: Scope,
  db: Database,
  ids: readonly string[],
  pseudonyms: readonly { parkId: string; id: string }[],
): Promise<void> {
  await db.deleteFrom('formerWatched').where('parkId', '=', parkId).where('id', '=', oneOf(ids)).execute()
  await insert(db, pseudonyms)
}
