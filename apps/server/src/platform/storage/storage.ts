/**
 * Pictures in three variants, encrypted with the park's key, and served only under signed addresses in authorised answers. A file is on
 * disk, synced, before anything refers to it. All variants of most pictures are made when they are written. Captures of terminals are
 * many and seldom viewed, so their small variants are made at the first request.
 */
import type { Database } from '../database/database.ts'
import type { Crypto } from '../encryption/crypto.ts'
import type { Clock } from '../time/clock.ts'
import { createBinding } from './binding.ts'
import { createCopying } from './copying.ts'
import type { Disk } from './disk.ts'
import { createReading, createVariantLoader } from './reading.ts'
import { createRemoval } from './removal.ts'
import { createSaving } from './saving.ts'
import type { StorageParts } from './saving-types.ts'
import { createSealedFiles } from './sealed-files.ts'
import { createSignedAddresses } from './signed-addresses.ts'
import type { Storage } from './storage-types.ts'

declare module '../database/tables.ts' {
  interface NarrowedColumns {
    file: {
      /** The uploader, as long as the file counts against their share. */
      uploadedBy: string | null
      /** False: it was sealed before files were bound to their names. */
      bound: boolean
    }
  }
}

/** Return whether the database refers to any file. */
export const refersToFiles = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('file').select('id').where('kept', '=', true).limit(1).executeTakeFirst()) !== undefined

export function openStorage(disk: Disk, db: Database, crypto: Crypto, clock: Clock): Storage {
  const files = createSealedFiles(disk, crypto, async (fileId) => {
    const row = await db.selectFrom('file').select('bound').where('id', '=', fileId).executeTakeFirst()
    return row?.bound === false
  })
  const parts: StorageParts = { db, clock, files }
  const loadVariant = createVariantLoader(files)
  return {
    ...createSaving(parts),
    ...createReading({ ...parts, addresses: createSignedAddresses(crypto, clock), loadVariant }),
    ...createCopying(parts, loadVariant),
    ...createRemoval(parts, disk),
    ...createBinding(parts),
    answers: () => disk.answers(),
  }
}
