/** Pairs of persons in the form of answers: those the caller may see, with current names and pictures. */
import type { closePair } from '@gatehouse/contract/faces/report'
import type { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findFaces } from './data.ts'
import type { CloseSide } from './report-closest.ts'

interface Pair {
  first: CloseSide
  second: CloseSide
  distance: number
  score: number
}

export interface ShownPairsNeeds {
  /** Unknown ids are left out. */
  persons(scope: Scope, ids: readonly string[]): Promise<readonly { id: string; name: string }[]>
  /** Ids of persons the caller may not see. */
  unseen(scope: Scope): Promise<{ ids: ReadonlySet<string> }>
  thumbnailOf(scope: Scope, fileId: string): string
}

export type ShownPairs = ReturnType<typeof createShownPairs>

export function createShownPairs(db: Database, { persons: describe, unseen, thumbnailOf }: ShownPairsNeeds) {
  return {
    /** Return the pairs of which the caller may see both persons. */
    async seen<P extends Pair>(scope: Scope, pairs: readonly P[]): Promise<P[]> {
      const { ids } = await unseen(scope)
      return pairs.filter(({ first, second }) => !ids.has(first.personId) && !ids.has(second.personId))
    },
    /**
     * Return pairs with names and pictures, which are empty for deleted persons and photographs, and for all where `showsPersons`
     * is false.
     */
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
