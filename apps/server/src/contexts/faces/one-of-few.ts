/** One against a few: which of some persons the face in a picture shows, that of a passage for example. */
import { setTimeout as delay } from 'node:timers/promises'
import { recordedScore } from '@gatehouse/contract/score'
import { PhotoRefusal, bytesOfEmbedding, distanceOfScore, scoreOf, type AcceptedFace, type EngineDescription } from '@gatehouse/face-engine'
import { SemaphoreFull } from '../../platform/async/semaphore.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Analysis } from './analysis.ts'
import { foremostFace } from './foremost-face.ts'
import type { Gallery } from './gallery.ts'

export interface OneOfFewWish {
  among: ReadonlySet<string>
  /** Raw score at least. */
  score: number
  /** Nobody is waiting for it: others go first. */
  gently: boolean
}

/** The person who comes nearest; null where nobody comes near enough, and where the picture has no face or cannot be read. */
export type FindAmong = (scope: Scope, picture: Uint8Array, wish: OneOfFewWish) => Promise<{ personId: string; score: number } | null>

/** Which of some other persons the photographs of a person come nearest to; null where they come near enough to nobody's. */
export type FindLookAlike = (
  scope: Scope,
  personId: string,
  wish: Omit<OneOfFewWish, 'gently'>,
) => Promise<{ personId: string; score: number } | null>

/** So many pictures of others wait that no more are taken. */
const AGAIN_MS = 250
/** It is never called back: whoever stops waits for the picture in hand. */
const NEVER = AbortSignal.any([])

export function createFindAmong(
  { calibration }: EngineDescription,
  analysis: Pick<Analysis, 'analyse' | 'gently'>,
  gallery: Pick<Gallery, 'search'>,
): FindAmong {
  async function faceOf(picture: Uint8Array, gently: boolean): Promise<AcceptedFace | null> {
    for (;;) {
      try {
        return foremostFace(gently ? await analysis.gently(picture, {}, NEVER) : await analysis.analyse(picture))
      } catch (error) {
        if (error instanceof PhotoRefusal) return null
        if (!(error instanceof SemaphoreFull)) throw error
        await delay(AGAIN_MS)
      }
    }
  }

  return async (scope, picture, { among, score, gently }) => {
    const face = await faceOf(picture, gently)
    if (face === null) return null
    const within = distanceOfScore(calibration, score)
    const [nearest] = await gallery.search(scope, face.modelId, bytesOfEmbedding(face.embedding), { limit: 1, within, only: among })
    return nearest === undefined ? null : { personId: nearest.personId, score: recordedScore(scoreOf(calibration, nearest.distance)) }
  }
}

export const createFindLookAlike =
  ({ calibration }: EngineDescription, gallery: Pick<Gallery, 'searchByPerson'>): FindLookAlike =>
  async (scope, personId, { among, score }) => {
    const within = distanceOfScore(calibration, score)
    const nearest = await gallery.searchByPerson(scope, personId, { limit: 1, within, only: among })
    return nearest && { personId: nearest.personId, score: recordedScore(scoreOf(calibration, nearest.distance)) }
  }
