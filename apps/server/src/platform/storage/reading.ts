/** Reading of pictures: under signed addresses, under public ones, and for the server itself. */
import { memoizePending } from '../async/memoize.ts'
import { INSTALLATION_ID } from '../installation.ts'
import type { Scope } from '../session/session.ts'
import type { StorageParts } from './saving-types.ts'
import { partsOfAddress, type SignedAddresses } from './signed-addresses.ts'
import type { Storage } from './storage-types.ts'
import { isVariant, smallVariant, type SmallVariant, type Variant } from './variants.ts'

/** Use of public copies. */
export const PUBLIC = 'public'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Return the bytes of a variant; null where there is no such picture, or it cannot be decoded. */
export type LoadVariant = (parkId: string, fileId: string, variant: Variant) => Promise<Buffer | null>

/** Return a function that loads variants; missing small ones are made from the full one and stored. */
export function createVariantLoader(files: StorageParts['files']): LoadVariant {
  /** Make a small variant of the full picture and store it; null where there is no full picture, or it cannot be decoded. */
  async function make(parkId: string, fileId: string, variant: SmallVariant): Promise<Buffer | null> {
    const full = await files.open(parkId, fileId, 'full')
    const bytes = full === null ? null : await smallVariant(full, variant).catch(() => null)
    if (bytes === null) return null
    await files.replace(parkId, fileId, variant, bytes)
    // If the full picture was removed meanwhile, this variant must not stay behind.
    if (!(await files.exists(fileId, 'full'))) await files.delete(fileId, variant)
    return bytes
  }

  /** Concurrent callers share one creation. */
  const makeOnce = memoizePending((_parkId, fileId, variant) => `${fileId}.${variant}`, make)

  return async (parkId, fileId, variant) => {
    const stored = await files.open(parkId, fileId, variant)
    return stored !== null || variant === 'full' ? stored : makeOnce(parkId, fileId, variant)
  }
}

export interface ReadingParts extends StorageParts {
  addresses: SignedAddresses
  loadVariant: LoadVariant
}

export function createReading({
  db,
  clock,
  files,
  addresses,
  loadVariant,
}: ReadingParts): Pick<Storage, 'address' | 'read' | 'fileOf' | 'publicAddress' | 'readPublic' | 'load' | 'reader'> {
  function reader(scope: Scope): (fileId: string) => Promise<Buffer | null> {
    let room = Buffer.alloc(0)
    const roomFor = (size: number) => (room.length < size ? (room = Buffer.allocUnsafeSlow(size)) : room)
    return (fileId) => files.open(scope.parkId, fileId, 'full', roomFor)
  }

  return {
    address: (scope, fileId, variant) => addresses.address(scope.parkId, fileId, variant),
    async read(fileId, variant, expires, signature) {
      if (!isVariant(variant) || !UUID.test(fileId) || !(Number(expires) > clock.now())) return null
      const row = await db.selectFrom('file').select(['parkId', 'contentType']).where('id', '=', fileId).executeTakeFirst()
      if (row === undefined || !addresses.isSigned(row.parkId, { fileId, variant, expires, signature })) return null
      const bytes = await loadVariant(row.parkId, fileId, variant)
      return bytes === null ? null : { bytes, contentType: row.contentType }
    },
    async fileOf(scope, address, use) {
      const parts = partsOfAddress(address)
      if (parts === null || !addresses.isSigned(scope.parkId, parts)) return null
      const { fileId } = parts
      const row = await db.selectFrom('file').select('use').where('id', '=', fileId).where('parkId', '=', scope.parkId).executeTakeFirst()
      return row === undefined || (use !== undefined && row.use !== use) ? null : fileId
    },
    publicAddress: (fileId) => `/public/${fileId}/full`,
    async readPublic(fileId, variant) {
      if (!isVariant(variant) || !UUID.test(fileId)) return null
      const row = await db
        .selectFrom('file')
        .select('contentType')
        .where('id', '=', fileId)
        .where('parkId', '=', INSTALLATION_ID)
        .where('use', '=', PUBLIC)
        .where('kept', '=', true)
        .executeTakeFirst()
      const bytes = row === undefined ? null : await files.open(INSTALLATION_ID, fileId, variant)
      return bytes === null ? null : { bytes, contentType: row!.contentType }
    },
    load: (scope, fileId, variant) => loadVariant(scope.parkId, fileId, variant),
    reader,
  }
}
