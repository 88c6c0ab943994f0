/** One picture of a face: what it looks like with its surroundings, and the template that is made of it. */
import { faceSquare, isFiniteEmbedding, PhotoRefusal, type Box, type FacePool } from '@gatehouse/face-engine'
import sharp from 'sharp'
import { overlapOf, type Size } from './geometry.ts'

/** A face in a picture, with its quality. */
export interface Shot {
  /** The file of the whole picture. */
  picture: Uint8Array
  size: Size
  box: Box
  quality: number
  /** Milliseconds, by the clock of the pictures. */
  takenAt: number
}

/** What is sent of a shot. */
export interface DescribedShot {
  embedding: Float32Array
  /** The face with its surroundings, as WebP. */
  picture: Uint8Array
}

/** Sides of the face that the surroundings are wide. */
const SURROUNDINGS = 2
/** Pixels that the engine needs on either side. */
const LEAST_SIDE = 112
/** Pixels of what is sent, on either side. */
const LARGEST_SIDE = 640
/** Part of the face that must be found again. */
const SAME = 0.3

/**
 * Return what is sent of a shot; null where a thorough look finds no face there.
 * @throws FacePoolBusy
 */
export async function describeShot(pool: Pick<FacePool, 'analyse'>, shot: Shot): Promise<DescribedShot | null> {
  const square = squareAround(shot)
  // As tolerant of damaged pictures as the search that found the face.
  const cut = sharp(shot.picture, { failOn: 'error' })
    .autoOrient()
    .extract({ left: square.left, top: square.top, width: square.width, height: square.height })
    .flatten({ background: '#ffffff' })
  const file = await cut.clone().jpeg({ quality: 95 }).toBuffer()
  const embedding = await embeddingIn(pool, file, { ...shot.box, x: shot.box.x - square.left, y: shot.box.y - square.top })
  if (embedding === null) return null
  const picture = await cut.resize(LARGEST_SIDE, LARGEST_SIDE, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 82 }).toBuffer()
  return { embedding, picture }
}

async function embeddingIn(pool: Pick<FacePool, 'analyse'>, file: Uint8Array, expected: Box): Promise<Float32Array | null> {
  try {
    const { faces } = await pool.analyse(file, { embed: 'all' })
    const [nearest] = faces.toSorted((a, b) => overlapOf(b.box, expected) - overlapOf(a.box, expected))
    if (nearest === undefined || overlapOf(nearest.box, expected) < SAME) return null
    return isFiniteEmbedding(nearest.embedding) ? nearest.embedding : null
  } catch (error) {
    if (error instanceof PhotoRefusal) return null
    throw error
  }
}

/** Return the part of the picture around a face, wider than a square shows it, and as large as the engine needs where the picture is. */
function squareAround({ box, size }: Shot): { left: number; top: number; width: number; height: number } {
  const margin = Math.max(SURROUNDINGS, LEAST_SIDE / Math.max(box.width, box.height))
  const wide = { x: box.x - ((margin - 1) * box.width) / 2, y: box.y - ((margin - 1) * box.height) / 2 }
  const { left, top, side } = faceSquare({ ...wide, width: margin * box.width, height: margin * box.height }, size)
  return { left, top, width: side, height: side }
}
