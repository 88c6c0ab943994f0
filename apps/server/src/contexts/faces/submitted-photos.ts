/**
 * Photos that people submit for themselves: checked like any other, stored as pictures of their own, and cached for the register once a
 * user has agreed.
 */
import sharp from 'sharp'
import { IMAGE_PIXELS_MAX, code, type OutputOf } from '@gatehouse/contract'
import type { faceBox } from '@gatehouse/contract/faces/calls'
import type { Platform } from '../../platform/context.ts'
import { Refusal, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesService } from './service-types.ts'

type Box = OutputOf<typeof faceBox>
interface Size {
  width: number
  height: number
}

/** A stored photo, with what is compared of it. */
export interface SubmittedPhoto {
  fileId: string
  modelId: string
  /** In clear; whoever stores it encrypts it. */
  template: Buffer
  /** Position of the face, share of the picture's width and height. */
  faceX: number
  faceY: number
}

export interface SubmittedPhotos {
  /**
   * Check a photo and store it; it is deleted after a day unless kept.
   * @param field of the form
   * @throws Refusal with the code of the fault
   */
  take(scope: Scope, bytes: Uint8Array, field: string, faceIndex?: number): Promise<SubmittedPhoto>
  /** Prepare the photo so that a person can be saved with it; return its `faceId`, null without a photo. @throws Refusal like `take` */
  hand(scope: Scope, photo: { fileId: string | null; faceX: number | null; faceY: number | null }): Promise<string | null>
  /**
   * Check a photo and store what surrounds the face: a square without metadata, which is deleted after a day unless kept. Return its file.
   * @throws Refusal like `take`
   */
  portrait(scope: Scope, bytes: Uint8Array, field: string, faceIndex?: number): Promise<string>
  /** Prepare a stored portrait so that a person can be saved with it; return its `faceId`. @throws Refusal like `take` */
  faceIdOf(scope: Scope, fileId: string): Promise<string>
}

/** Side of the square in small pictures, as a multiple of the size of the face. */
const AROUND_FACE = 2
/** Side of a portrait, as a multiple of the size of the face. */
const AROUND_PORTRAIT = 3
const PORTRAIT_QUALITY = 92
const MIDDLE = { x: 0.5, y: 0.5 }

const middleOf = ({ x, y, width, height }: Box): { x: number; y: number } => ({ x: x + width / 2, y: y + height / 2 })

async function uprightSize(bytes: Uint8Array): Promise<Size> {
  const { autoOrient } = await sharp(bytes, { limitInputPixels: IMAGE_PIXELS_MAX }).metadata()
  return autoOrient
}

/** Return the square around a face, within the picture. @param times side, as a multiple of the larger side of the face */
function squareAround(box: Box, { width, height }: Size, times: number): { left: number; top: number; side: number } {
  const side = Math.max(1, Math.floor(Math.min(Math.max(box.width, box.height) * times, width, height)))
  const { x, y } = middleOf(box)
  const within = (middle: number, length: number): number => Math.round(Math.min(Math.max(middle - side / 2, 0), length - side))
  return { left: within(x, width), top: within(y, height), side }
}

/** Rethrow a refusal of a photo at its field of the form. */
function atField(error: unknown, field: string): never {
  if (!(error instanceof Refusal) || error.data?.fields === undefined) throw error
  throw new Refusal(error.code, { ...error.data, fields: error.data.fields.map((issue) => ({ ...issue, path: field })) })
}

/** Return which of several faces is nearest to a place: the picture was encoded again, and faces may be found in another order. */
async function nearestFace(bytes: Buffer, refusal: Refusal, at: { x: number; y: number }): Promise<number> {
  const { width, height } = await uprightSize(bytes)
  const found = (refusal.data?.['faces'] ?? []) as { box: Box }[]
  const distances = found.map(({ box }) => Math.hypot(middleOf(box).x / width - at.x, middleOf(box).y / height - at.y))
  return distances.indexOf(Math.min(...distances))
}

export function createSubmittedPhotos(
  { storage }: Pick<Platform, 'storage'>,
  faces: Pick<FacesService, 'probe' | 'cache'>,
): SubmittedPhotos {
  const faceIn = (bytes: Uint8Array, field: string, faceIndex: number | undefined) =>
    faces.probe(bytes, { faceIndex }).catch((error: unknown) => atField(error, field))

  /** Cache a stored picture by the face at a place; return the `faceId`. */
  async function cached(scope: Scope, fileId: string, at: { x: number; y: number }): Promise<string> {
    const bytes = await storage.load(scope, fileId, 'full')
    if (bytes === null) return refuse(code.faceWithoutFeature, 'file')
    try {
      return (await faces.cache(scope, bytes, {})).faceId
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== code.multipleFaces) throw error
      const faceIndex = await nearestFace(bytes, error, at)
      return (await faces.cache(scope, bytes, { faceIndex })).faceId
    }
  }

  return {
    async take(scope, bytes, field, faceIndex) {
      const face = await faceIn(bytes, field, faceIndex)
      const size = await uprightSize(bytes)
      const fileId = await storage.savePicture(scope, bytes, 'face', squareAround(face.box, size, AROUND_FACE))
      const middle = middleOf(face.box)
      const template = Buffer.from(face.embedding.buffer, face.embedding.byteOffset, face.embedding.byteLength)
      return {
        fileId,
        modelId: face.modelId,
        template,
        faceX: middle.x / size.width,
        faceY: middle.y / size.height,
      }
    },
    hand: async (scope, { fileId, faceX, faceY }) =>
      fileId === null ? null : cached(scope, fileId, { x: faceX ?? MIDDLE.x, y: faceY ?? MIDDLE.y }),
    async portrait(scope, bytes, field, faceIndex) {
      const { box } = await faceIn(bytes, field, faceIndex)
      const { left, top, side } = squareAround(box, await uprightSize(bytes), AROUND_PORTRAIT)
      const square = await sharp(bytes, { limitInputPixels: IMAGE_PIXELS_MAX })
        .autoOrient()
        .extract({ left, top, width: side, height: side })
        .jpeg({ quality: PORTRAIT_QUALITY })
        .toBuffer()
      const inSquare = { ...box, x: box.x - left, y: box.y - top }
      return storage.savePicture(scope, square, 'face', squareAround(inSquare, { width: side, height: side }, AROUND_FACE))
    },
    faceIdOf: (scope, fileId) => cached(scope, fileId, MIDDLE),
  }
}
