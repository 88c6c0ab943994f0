/** Photographs: checked, cached, turned into templates. */
import { z } from 'zod'
import { call } from '../call.ts'
import { id } from '../schema.ts'

export const faceBox = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
/** Measured qualities, each 0..1 or degrees as named. */
export const faceQuality = z.object({ sharpness: z.number(), brightness: z.number(), yaw: z.number(), pitch: z.number(), roll: z.number(), score: z.number() })

/** Every refusal a photograph can meet, in the order they are tested. */
export const FACE_REFUSALS = [200205, 200206, 200208, 200204, 200218, 201219, 201220, 201221, 201222, 201223, 200219, 200201] as const

export const cachedFace = z.object({
  faceId: id,
  faces: z.array(z.object({ box: faceBox, quality: faceQuality })),
  /** Addresses of the stored picture, valid for minutes. */
  url: z.string(),
  thumbnail: z.string(),
})

/** How a person's photograph is handed out. */
export const facePhoto = z.object({ faceId: id, url: z.string(), thumbnail: z.string() })
export type FacePhoto = z.output<typeof facePhoto>

export const faceCalls = {
  cache: call({
    method: 'POST',
    service: 'biz',
    path: '/face/cache',
    permission: 'self',
    summary: 'Checks a photograph and keeps it for a person; several faces: 200218 with data.faces, resend with faceIndex.',
    consumes: 'multipart',
    body: z.object({ faceIndex: z.coerce.number().int().min(0).max(99).optional(), url: z.string().max(2000).optional() }),
    data: cachedFace,
    errors: [...FACE_REFUSALS],
    bodyLimit: 11 * 1024 * 1024,
  }),
}
