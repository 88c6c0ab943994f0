/** Access records in the form of the answers of calls. */
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import type { AccessRecord, WatchListHit } from '@gatehouse/contract/records/calls'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import { correctedRecords } from './extension-points.ts'
import type * as data from './records-data.ts'
import type { WatchListHits } from './watch-list-hits.ts'

/** Return those of these records that were corrected, as areas above report. */
export async function findCorrected(
  { extensions }: Pick<Platform, 'extensions'>,
  scope: Scope,
  ids: readonly string[],
): Promise<Set<string>> {
  const found = await Promise.all(extensions.all(correctedRecords).map((find) => find(scope, ids)))
  return new Set(found.flatMap((some) => [...some]))
}

/** Return the answers for rows, in their order. */
export type PresentRecords = (scope: Scope, rows: readonly data.RecordRow[]) => Promise<AccessRecord[]>

export function createRecordAnswers(
  platform: Platform,
  faces: RecordDependencies['faces'],
  hits: Pick<WatchListHits, 'of'>,
): PresentRecords {
  function present(
    scope: Scope,
    { captureFileId, personParkName, contactId, contactName, contactRelation, ...row }: data.RecordRow,
    photo: FacePhoto | undefined,
    corrected: boolean,
    watchList: WatchListHit | undefined,
  ): AccessRecord {
    const capture = (variant: '96' | '320') => (captureFileId === null ? '' : platform.storage.address(scope, captureFileId, variant))
    return {
      ...row,
      ...(personParkName !== null && { personParkName }),
      ...(contactId !== null && { contactId, contactName, ...(contactRelation !== null && { contactRelation }) }),
      failText: '',
      captureImage: capture('320'),
      captureThumbnail: capture('96'),
      registeredImage: photo?.url ?? '',
      corrected,
      ...(watchList !== undefined && { watchList }),
    }
  }

  return async (scope, rows) => {
    const personIds = new Set(rows.flatMap((row) => (row.personId === null ? [] : [row.personId])))
    const contactIds = new Set(rows.flatMap(({ contactId }) => contactId ?? []))
    const ids = rows.map(({ id }) => id)
    const [photos, ofContacts, corrected, found] = await Promise.all([
      faces.photosOf(scope, [...personIds]),
      faces.photosOfContacts(scope, [...contactIds]),
      findCorrected(platform, scope, ids),
      hits.of(scope, ids),
    ])
    // The photograph shown beside the face at the door is the one it was compared with.
    const photoOf = ({ personId, contactId }: data.RecordRow) =>
      contactId !== null ? ofContacts.get(contactId) : personId === null ? undefined : photos.get(personId)?.[0]
    return rows.map((row) => present(scope, row, photoOf(row), corrected.has(row.id), found.get(row.id)))
  }
}
