/** The face in an uploaded picture: what the engine reads of it, and the small picture that is stored. */
import { setTimeout as pause } from 'node:timers/promises'
import { acceptedFace, FacePoolBusy, PhotoRefusal, type Box, type FacePool, type PhotoAnalysis } from '@gatehouse/face-engine'
import sharp from 'sharp'
import { ConsoleRefusal } from './answers.ts'
import type { LocalFace } from './local-people-types.ts'

/** Milliseconds to wait for pictures of the door, which take precedence. */
const BUSY = 100
/** Side of the stored picture in sizes of the face, so large that another engine can find the face again. */
const AROUND = 3
/** Pixels of the longer side of the stored picture. */
const LARGEST = 640

export interface FaceReader {
  /** @throws ConsoleRefusal noFeatureInImage with the reason, featureExtractionFailed if the engine does not work */
  face(photo: Uint8Array): Promise<LocalFace & { embedding: Float32Array }>
  /** Return the engine's whole analysis of a picture. @throws as `face` */
  analyse(photo: Uint8Array): Promise<PhotoAnalysis>
}

/** @param ready resolves when the engine has started, or has failed to */
export function createFaceReader(pool: Pick<FacePool, 'analyse'>, ready: Promise<void>): FaceReader {
  async function analyse(photo: Uint8Array): Promise<PhotoAnalysis> {
    await ready
    for (;;) {
      try {
        return await pool.analyse(photo, { embed: 'first', liveness: true })
      } catch (error) {
        if (error instanceof PhotoRefusal) throw new ConsoleRefusal('noFeatureInImage', { why: { picture: error.code } })
        if (!(error instanceof FacePoolBusy)) throw new ConsoleRefusal('featureExtractionFailed')
        await pause(BUSY)
      }
    }
  }

  return {
    analyse,
    async face(photo) {
      const analysis = await analyse(photo)
      try {
        const { box, embedding } = acceptedFace(analysis)
        return { embedding, picture: await surroundings(photo, box, analysis) }
      } catch (error) {
        if (error instanceof PhotoRefusal) throw new ConsoleRefusal('noFeatureInImage', { why: { picture: error.code } })
        throw error
      }
    },
  }
}

async function surroundings(photo: Uint8Array, box: Box, { width, height }: { width: number; height: number }): Promise<Uint8Array> {
  const side = Math.max(box.width, box.height) * AROUND
  const from = (centre: number) => Math.max(0, Math.round(centre - side / 2))
  const [left, top] = [from(box.x + box.width / 2), from(box.y + box.height / 2)]
  const [wide, high] = [Math.min(Math.round(side), width - left), Math.min(Math.round(side), height - top)]
  return sharp(photo)
    .autoOrient()
    .extract({ left, top, width: wide, height: high })
    .resize(LARGEST, LARGEST, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 90 })
    .toBuffer()
}
