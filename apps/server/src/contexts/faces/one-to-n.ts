/** One-to-many search: whom of the park a cached photograph without an owner shows. */
import { recordedScore } from '@gatehouse/contract/score'
import { distanceOfScore, scoreOf, type EngineDescription } from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import type { Gallery } from './gallery.ts'
import { FACE_TEMPLATE } from './schema.ts'

export interface OneToNOptions {
  /** Minimum raw score. */
  score: number
  /** Largest number of persons. */
  limit: number
}

export interface OneToNMatch {
  personId: string
  /** The nearest photograph. */
  faceId: string
  /** Raw, 0 to 100. */
  score: number
}

/**
 * Return the persons a photograph of `POST /face/cache` may show, most alike first, each once; null where the photograph does not
 * exist, has an owner, or has no template of the running model.
 */
export type SearchCached = (scope: Scope, faceId: string, options: OneToNOptions) => Promise<OneToNMatch[] | null>

/**
 * Return the template of the running model of a photograph of `POST /face/cache`; null where the photograph does not exist, has an owner,
 * or has no such template.
 */
export type TemplateOfCached = (scope: Scope, faceId: string) => Promise<Uint8Array | null>

export function createTemplateOfCached({ db, crypto }: Platform, { modelId }: EngineDescription): TemplateOfCached {
  return async (scope, faceId) => {
    const [face] = await data.findFaces(scope, db, [faceId])
    if (face === undefined || face.personId !== null || face.contactId !== null) return null
    const [found] = await data.findTemplates(scope, db, [faceId], modelId)
    return found === undefined ? null : crypto.open(scope.parkId, placeOf(FACE_TEMPLATE, faceId, modelId), found.template)
  }
}

export function createOneToN(
  templateOf: TemplateOfCached,
  { calibration, modelId }: EngineDescription,
  gallery: Pick<Gallery, 'search'>,
): SearchCached {
  return async (scope, faceId, { score, limit }) => {
    const template = await templateOf(scope, faceId)
    if (template === null) return null
    const matches = await gallery.search(scope, modelId, template, { limit, within: distanceOfScore(calibration, score) })
    return matches.map(({ personId, photoId, distance }) => ({
      personId,
      faceId: photoId,
      score: recordedScore(scoreOf(calibration, distance)),
    }))
  }
}
