/** `POST /upload/image`. */
import { uploadCalls } from '@gatehouse/contract/system/upload'
import { handler, type MountedCall } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Pictures } from './pictures.ts'

export const uploadHandlers = (pictures: Pictures): MountedCall[] => [
  handler(uploadCalls.uploadImage, async ({ scope, file, body }) => {
    if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
    const id = await pictures.store(scope, file.bytes, body.use, 'file')
    return { id, url: pictures.addressOf(scope, id) }
  }),
]
