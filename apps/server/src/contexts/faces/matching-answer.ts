/** The answer to how a person is compared. */
import type { PersonMatching } from '@gatehouse/contract/faces/calls'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './matching-data.ts'
import { namesOf } from './matching-settings.ts'
import type { MatchingNeeds } from './matching-types.ts'

/** Return how a person is compared. @throws NotFound */
export async function readMatching(platform: Platform, needs: MatchingNeeds, scope: Scope, personId: string): Promise<PersonMatching> {
  const db = platform.db
  await namesOf(needs, scope, [personId])
  const [photos, pairs, thresholds] = await Promise.all([
    data.findPhotosOfPersons(scope, db, [personId]),
    data.findPairs(scope, db, [personId]),
    data.findThresholds(scope, db, [personId]),
  ])
  const otherOf = (pair: data.PairRow) => (pair.personId === personId ? pair.otherId : pair.personId)
  const otherIds = pairs.map(otherOf)
  const [others, pictures, comparable, parkThreshold] = await Promise.all([
    needs.persons(scope, otherIds),
    data.findPhotosOfPersons(scope, db, otherIds),
    data.findComparable(
      scope,
      db,
      photos.map(({ faceId }) => faceId),
      needs.modelId,
    ),
    needs.door(scope),
  ])
  const address = (fileId: string | undefined, variant: '96' | '320') =>
    fileId === undefined ? '' : platform.storage.address(scope, fileId, variant)
  return {
    personId,
    threshold: null,
    loosens: false,
    ...thresholds.get(personId),
    parkThreshold,
    photos: photos.map(({ faceId, fileId, setAsideAt }) => ({
      faceId,
      url: address(fileId, '320'),
      thumbnail: address(fileId, '96'),
      setAsideAt,
      current: comparable.has(faceId),
    })),
    lookAlikes: pairs.flatMap((pair) => {
      const other = others.find(({ id }) => id === otherOf(pair))
      if (other === undefined) return []
      const picture = pictures.find((photo) => photo.personId === other.id)
      return [
        {
          pairId: pair.id,
          personId: other.id,
          personName: other.name,
          thumbnail: address(picture?.fileId, '96'),
          origin: pair.origin,
          createdAt: pair.createdAt,
        },
      ]
    }),
  }
}
