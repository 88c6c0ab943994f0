/** Uploaded pictures: what counts as a picture, how large it may be, and which pictures are public. */
import sharp from 'sharp'
import { IMAGE_PIXELS_MAX } from '@gatehouse/contract'
import { PICTURE_BYTES, type UploadUse } from '@gatehouse/contract/system/upload'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { createSemaphore } from '../../platform/async/semaphore.ts'
import { looksLikePicture } from '../../platform/documents/picture-mark.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'

const INSTALLATION: Scope = { parkId: INSTALLATION_ID }
/** Pictures decoded at the same time: each may take as much memory as its pixels. */
const AT_ONCE = 1
const WAITING = 200

export interface Pictures {
  /**
   * Store an uploaded picture. @throws InvalidRequest for one too large; Refusal 200205 for an unreadable one, 900000 where too many wait
   */
  store(scope: Scope, bytes: Buffer, use: UploadUse, field: string): Promise<string>
  /** Return a signed address of a picture. */
  addressOf(scope: Scope, fileId: string): string
  /**
   * Return the id of the public picture that a body means: the one uploaded under that address, or sent in it; the present one where its
   * address came back or nothing was sent; null for none.
   *
   * @param present id of the picture that is shown now
   */
  published(scope: Scope, sent: string | undefined, present: string | null, use: UploadUse, field: string): Promise<string | null>
  /** Keep the new pictures and release those that are no longer shown, in the transaction of the change. */
  exchange(tx: Transaction, before: readonly (string | null)[], after: readonly (string | null)[]): Promise<void>
  /** Return the address of a public picture; empty for none. */
  publicAddress(id: string | null): string
}

export function createPictures(platform: Platform): Pictures {
  const semaphore = createSemaphore(AT_ONCE, WAITING)

  async function checked(bytes: Buffer, use: UploadUse, field: string): Promise<void> {
    const limit = PICTURE_BYTES[use]
    if (bytes.length > limit) throw new InvalidRequest([{ path: field, rule: 'max.file', params: { limit } }], 413)
    if (!looksLikePicture(bytes)) refuse(200205, field)
    const { width = 0, height = 0 } = await sharp(bytes, { limitInputPixels: false })
      .metadata()
      .catch(() => ({ width: 0, height: 0 }))
    if (width * height === 0) refuse(200205, field)
    if (width * height > IMAGE_PIXELS_MAX)
      throw new InvalidRequest([{ path: field, rule: 'pixels', params: { limit: IMAGE_PIXELS_MAX / 1_000_000 } }])
  }

  async function store(scope: Scope, bytes: Buffer, use: UploadUse, field: string): Promise<string> {
    await checked(bytes, use, field)
    const leave = await semaphore.enter(1).catch(() => refuse(900000))
    try {
      return await platform.storage.savePicture(scope, bytes, use)
    } catch (error) {
      // The decoder found a fault in the picture. An error with a code, such as a full disk, is no fault of the picture.
      if ((error as NodeJS.ErrnoException).code !== undefined) throw error
      return refuse(200205, field)
    } finally {
      leave()
    }
  }

  const publicAddress = (id: string | null): string => (id === null ? '' : platform.storage.publicAddress(id))

  return {
    store,
    addressOf: (scope, fileId) => platform.storage.address(scope, fileId, 'full'),
    publicAddress,
    async published(scope, sent, present, use, field) {
      if (sent === undefined || sent === publicAddress(present)) return present
      if (sent === '') return null
      const [, data] = /^data:image\/(?:png|jpeg|webp);base64,([\w+/=]+)$/.exec(sent) ?? []
      const fileId =
        data === undefined ? await platform.storage.fileOf(scope, sent, use) : await store(scope, Buffer.from(data, 'base64'), use, field)
      if (fileId === null) throw new InvalidRequest([{ path: field, rule: 'picture' }])
      return platform.storage.publish(scope, fileId)
    },
    async exchange(tx, before, after) {
      const only = (these: readonly (string | null)[], those: readonly (string | null)[]): string[] =>
        these.filter((id): id is string => id !== null && !those.includes(id))
      await platform.storage.keep(tx, INSTALLATION, only(after, before))
      await platform.storage.release(tx, INSTALLATION, only(before, after))
    },
  }
}
