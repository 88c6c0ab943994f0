/** Pictures that are not faces of people: logos, backgrounds, palms. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { IMAGE_MAX_LARGE, IMAGE_MAX_MEDIUM, IMAGE_MAX_SMALL, PALM_IMAGE_MAX } from '../limits.ts'
import { id } from '../schema.ts'

const call = callsOf('system')

/** Largest file of each use, in bytes. */
export const PICTURE_BYTES = { face: IMAGE_MAX_MEDIUM, logo: IMAGE_MAX_SMALL, background: IMAGE_MAX_LARGE, palm: PALM_IMAGE_MAX } as const
export type UploadUse = keyof typeof PICTURE_BYTES

export const uploadCalls = {
  uploadImage: call({
    method: 'POST',
    service: 'biz',
    path: '/upload/image',
    permission: 'self',
    summary: 'Stores a picture (PNG, JPEG, WebP) without what else its file says; it is dropped after a day unless something refers to it.',
    consumes: 'multipart',
    bodyLimit: IMAGE_MAX_LARGE,
    body: z.object({ use: z.enum(['face', 'logo', 'background', 'palm']).default('face') }),
    data: z.object({ id, /** Signed address, valid for minutes; bodies with a picture accept it. */ url: z.string() }),
    errors: [200205],
  }),
}
