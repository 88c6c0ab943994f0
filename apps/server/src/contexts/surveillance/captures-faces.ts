/** The faces that the server finds in pictures of cameras. */
import { Refusal, TooManyTries } from '../../platform/http/refusal.ts'
import type { FaceInPicture } from '../faces/index.ts'
import type { CaptureDependencies } from './captures-types.ts'

export interface CaptureFaces {
  /** @throws TooManyTries while the engine is busy: a camera drops a picture that is refused by a code, and sends this one again */
  in(picture: Uint8Array, cameraId: string): Promise<FaceInPicture[]>
  /** Return the foremost face; null where the picture shows none, or is too small for one. @throws as `in` */
  foremost(picture: Uint8Array, cameraId: string): Promise<FaceInPicture | null>
}

/** The code of an engine that is busy, and milliseconds after which a camera tries again. */
const ENGINE_BUSY = 900000
const BUSY_MS = 5_000
/** Codes of a picture that shows no face, or is too small for one. */
const WITHOUT_FACE: ReadonlySet<number> = new Set([200206, 200208])

export function createCaptureFaces({ faces }: Pick<CaptureDependencies, 'faces'>): CaptureFaces {
  const facesIn = (picture: Uint8Array, cameraId: string): Promise<FaceInPicture[]> =>
    faces.facesIn(picture, cameraId).catch((error: unknown) => {
      throw error instanceof Refusal && error.code === ENGINE_BUSY ? new TooManyTries(BUSY_MS) : error
    })
  return {
    in: facesIn,
    async foremost(picture, cameraId) {
      const [face] = await facesIn(picture, cameraId).catch((error: unknown): FaceInPicture[] => {
        if (error instanceof Refusal && WITHOUT_FACE.has(error.code)) return []
        throw error
      })
      return face ?? null
    },
  }
}
