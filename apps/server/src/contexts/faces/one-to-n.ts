/** One against many: whom of the park a photograph shows that was checked and that nobody has. */
import { recordedScore } from '@gatehouse/contract/score'
import { distanceOfScore, scoreOf, type EngineDescription } from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import type { Gallery } from './gallery.ts'
import { FACE_TEMPLATE, type FacesTables } from './schema.ts'

export interface OneToNWish {
  /** Raw score at least. */
  score: number
  /** Persons at most. */
  limit: number
}

export interface OneToNMatch {
  personId: string
  /** The photograph that came nearest. */
  faceId: string
  /** Raw, 0 to 100. */
  score: number
}

/**
 * Persons a photograph of `POST /face/cache` may show, the most alike first, each once; null where there is no such
 * photograph, somebody has it, or the model that runs has no template of it.
 */
export type SearchCached = (scope: Scope, faceId: string, wish: OneToNWish) => Promise<OneToNMatch[] | null>

export function createOneToN(platform: Platform, { calibration, modelId }: EngineDescription, gallery: Gallery): SearchCached {
  const db = platform.db as unknown as Database<FacesTables>
  return async (scope, faceId, { score, limit }) => {
    const [face] = await data.findFaces(scope, db, [faceId])
    if (face === undefined || face.personId !== null || face.contactId !== null) return null
    const [found] = await data.findTemplates(scope, db, [faceId], modelId)
    if (found === undefined) return null
    const template = await platform.crypto.open(scope.parkId, placeOf(FACE_TEMPLATE, faceId, modelId), found.template)
    const matches = await gallery.search(scope, modelId, template, { limit, within: distanceOfScore(calibration, score) })
    return matches.map(({ personId, photoId, distance }) => ({
      personId,
      faceId: photoId,
      score: recordedScore(scoreOf(calibration, distance)),
    }))
  }
}
