/** The bytes of files, sealed with the key of their park and bound to their name. */
import type { Crypto } from '../encryption/crypto.ts'
import type { Place } from '../encryption/sealed-column.ts'
import type { Disk } from './disk.ts'
import type { RoomFor } from './durable-driver.ts'
import { VARIANTS, type Variant } from './variants.ts'

/** Return the key of a file's bytes on the disk. Its folder is the end of the id, which is random. */
export const keyOf = (fileId: string, variant: Variant): string => `${fileId.slice(-2)}/${fileId}.${variant}`

export interface SealedFiles {
  /** Write a variant of a new file. */
  create(parkId: string, fileId: string, variant: Variant, plain: Uint8Array): Promise<void>
  /** Write a variant, replacing an existing one. */
  replace(parkId: string, fileId: string, variant: Variant, plain: Uint8Array): Promise<void>
  /**
   * Read a variant; null where there is none.
   * @param roomFor returns a buffer for the sealed bytes until they are opened
   * @throws where the bytes are damaged, or belong to another file
   */
  open(parkId: string, fileId: string, variant: Variant, roomFor?: RoomFor): Promise<Buffer | null>
  /** Return the sealed size of a variant. @throws where there is none */
  size(fileId: string, variant: Variant): Promise<number>
  exists(fileId: string, variant: Variant): Promise<boolean>
  /** Remove one variant, or all of them: the full one first, from which the others could be made again. */
  delete(fileId: string, variant?: Variant): Promise<void>
  /**
   * Seal a variant again that was sealed before it was bound to its name. A damaged file is left as it is, and does not stop the others.
   */
  bind(parkId: string, fileId: string, variant: Variant): Promise<void>
}

/** Return the sealed files of a disk. @param isUnbound whether a file is from before sealed bytes were bound to their names */
export function createSealedFiles(disk: Disk, crypto: Crypto, isUnbound: (fileId: string) => Promise<boolean>): SealedFiles {
  const placeOf = (fileId: string, variant: Variant): Place => `files ${fileId}.${variant}`

  const replace: SealedFiles['replace'] = async (parkId, fileId, variant, plain) =>
    disk.replace(keyOf(fileId, variant), await crypto.seal(parkId, placeOf(fileId, variant), plain))

  return {
    create: async (parkId, fileId, variant, plain) =>
      disk.create(keyOf(fileId, variant), await crypto.seal(parkId, placeOf(fileId, variant), plain)),
    replace,
    async open(parkId, fileId, variant, roomFor) {
      const [key, place] = [keyOf(fileId, variant), placeOf(fileId, variant)]
      const sealed = await disk.read(key, roomFor)
      if (sealed === null) return null
      try {
        return await crypto.open(parkId, place, sealed)
      } catch {
        if (await isUnbound(fileId)) return crypto.openUnbound(parkId, sealed)
        // It may have been sealed again between the two reads.
        const again = await disk.read(key, roomFor)
        return again === null ? null : crypto.open(parkId, place, again)
      }
    },
    size: (fileId, variant) => disk.size(keyOf(fileId, variant)),
    exists: (fileId, variant) => disk.exists(keyOf(fileId, variant)),
    async delete(fileId, only) {
      if (only !== undefined) return disk.delete(keyOf(fileId, only))
      const [full, ...others] = VARIANTS.toReversed()
      await disk.delete(keyOf(fileId, full!))
      await Promise.all(others.map((variant) => disk.delete(keyOf(fileId, variant))))
    },
    async bind(parkId, fileId, variant) {
      // Checked first: a key that is not available must not count as damage of this file.
      await crypto.opener(parkId)
      const sealed = await disk.read(keyOf(fileId, variant))
      if (sealed === null) return
      const isBound = await crypto.open(parkId, placeOf(fileId, variant), sealed).then(
        () => true,
        () => false,
      )
      const plain = isBound ? null : await crypto.openUnbound(parkId, sealed).catch(() => null)
      if (plain !== null) await replace(parkId, fileId, variant, plain)
    },
  }
}
