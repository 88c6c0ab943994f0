/** Storing of pictures: written first, and kept by the transaction that refers to them. */
import { oneOf, sql, timestamp } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { isPlainWebp } from '../documents/webp.ts'
import type { StorageParts } from './saving-types.ts'
import type { Storage } from './storage-types.ts'
import { IS_LINK, currentUploader } from './upload-share.ts'
import { allVariants, BACKGROUND_SIDE, FULL_SIDE, fullVariant, VARIANTS } from './variants.ts'

const CONTENT_TYPE = 'image/webp'

/** Register a file that nothing refers to yet. */
export async function enterFile(
  { db, clock }: Pick<StorageParts, 'db' | 'clock'>,
  file: { id: string; parkId: string; use: string } & Partial<{ uploadedBy: string | null; size: number }>,
): Promise<void> {
  await db
    .insertInto('file')
    .values({
      id: file.id,
      parkId: file.parkId,
      use: file.use,
      contentType: CONTENT_TYPE,
      kept: false,
      createdAt: timestamp(clock.now()),
      uploadedBy: file.uploadedBy,
      size: file.size,
    })
    .execute()
}

export function createSaving(
  parts: StorageParts,
): Pick<Storage, 'savePicture' | 'writeCapture' | 'writeOriginal' | 'keepCapture' | 'discardCapture' | 'keep' | 'release'> {
  const { clock, files } = parts
  return {
    async savePicture(scope, picture, use, part) {
      const fileId = newId()
      const made = await allVariants(picture, use === 'background' ? BACKGROUND_SIDE : FULL_SIDE, part)
      await Promise.all(VARIANTS.map((variant) => files.create(scope.parkId, fileId, variant, made[variant])))
      const size = VARIANTS.reduce((sum, variant) => sum + made[variant].length, 0)
      await enterFile(parts, { id: fileId, parkId: scope.parkId, use, uploadedBy: currentUploader(), size })
      return fileId
    },
    async writeCapture(scope, picture) {
      // A terminal's own crops are upright and contain only pixels; any other picture is converted.
      const plain = isPlainWebp(picture, FULL_SIDE)
      const bytes = plain ? picture : await fullVariant(picture).catch(() => null)
      if (bytes === null) return null
      const fileId = newId()
      await files.create(scope.parkId, fileId, 'full', bytes)
      return fileId
    },
    async writeOriginal(scope, photo) {
      const fileId = newId()
      await files.create(scope.parkId, fileId, 'full', photo)
      return fileId
    },
    async keepCapture(tx, scope, fileId) {
      const uploader = currentUploader()
      const size = uploader === null ? null : await files.size(fileId, 'full')
      await tx
        .insertInto('file')
        .values({
          id: fileId,
          parkId: scope.parkId,
          use: 'capture',
          contentType: CONTENT_TYPE,
          kept: true,
          createdAt: timestamp(clock.now()),
          uploadedBy: uploader,
          size,
        })
        .execute()
    },
    discardCapture: (fileId) => files.delete(fileId, 'full'),
    async keep(tx, scope, fileIds, waiting) {
      if (fileIds.length === 0) return
      const uploadedBy = sql<string | null>`CASE WHEN uploaded_by LIKE ${IS_LINK} THEN uploaded_by END`
      await tx
        .updateTable('file')
        .set({ kept: true, ...(waiting === undefined && { uploadedBy }) })
        .where('id', 'in', fileIds)
        .where('parkId', '=', scope.parkId)
        .where((eb) => eb.or([eb('kept', '=', false), eb('uploadedBy', 'is not', null)]))
        .execute()
    },
    async release(tx, scope, fileIds) {
      if (fileIds.length === 0) return
      await tx
        .updateTable('file')
        .set({ kept: false, createdAt: timestamp(0) })
        .where('id', '=', oneOf(fileIds))
        .where('parkId', '=', scope.parkId)
        .execute()
    },
  }
}
