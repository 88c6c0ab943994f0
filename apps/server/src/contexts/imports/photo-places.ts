/** Whose the photographs of an import are: by the names of their files, or by what somebody said. */
import { FACES_PER_PERSON } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { ImportRecord } from './data.ts'
import type { ImportsDependencies } from './dependencies.ts'
import { findOpenPhotos, findTaken, placePhotos, type PhotoPlace, type PhotoRecord } from './photos-data.ts'
import { deleteRows, findOpenRows, findPhotoRows, insertPhotoRows } from './rows-data.ts'

const isRefused = (photo: PhotoRecord): boolean => photo.state === 'refused'

/**
 * Return the photographs of one person in their order, each with why it is not accepted; null for one that is.
 * @param room how many more photographs the person may have
 * @param seen digests of those the person has; those of the accepted ones are added
 */
function acceptedOf(photos: readonly PhotoRecord[], room: number, seen: Set<string>): { photo: PhotoRecord; reason: string | null }[] {
  let left = room
  return photos
    .toSorted((one, other) => one.position - other.position || one.filename.localeCompare(other.filename))
    .map((photo) => {
      if (isRefused(photo)) return { photo, reason: photo.reason }
      const digest = photo.digest.toString('hex')
      if (seen.has(digest)) return { photo, reason: 'twice' }
      seen.add(digest)
      return { photo, reason: left-- > 0 ? null : 'tooMany' }
    })
}

/** Decides whose photographs are: of those of these work numbers, or of all where it is null. */
export type PlacePhotographs = (scope: Scope, one: ImportRecord, numbers: readonly string[] | null) => Promise<void>

export function createPhotoPlacing(platform: Platform, { people, faces }: Pick<ImportsDependencies, 'people' | 'faces'>): PlacePhotographs {
  const db = platform.db
  const { lookup } = people
  return async function placePhotographs(scope: Scope, one: ImportRecord, numbers: readonly string[] | null): Promise<void> {
    const photos = await findOpenPhotos(scope, db, one.id, numbers)
    const candidates = [
      ...new Set([
        ...photos.flatMap(({ stem, base, assigned }) => [stem, base, assigned].filter((text): text is string => text !== null)),
        ...(numbers ?? []),
      ]),
    ]
    const none = { phone: null, cardNumber: null, idNumber: null, personalPassword: null }
    const [rows, holders, photoRows] = await Promise.all([
      findOpenRows(scope, db, one.id, candidates),
      lookup.holders(
        scope,
        candidates.map((workNumber) => ({ workNumber, ...none })),
      ),
      findPhotoRows(scope, db, one.id, numbers),
    ])
    const ids = holders.map(({ personId }) => personId)
    const kinds = new Map((await people.facts(scope, ids)).map(({ id, kind }) => [id, kind]))
    const personOf = new Map(
      holders.flatMap(({ key, personId }) => {
        const kind = kinds.get(personId)
        return kind !== undefined && (kind === 'special') === (one.kind === 'special') ? [[key, personId] as const] : []
      }),
    )
    const sheetRow = new Map<string, string>()
    for (const { id, workNumber, line } of rows) if (line !== null && !sheetRow.has(workNumber)) sheetRow.set(workNumber, id)
    const hasOwner = (number: string | null): number is string => number !== null && (sheetRow.has(number) || personOf.has(number))
    const numberOf = ({ assigned, stem, base }: PhotoRecord): string | null =>
      assigned !== null ? (hasOwner(assigned) ? assigned : null) : hasOwner(stem) ? stem : hasOwner(base) ? base : null

    const [present, taken] = await Promise.all([
      faces.photosOf(scope, [...personOf.values()]),
      findTaken(scope, db, [...personOf.values()]),
    ])
    const places: PhotoPlace[] = []
    // Somebody with a line of a spreadsheet needs no other row.
    const photoRowOf = new Map(photoRows.flatMap(({ id, workNumber }) => (sheetRow.has(workNumber) ? [] : [[workNumber, id] as const])))
    const needed = new Set<string>()
    const newRows: { id: string; workNumber: string }[] = []
    for (const [number, group] of Map.groupBy(photos, numberOf)) {
      if (number === null) {
        places.push(
          ...group.map(({ id, state, reason }) => ({
            id,
            workNumber: null,
            rowId: null,
            reason: state === 'refused' ? (reason ?? 'unreadable') : 'unknownNumber',
          })),
        )
        continue
      }
      const personId = personOf.get(number)
      const current = (personId === undefined ? undefined : present.get(personId)) ?? []
      const seen = new Set(
        taken.flatMap((each) =>
          each.personId === personId && current.some(({ faceId }) => faceId === each.faceId) ? [each.digest.toString('hex')] : [],
        ),
      )
      const accepted = acceptedOf(group, FACES_PER_PERSON - current.length, seen)
      let rowId = sheetRow.get(number) ?? photoRowOf.get(number) ?? null
      if (rowId === null && accepted.some(({ reason, photo }) => reason === null && !isRefused(photo))) {
        rowId = newId()
        newRows.push({ id: rowId, workNumber: number })
      }
      if (accepted.some(({ reason, photo }) => reason === null || isRefused(photo))) needed.add(number)
      // What the run has refused stays with the row it was refused for.
      places.push(
        ...accepted.map(({ photo, reason }) => ({
          id: photo.id,
          workNumber: number,
          rowId: isRefused(photo) ? (rowId ?? photo.rowId) : reason === null ? rowId : null,
          reason,
        })),
      )
    }
    await platform.transaction(async (tx) => {
      await insertPhotoRows(scope, tx, one.id, newRows)
      await placePhotos(scope, tx, places)
      await deleteRows(
        scope,
        tx,
        photoRows.flatMap(({ id, workNumber }) => (needed.has(workNumber) && !sheetRow.has(workNumber) ? [] : [id])),
      )
    })
  }
}
