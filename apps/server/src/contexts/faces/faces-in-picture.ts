/** All faces of a picture that is not stored: of a camera that only sends pictures, and of the picture of a capture. */
import sharp from 'sharp'
import { IMAGE_PIXELS_MAX } from '@gatehouse/contract'
import { bytesOfEmbedding, faceSquare, isFiniteEmbedding, type Face, type PhotoAnalysis } from '@gatehouse/face-engine'
import { refusalOf, type Analysis } from './analysis.ts'

export interface FaceInPicture {
  modelId: string
  /** Template of the running model: little-endian float32. */
  template: Buffer
  /** How sure the detector is, 0 to 1. */
  quality: number
  /** Width in pixels of the picture. */
  width: number
  /** Return the face with its surroundings, as a picture of its own. */
  cutOut(): Promise<Buffer>
}

/**
 * Return the faces of a picture of which a template can be made, most prominent first.
 * @throws Refusal 200205 unreadable, 200206 too many pixels, 200208 too small, 900000 too many pictures of cameras wait already
 */
export type FacesIn = (picture: Uint8Array, cameraId: string) => Promise<FaceInPicture[]>

const WEBP_QUALITY = 88

export function createFacesIn(analysis: Pick<Analysis, 'analyseOfCamera'>): FacesIn {
  const cutOut = (picture: Uint8Array, face: Face, found: PhotoAnalysis): Promise<Buffer> => {
    const { left, top, side } = faceSquare(face.box, found)
    return sharp(picture, { limitInputPixels: IMAGE_PIXELS_MAX })
      .autoOrient()
      .extract({ left, top, width: side, height: side })
      .webp({ quality: WEBP_QUALITY })
      .toBuffer()
  }
  return async (picture, cameraId) => {
    const found = await analysis.analyseOfCamera(picture, cameraId).catch(refusalOf)
    return found.faces.flatMap((face) => {
      if (!isFiniteEmbedding(face.embedding)) return []
      return [
        {
          modelId: face.modelId,
          template: Buffer.from(bytesOfEmbedding(face.embedding)),
          quality: Math.min(1, Math.max(0, face.score)),
          width: Math.max(1, Math.round(face.box.width)),
          cutOut: () => cutOut(picture, face, found),
        },
      ]
    })
  }
}
