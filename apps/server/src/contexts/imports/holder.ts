/** What imports still know of a person who is erased: the lines that name him, and the photographs that were his. */
import type { LeavingPerson, PersonHolder, Platform } from '../../platform/context.ts'
import { oneOf, sql, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { forgetTaken } from './photos-data.ts'

const numbersOf = (persons: readonly LeavingPerson[]): string[] => persons.flatMap(({ workNumber }) => workNumber ?? [])

async function findRowIds(scope: Scope, db: Database, persons: readonly LeavingPerson[]): Promise<string[]> {
  const rows = await db
    .selectFrom('personImportRow')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where((eb) =>
      eb.or([
        eb('personId', '=', oneOf(persons.map(({ id }) => id))),
        eb('workNumber', '=', sql<string>`ANY(${sql.val(numbersOf(persons))}::text[])`),
      ]),
    )
    .execute()
  return rows.map(({ id }) => id)
}

async function findPhotos(
  scope: Scope,
  db: Database,
  persons: readonly LeavingPerson[],
  rowIds: readonly string[],
): Promise<{ id: string; fileId: string | null }[]> {
  const numbers = sql<string>`ANY(${sql.val(numbersOf(persons))}::text[])`
  return db
    .selectFrom('personImportPhoto')
    .select(['id', 'fileId'])
    .where('parkId', '=', scope.parkId)
    .where((eb) => eb.or([eb('rowId', '=', oneOf(rowIds)), eb('workNumber', '=', numbers), eb('assigned', '=', numbers)]))
    .execute()
}

export function createImportsHolder(platform: Platform): PersonHolder {
  const database = platform.db
  return {
    place: 'imports',
    async count(scope, persons) {
      const rowIds = await findRowIds(scope, database, persons)
      return rowIds.length + (await findPhotos(scope, database, persons, rowIds)).length
    },
    async forget(tx, scope, persons) {
      const rowIds = await findRowIds(scope, tx, persons)
      const photos = await findPhotos(scope, tx, persons, rowIds)
      const fileIds = photos.flatMap(({ fileId }) => fileId ?? [])
      await tx
        .deleteFrom('personImportPhoto')
        .where('parkId', '=', scope.parkId)
        .where('id', '=', oneOf(photos.map(({ id }) => id)))
        .execute()
      await tx.deleteFrom('personImportRow').where('parkId', '=', scope.parkId).where('id', '=', oneOf(rowIds)).execute()
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
