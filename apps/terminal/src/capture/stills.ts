/** Pictures that are no stream, of a folder or handed in: each face of a picture is a passer-by. */
import type { FacePool } from '@gatehouse/face-engine'
import { qualityOf } from './best-shot.ts'
import type { Capture } from './capture.ts'
import { isWatched, type CaptureSettings } from './settings.ts'
import { describeShot } from './shots.ts'

export interface StillParts {
  pool: Pick<FacePool, 'analyse'>
  settings: () => CaptureSettings
}

/**
 * Return the captures of a picture, from left to right.
 * @param takenAt epoch milliseconds
 * @throws PhotoRefusal when it is no picture, FacePoolBusy
 */
export async function capturesOf({ pool, settings }: StillParts, picture: Uint8Array, takenAt: number): Promise<Capture[]> {
  const { faces, width, height } = await pool.analyse(picture, { embed: 'none' })
  const size = { width, height }
  const inForce = settings()
  const captures: Capture[] = []
  for (const face of faces.toSorted((a, b) => a.box.x - b.box.x)) {
    const { box } = face
    const quality = qualityOf(face, size)
    const isGood = Math.min(box.width, box.height) >= inForce.leastFaceSize && quality >= inForce.leastQuality
    if (!isGood || !isWatched(box, size, inForce)) continue
    const described = await describeShot(pool, { picture, size, box, quality, takenAt })
    if (described === null) continue
    captures.push({
      enteredAt: takenAt,
      capturedAt: takenAt,
      leftAt: takenAt,
      quality,
      faceWidth: Math.max(1, Math.round(box.width)),
      ...described,
    })
  }
  return captures
}
