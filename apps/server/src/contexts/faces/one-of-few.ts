/** One-to-few search: which of some persons the face in a picture shows, for example the picture of a passage. */
import { setTimeout as delay } from 'node:timers/promises'
import { recordedScore } from '@gatehouse/contract/score'
import { PhotoRefusal, bytesOfEmbedding, distanceOfScore, scoreOf, type AcceptedFace, type EngineDescription } from '@gatehouse/face-engine'
import { SemaphoreFull } from '../../platform/async/semaphore.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Analysis } from './analysis.ts'
import { foremostFace } from './foremost-face.ts'
import type { Gallery } from './gallery.ts'

export interface OneOfFewOptions {
  among: ReadonlySet<string>
  /** Minimum raw score. */
  score: number
  /** Nobody waits for the result: other work goes first. */
  isBackground: boolean
}

/** Return the nearest person; null where nobody is near enough, and where the picture has no face or cannot be read. */
export type FindAmong = (scope: Scope, picture: Uint8Array, options: OneOfFewOptions) => Promise<{ personId: string; score: number } | null>

/** Return which of some other persons is nearest to the photographs of a person; null where nobody is near enough. */
export type FindLookAlike = (
  scope: Scope,
  personId: string,
  options: Omit<OneOfFewOptions, 'isBackground'>,
) => Promise<{ personId: string; score: number } | null>

/** Milliseconds until the next attempt while too many pictures wait. */
const AGAIN_MS = 250
/** A signal that is never aborted: a stopping server waits for the current picture. */
const NEVER = AbortSignal.any([])

export function createFindAmong(
  { calibration }: EngineDescription,
  analysis: Pick<Analysis, 'analyse' | 'analyseInBackground'>,
  gallery: Pick<Gallery, 'search'>,
): FindAmong {
  async function faceOf(picture: Uint8Array, isBackground: boolean): Promise<AcceptedFace | null> {
    for (;;) {
      try {
        return foremostFace(isBackground ? await analysis.analyseInBackground(picture, {}, NEVER) : await analysis.analyse(picture))
      } catch (error) {
        if (error instanceof PhotoRefusal) return null
        if (!(error instanceof SemaphoreFull)) throw error
        await delay(AGAIN_MS)
      }
    }
  }

  return async (scope, picture, { among, score, isBackground }) => {
    const face = await faceOf(picture, isBackground)
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
