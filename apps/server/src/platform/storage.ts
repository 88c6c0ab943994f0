/**
 * Pictures: three variants made at write, encrypted with the park's key, given out only under signed addresses that
 * an authorised answer contains. A file is on disk, synced, before anything refers to it.
 */
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import sharp from 'sharp'
import { IMAGE_PIXELS_MAX } from '@gatehouse/contract'
import type { Clock } from './clock.ts'
import type { Crypto } from './crypto.ts'
import { timestamp, type Database, type OpenTransaction, type Tx } from './database.ts'
import { newId } from './ids.ts'
import type { Scope } from './session.ts'

export const VARIANTS = ['96', '320', 'full'] as const
export type Variant = (typeof VARIANTS)[number]
export type PictureUse = 'face' | 'capture' | 'logo' | 'background' | 'palm'

const WINDOW_MS = 15 * 60_000
/** About 20 MB. */
const ADDRESSES_MAX = 50_000

interface StorageTables {
  file: { id: string; park_id: string; use: string; content_type: string; kept: boolean; created_at: Date | number }
}

export interface Storage {
  /**
   * Stores a picture in all variants and returns its file id. It is dropped after a day unless kept.
   * @param part the square of the upright picture that the small variants show; absent: the middle of it
   */
  savePicture(scope: Scope, picture: Uint8Array, use: PictureUse, part?: { left: number; top: number; side: number }): Promise<string>
  /** Marks files as referred to, in the transaction that refers to them. */
  keep(tx: OpenTransaction, scope: Scope, fileIds: readonly string[]): Promise<void>
  /** Lets files go with the transaction; their bytes are removed by `sweep`. */
  release(tx: OpenTransaction, scope: Scope, fileIds: readonly string[]): Promise<void>
  /** A signed address, the same for a quarter of an hour so that the browser's cache works. */
  address(scope: Scope, fileId: string, variant: Variant): string
  /** The picture behind an address; null where signature, time or file do not hold. */
  read(fileId: string, variant: string, expires: string, signature: string): Promise<{ bytes: Buffer; contentType: string } | null>
  /** Bytes of one variant, for the server itself. */
  load(scope: Scope, fileId: string, variant: Variant): Promise<Buffer | null>
  /** Removes files nobody kept within a day; answers how many. */
  sweep(): Promise<number>
}

export function openStorage(dataDir: string, db: Database<StorageTables>, crypto: Crypto, clock: Clock): Storage {
  const root = join(dataDir, 'files')
  const disk = new Disk(new FSDriver({ location: root, visibility: 'private' }))
  const keyOf = (fileId: string, variant: Variant) => `${fileId.slice(-2)}/${fileId}.${variant}`

  async function put(parkId: string, fileId: string, variant: Variant, bytes: Uint8Array): Promise<void> {
    const key = keyOf(fileId, variant)
    await disk.put(key, await crypto.seal(parkId, bytes))
    for (const path of [join(root, key), dirname(join(root, key))]) {
      const handle = await open(path, 'r')
      await handle.sync()
      await handle.close()
    }
  }

  /** Addresses of the present window: a page of a list would otherwise sign the same forty again and again. */
  let signed = { expires: 0, addresses: new Map<string, string>() }

  function addressUntil(expires: number, scope: Scope, fileId: string, variant: Variant): string {
    return `/files/${fileId}/${variant}?e=${expires}&s=${crypto.sign(`${fileId}|${variant}|${scope.parkId}|${expires}`)}`
  }

  async function bytesOf(parkId: string, fileId: string, variant: Variant): Promise<Buffer | null> {
    const key = keyOf(fileId, variant)
    if (!(await disk.exists(key))) return null
    return crypto.open(parkId, await disk.getBytes(key))
  }

  return {
    async savePicture(scope, picture, use, part) {
      const fileId = newId()
      // Orientation is applied and all metadata dropped: a photograph must not tell where it was taken.
      const source = sharp(picture, { limitInputPixels: IMAGE_PIXELS_MAX }).autoOrient()
      const shown = part === undefined ? source : source.clone().extract({ left: part.left, top: part.top, width: part.side, height: part.side })
      const [small, medium, full] = await Promise.all([
        shown.clone().resize(96, 96, { fit: 'cover' }).webp({ quality: 80 }).toBuffer(),
        shown.clone().resize(320, 320, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 82 }).toBuffer(),
        source.clone().resize(1600, 1600, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 88 }).toBuffer(),
      ])
      await Promise.all([put(scope.parkId, fileId, '96', small), put(scope.parkId, fileId, '320', medium), put(scope.parkId, fileId, 'full', full)])
      await db
        .insertInto('file')
        .values({ id: fileId, park_id: scope.parkId, use, content_type: 'image/webp', kept: false, created_at: timestamp(clock.now()) })
        .execute()
      return fileId
    },
    async keep(tx, scope, fileIds) {
      if (fileIds.length === 0) return
      await (tx as unknown as Tx<StorageTables>).updateTable('file').set({ kept: true }).where('id', 'in', fileIds).where('park_id', '=', scope.parkId).execute()
    },
    async release(tx, scope, fileIds) {
      if (fileIds.length === 0) return
      await (tx as unknown as Tx<StorageTables>)
        .updateTable('file')
        .set({ kept: false, created_at: timestamp(0) })
        .where('id', 'in', fileIds)
        .where('park_id', '=', scope.parkId)
        .execute()
    },
    address(scope, fileId, variant) {
      const expires = (Math.floor(clock.now() / WINDOW_MS) + 2) * WINDOW_MS
      if (signed.expires !== expires || signed.addresses.size >= ADDRESSES_MAX) signed = { expires, addresses: new Map() }
      const key = `${scope.parkId}/${fileId}/${variant}`
      let address = signed.addresses.get(key)
      if (address === undefined) signed.addresses.set(key, (address = addressUntil(expires, scope, fileId, variant)))
      return address
    },
    async read(fileId, variant, expires, signature) {
      if (!VARIANTS.includes(variant as Variant) || !(Number(expires) > clock.now())) return null
      const row = await db.selectFrom('file').select(['park_id', 'content_type']).where('id', '=', fileId).executeTakeFirst()
      if (row === undefined || crypto.sign(`${fileId}|${variant}|${row.park_id}|${expires}`) !== signature) return null
      const bytes = await bytesOf(row.park_id, fileId, variant as Variant)
      return bytes === null ? null : { bytes, contentType: row.content_type }
    },
    load: (scope, fileId, variant) => bytesOf(scope.parkId, fileId, variant),
    async sweep() {
      const rows = await db
        .selectFrom('file')
        .select('id')
        .where('kept', '=', false)
        .where('created_at', '<', timestamp(clock.now() - 86_400_000))
        .limit(1000)
        .execute()
      for (const { id } of rows) {
        for (const variant of VARIANTS) await disk.delete(keyOf(id, variant))
        await db.deleteFrom('file').where('id', '=', id).where('kept', '=', false).execute()
      }
      return rows.length
    },
  }
}
