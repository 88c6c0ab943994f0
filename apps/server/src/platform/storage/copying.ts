/** Copies of pictures: into a park, and public ones. */
import { newId } from '../database/ids.ts'
import { INSTALLATION_ID } from '../installation.ts'
import { PUBLIC, type LoadVariant } from './reading.ts'
import { enterFile } from './saving.ts'
import type { StorageParts } from './saving-types.ts'
import type { Storage } from './storage-types.ts'
import { VARIANTS } from './variants.ts'

export function createCopying(parts: StorageParts, loadVariant: LoadVariant): Pick<Storage, 'copy' | 'publish'> {
  const { db, files } = parts

  /** Write all variants of a picture again, sealed with the key of another park. */
  async function copyAs(parkId: string, fileId: string, toParkId: string, use: string): Promise<string> {
    const id = newId()
    for (const variant of VARIANTS) {
      const bytes = await loadVariant(parkId, fileId, variant)
      if (bytes === null) throw new Error(`picture ${fileId} has no variant ${variant}`)
      await files.create(toParkId, id, variant, bytes)
    }
    await enterFile(parts, { id, parkId: toParkId, use })
    return id
  }

  return {
    async copy(scope, fileId, to) {
      const row = await db.selectFrom('file').select('use').where('id', '=', fileId).where('parkId', '=', scope.parkId).executeTakeFirst()
      return copyAs(scope.parkId, fileId, to.parkId, row?.use ?? 'face')
    },
    publish: (scope, fileId) => copyAs(scope.parkId, fileId, INSTALLATION_ID, PUBLIC),
  }
}
