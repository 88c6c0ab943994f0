/** Pairs of persons as they are shown: of whom the asker may know, with names and pictures as they are now. */
import type { closePair } from '@gatehouse/contract/faces/report'
import type { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findFaces } from './data.ts'
import type { CloseSide } from './report-closest.ts'
import type { FacesTables } from './schema.ts'

interface Pair {
  first: CloseSide
  second: CloseSide
  distance: number
  score: number
}

export interface ShownPairsNeeds {
  /** Unknown ids are left out. */
  persons(scope: Scope, ids: readonly string[]): Promise<readonly { id: string; name: string }[]>
  /** Ids of those who do not exist for the asker. */
  unseen(scope: Scope): Promise<{ ids: ReadonlySet<string> }>
  thumbnailOf(scope: Scope, fileId: string): string
}

export function createShownPairs(db: Database<FacesTables>, { persons: describe, unseen, thumbnailOf }: ShownPairsNeeds) {
  return {
    /** The pairs of which both persons exist for the asker. */
    async seen<P extends Pair>(scope: Scope, pairs: readonly P[]): Promise<P[]> {
      const { ids } = await unseen(scope)
      return pairs.filter(({ first, second }) => !ids.has(first.personId) && !ids.has(second.personId))
    },
    /** Of persons and photographs that are gone names and pictures are empty; so are all where persons are not shown. */
    async present(scope: Scope, pairs: readonly Pair[], showsPersons: boolean): Promise<z.output<typeof closePair>[]> {
      const sides = showsPersons ? pairs.flatMap(({ first, second }) => [first, second]) : []
      const [persons, faces] = await Promise.all([
        describe(scope, [...new Set(sides.map(({ personId }) => personId))]),
        findFaces(scope, db, [...new Set(sides.map(({ faceId }) => faceId))]),
      ])
      const names = new Map(persons.map(({ id, name }) => [id, name]))
      const photos = new Map(faces.map((face) => [face.id, face]))
      const sideOf = ({ personId, faceId }: CloseSide) => {
        const photo = photos.get(faceId)
        return {
          personId,
          personName: names.get(personId) ?? '',
          faceId,
          thumbnail: photo?.personId === personId ? thumbnailOf(scope, photo.fileId) : '',
        }
      }
      return pairs.map(({ distance, score, first, second }) => ({ distance, score, first: sideOf(first), second: sideOf(second) }))
    },
  }
}
