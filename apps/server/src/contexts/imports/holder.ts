/** What imports still know of a person who is erased: the lines that name him, and the photographs that were his. */
import type { LeavingPerson, PersonHolder, Platform } from '../../platform/context.ts'
import { oneOf, sql, type Database, type Tx } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { forgetTaken } from './data.ts'
import type { ImportsTables } from './schema.ts'

type Db = Database<ImportsTables>

const numbersOf = (persons: readonly LeavingPerson[]): string[] => persons.flatMap(({ workNumber }) => workNumber ?? [])

async function findRowIds(scope: Scope, db: Db, persons: readonly LeavingPerson[]): Promise<string[]> {
  const rows = await db
    .selectFrom('person_import_row')
    .select('id')
    .where('park_id', '=', scope.parkId)
    .where((eb) =>
      eb.or([
        eb('person_id', '=', oneOf(persons.map(({ id }) => id))),
        eb('work_number', '=', sql<string>`ANY(${sql.val(numbersOf(persons))}::text[])`),
      ]),
    )
    .execute()
  return rows.map(({ id }) => id)
}

async function findPhotos(
  scope: Scope,
  db: Db,
  persons: readonly LeavingPerson[],
  rowIds: readonly string[],
): Promise<{ id: string; fileId: string | null }[]> {
  const numbers = sql<string>`ANY(${sql.val(numbersOf(persons))}::text[])`
  return db
    .selectFrom('person_import_photo')
    .select(['id', 'file_id as fileId'])
    .where('park_id', '=', scope.parkId)
    .where((eb) => eb.or([eb('row_id', '=', oneOf(rowIds)), eb('work_number', '=', numbers), eb('assigned', '=', numbers)]))
    .execute()
}

export function createImportsHolder(platform: Platform): PersonHolder {
  const database = platform.db as unknown as Db
  return {
    place: 'imports',
    async count(scope, persons) {
      const rowIds = await findRowIds(scope, database, persons)
      return rowIds.length + (await findPhotos(scope, database, persons, rowIds)).length
    },
    async forget(open, scope, persons) {
      const tx = open as Tx<ImportsTables>
      const rowIds = await findRowIds(scope, tx, persons)
      const photos = await findPhotos(scope, tx, persons, rowIds)
      const fileIds = photos.flatMap(({ fileId }) => fileId ?? [])
      await tx
        .deleteFrom('person_import_photo')
        .where('park_id', '=', scope.parkId)
        .where('id', '=', oneOf(photos.map(({ id }) => id)))
        .execute()
      await tx.deleteFrom('person_import_row').where('park_id', '=', scope.parkId).where('id', '=', oneOf(rowIds)).execute()
      await forgetTaken(
        scope,
        tx,
        persons.map(({ id }) => id),
      )
      await platform.storage.release(tx, scope, fileIds)
      return { count: rowIds.length + photos.length, fileIds }
    },
  }
}
