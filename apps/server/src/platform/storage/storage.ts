/**
 * Pictures in three variants, encrypted with the park's key, given out only under signed addresses that an authorised
 * answer contains. A file is on disk, synced, before anything refers to it. Of most pictures all variants are made at
 * write; captures of terminals come in numbers and are seldom looked at: their small variants are made when first asked for.
 */
import { timingSafeEqual } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import type { Generated } from 'kysely'
import sharp, { type Sharp } from 'sharp'
import { IMAGE_PIXELS_MAX } from '@gatehouse/contract'
import { deletionAllowed } from '../database/backup-lock.ts'
import type { Clock } from '../time/clock.ts'
import type { Crypto } from '../encryption/crypto.ts'
import { oneOf, sql, timestamp, type Database, type OpenTransaction, type Tx } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { INSTALLATION_ID } from '../installation.ts'
import { memoize } from '../async/memoize.ts'
import type { Place } from '../encryption/sealed-column.ts'
import type { Scope } from '../session/session.ts'
import { sweepUnknown } from './storage-unknown.ts'
import { IS_LINK, currentUploader } from './upload-share.ts'
import { isPlainWebp } from '../documents/webp.ts'

export const VARIANTS = ['96', '320', 'full'] as const
export type Variant = (typeof VARIANTS)[number]
export type PictureUse = 'face' | 'capture' | 'logo' | 'background' | 'palm'
/** Use of the copies that everybody may see. */
const PUBLIC = 'public'

const CONTENT_TYPE = 'image/webp'
/** Pixels on the longer side of the largest variant. */
const FULL_SIDE = 1600
/** The same of a background, which fills a large screen. */
const BACKGROUND_SIDE = 3840
const WINDOW_MS = 15 * 60_000
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** A signed address, as `addressUntil` makes it. */
const ADDRESS = /^\/files\/([0-9a-f-]{36})\/(\w+)\?e=(\d+)&s=([\w-]+)$/
/** Files that are sealed again in one transaction. */
const BOUND_AT_ONCE = 100

/** About 20 MB. */
const ADDRESSES_MAX = 50_000

interface StorageTables {
  file: {
    id: string
    park_id: string
    use: string
    content_type: string
    kept: boolean
    created_at: Date | number
    /** Whose upload it is, as long as it counts against their share. */
    uploaded_by: string | null
    size: number | null
    /** False: it is sealed as files were before they were bound to their names. */
    bound: Generated<boolean>
  }
}

export interface Storage {
  /**
   * Stores a picture in all variants and returns its file id. It is dropped after a day unless kept.
   * @param part the square of the upright picture that the small variants show; absent: the middle of it
   */
  savePicture(scope: Scope, picture: Uint8Array, use: PictureUse, part?: { left: number; top: number; side: number }): Promise<string>
  /**
   * Writes the bytes of a terminal's picture and returns its file id, null where they are no picture. Nobody knows of it
   * before `keepCapture`: the transaction that refers to it is the only one it takes.
   */
  writeCapture(scope: Scope, picture: Uint8Array): Promise<string | null>
  /**
   * Writes a photograph as it came, with all it tells of itself, to be looked at again as if it was handed in just now. Only its
   * small variants may be shown. Returns its file id; `keepCapture` and `discardCapture` follow as for a terminal's picture.
   */
  writeOriginal(scope: Scope, photo: Uint8Array): Promise<string>
  /** Enters a written capture as kept, in the transaction that refers to it. */
  keepCapture(tx: OpenTransaction, scope: Scope, fileId: string): Promise<void>
  /** Removes the bytes of a capture that was not kept. */
  discardCapture(fileId: string): Promise<void>
  /**
   * Marks files as referred to, in the transaction that refers to them.
   * @param waiting what refers to them waits for its own use, and goes if that does not come: they go on counting against the share of who uploaded them
   */
  keep(tx: OpenTransaction, scope: Scope, fileIds: readonly string[], waiting?: 'waiting'): Promise<void>
  /** Lets files go with the transaction; their bytes are removed by `sweep`. */
  release(tx: OpenTransaction, scope: Scope, fileIds: readonly string[]): Promise<void>
  /** A signed address, the same for a quarter of an hour so that the browser's cache works. */
  address(scope: Scope, fileId: string, variant: Variant): string
  /** The picture behind an address; null where signature, time or file do not hold. */
  read(fileId: string, variant: string, expires: string, signature: string): Promise<{ bytes: Buffer; contentType: string } | null>
  /**
   * The file behind an address this park was given, whether or not its time is over; null for any other text, and for a
   * file of another use where one is asked for. What a form sends back as a picture is read so.
   */
  fileOf(scope: Scope, address: string, use?: PictureUse): Promise<string | null>
  /** Copies a picture into a park, its own or another, and answers the copy's id; dropped after a day unless kept. */
  copy(scope: Scope, fileId: string, to: Scope): Promise<string>
  /** Copies a picture so that it can be seen without a session, and answers the copy's id; dropped after a day unless kept under the installation's id. */
  publish(scope: Scope, fileId: string): Promise<string>
  /** Address of a published copy, good for ever. */
  publicAddress(fileId: string): string
  /** A published copy that is kept; null for everything else. */
  readPublic(fileId: string, variant: string): Promise<{ bytes: Buffer; contentType: string } | null>
  /** Bytes of one variant, for the server itself. */
  load(scope: Scope, fileId: string, variant: Variant): Promise<Buffer | null>
  /**
   * Loads full variants one after another, never two at once, through room of its own: what large files would leave for the
   * garbage collector is halved.
   */
  reader(scope: Scope): (fileId: string) => Promise<Buffer | null>
  /**
   * Removes the bytes of released files at once instead of at the next sweep. Returns the files that remain: those that
   * something refers to, and all of them while a backup is being taken.
   */
  erase(fileIds: readonly string[]): Promise<string[]>
  /** Removes files nobody kept within a day; answers how many. Does nothing while a backup is being taken. */
  sweep(): Promise<number>
  /**
   * Seals some of the files again that are from before sealed bytes were bound to their names; answers how many are done. May be broken
   * off at any moment, and run on several nodes.
   */
  bindFormer(): Promise<number>
}

/** A small variant as WebP: 96 fills its square, 320 keeps its shape. */
const small = (picture: Sharp, variant: '96' | '320'): Promise<Buffer> =>
  variant === '96'
    ? picture.clone().resize(96, 96, { fit: 'cover' }).webp({ quality: 80 }).toBuffer()
    : picture.clone().resize(320, 320, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 82 }).toBuffer()

const fullSize = (picture: Sharp, side = FULL_SIDE): Promise<Buffer> =>
  picture.clone().resize(side, side, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 88 }).toBuffer()

/** The same of a picture as it came. @throws where it is none, an empty one included */
const fullSizeOf = async (picture: Uint8Array): Promise<Buffer> =>
  fullSize(sharp(picture, { limitInputPixels: IMAGE_PIXELS_MAX }).autoOrient())

export function openStorage(dataDir: string, db: Database<StorageTables>, crypto: Crypto, clock: Clock): Storage {
  const root = join(dataDir, 'files')
  const disk = new Disk(new FSDriver({ location: root, visibility: 'private' }))
  const keyOf = (fileId: string, variant: Variant) => `${fileId.slice(-2)}/${fileId}.${variant}`
  const placeOf = (fileId: string, variant: Variant): Place => `files ${fileId}.${variant}`

  /** Resolves once a folder is on disk itself. */
  const ensureFolder = memoize(async (folder) => {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (first === undefined) return
    for (const parent of new Set([dirname(folder), dirname(first)])) {
      const handle = await open(parent, 'r')
      await handle.sync().finally(() => handle.close())
    }
  })

  /** Writes bytes under a name nobody has yet. Syncing a new file takes its entry in the folder to disk with it. */
  async function write(path: string, bytes: Uint8Array): Promise<void> {
    await ensureFolder(dirname(path))
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
  }

  const put = async (parkId: string, fileId: string, variant: Variant, bytes: Uint8Array): Promise<void> =>
    write(join(root, keyOf(fileId, variant)), await crypto.seal(parkId, placeOf(fileId, variant), bytes))

  /** Addresses of the present window: a page of a list would otherwise sign the same forty again and again. */
  let signed = { expires: 0, addresses: new Map<string, string>() }

  function addressUntil(expires: number, scope: Scope, fileId: string, variant: Variant): string {
    return `/files/${fileId}/${variant}?e=${expires}&s=${signatureOf(scope.parkId, fileId, variant, String(expires))}`
  }

  const signatureOf = (parkId: string, fileId: string, variant: string, expires: string): string =>
    crypto.sign(`${fileId}|${variant}|${parkId}|${expires}`)

  /** Compares in constant time, whatever was presented. */
  function isSigned(parkId: string, fileId: string, variant: string, expires: string, signature: string): boolean {
    const [expected, presented] = [Buffer.from(signatureOf(parkId, fileId, variant, expires)), Buffer.from(signature)]
    return expected.length === presented.length && timingSafeEqual(expected, presented)
  }

  /** Puts sealed bytes in the place of others, at once and durably. */
  async function replace(fileId: string, variant: Variant, sealed: Uint8Array): Promise<void> {
    const path = join(root, keyOf(fileId, variant))
    const unfinished = `${path}.${newId()}`
    await write(unfinished, sealed)
    await rename(unfinished, path)
  }

  /** What is on the disk; null where nothing is. @param roomFor where so many bytes may stand */
  async function sealedBytes(fileId: string, variant: Variant, roomFor = Buffer.allocUnsafe): Promise<Buffer | null> {
    const file = await open(join(root, keyOf(fileId, variant)), 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (file === null) return null
    try {
      const { size } = await file.stat()
      const room = roomFor(size)
      let held = 0
      for (let read = 1; read > 0 && held < size; held += read) read = (await file.read(room, held, size - held, held)).bytesRead
      return room.subarray(0, held)
    } finally {
      await file.close()
    }
  }

  /** @param roomFor where the sealed bytes may stand until they are opened */
  async function stored(parkId: string, fileId: string, variant: Variant, roomFor = Buffer.allocUnsafe): Promise<Buffer | null> {
    const sealed = await sealedBytes(fileId, variant, roomFor)
    if (sealed === null) return null
    const place = placeOf(fileId, variant)
    try {
      return await crypto.open(parkId, place, sealed)
    } catch {
      const row = await db.selectFrom('file').select('bound').where('id', '=', fileId).executeTakeFirst()
      if (row?.bound === false) return crypto.openUnbound(parkId, sealed)
      // It was sealed again, perhaps, between reading the one and the other.
      const again = await sealedBytes(fileId, variant, roomFor)
      return again === null ? null : crypto.open(parkId, place, again)
    }
  }

  /** Seals again what was sealed before it was bound to its name. What neither opens is damaged: it stays so, and keeps nothing back. */
  async function bind(parkId: string, fileId: string, variant: Variant): Promise<void> {
    // Asked before: that the key cannot be had is no damage of this file.
    await crypto.opener(parkId)
    const sealed = await sealedBytes(fileId, variant)
    if (sealed === null) return
    const place = placeOf(fileId, variant)
    const isBound = await crypto.open(parkId, place, sealed).then(
      () => true,
      () => false,
    )
    const plain = isBound ? null : await crypto.openUnbound(parkId, sealed).catch(() => null)
    if (plain !== null) await replace(fileId, variant, await crypto.seal(parkId, place, plain))
  }

  function reader(scope: Scope): (fileId: string) => Promise<Buffer | null> {
    let room = Buffer.alloc(0)
    const roomFor = (size: number) => (room.length < size ? (room = Buffer.allocUnsafeSlow(size)) : room)
    return (fileId) => stored(scope.parkId, fileId, 'full', roomFor)
  }

  /** Remove released files and their rows. Returns false, with nothing removed, while a backup is being taken. */
  async function drop(fileIds: readonly string[]): Promise<boolean> {
    return db.transaction().execute(async (tx) => {
      if (!(await deletionAllowed(tx))) return false
      for (const fileId of fileIds) {
        // The row first: who seals the file again holds it, and writes none anew behind this.
        await tx.deleteFrom('file').where('id', '=', fileId).where('kept', '=', false).execute()
        for (const variant of VARIANTS.toReversed()) await disk.delete(keyOf(fileId, variant))
      }
      return true
    })
  }

  /** Small variants being made, so that two who ask at once make one. */
  const making = new Map<string, Promise<Buffer | null>>()

  /** Makes a small variant of the full picture and keeps it; null where there is none, or none that can be decoded. */
  async function make(parkId: string, fileId: string, variant: Exclude<Variant, 'full'>): Promise<Buffer | null> {
    const full = await stored(parkId, fileId, 'full')
    if (full === null) return null
    const bytes = await small(sharp(full, { limitInputPixels: IMAGE_PIXELS_MAX }).autoOrient(), variant).catch(() => null)
    if (bytes === null) return null
    await replace(fileId, variant, await crypto.seal(parkId, placeOf(fileId, variant), bytes))
    // Swept meanwhile, the full picture went first: this one must not stay behind.
    if (!(await disk.exists(keyOf(fileId, 'full')))) await disk.delete(keyOf(fileId, variant))
    return bytes
  }

  async function bytesOf(parkId: string, fileId: string, variant: Variant): Promise<Buffer | null> {
    const found = await stored(parkId, fileId, variant)
    if (found !== null || variant === 'full') return found
    const key = keyOf(fileId, variant)
    let made = making.get(key)
    if (made === undefined) making.set(key, (made = make(parkId, fileId, variant).finally(() => making.delete(key))))
    return made
  }

  /** Writes all variants of a picture anew under another key. */
  async function copyAs(parkId: string, fileId: string, toParkId: string, use: string): Promise<string> {
    const id = newId()
    for (const variant of VARIANTS) {
      const bytes = await bytesOf(parkId, fileId, variant)
      if (bytes === null) throw new Error(`picture ${fileId} has no variant ${variant}`)
      await put(toParkId, id, variant, bytes)
    }
    await db
      .insertInto('file')
      .values({ id, park_id: toParkId, use, content_type: CONTENT_TYPE, kept: false, created_at: timestamp(clock.now()) })
      .execute()
    return id
  }

  return {
    async savePicture(scope, picture, use, part) {
      const fileId = newId()
      // Orientation is applied and all metadata dropped: a photograph must not tell where it was taken.
      const source = sharp(picture, { limitInputPixels: IMAGE_PIXELS_MAX }).autoOrient()
      const shown =
        part === undefined ? source : source.clone().extract({ left: part.left, top: part.top, width: part.side, height: part.side })
      const [thumbnail, medium, full] = await Promise.all([
        small(shown, '96'),
        small(shown, '320'),
        fullSize(source, use === 'background' ? BACKGROUND_SIDE : FULL_SIDE),
      ])
      await Promise.all([
        put(scope.parkId, fileId, '96', thumbnail),
        put(scope.parkId, fileId, '320', medium),
        put(scope.parkId, fileId, 'full', full),
      ])
      await db
        .insertInto('file')
        .values({
          id: fileId,
          park_id: scope.parkId,
          use,
          content_type: CONTENT_TYPE,
          kept: false,
          created_at: timestamp(clock.now()),
          uploaded_by: currentUploader(),
          size: thumbnail.length + medium.length + full.length,
        })
        .execute()
      return fileId
    },
    async writeCapture(scope, picture) {
      // A terminal's own crops are upright and hold nothing but pixels; whatever else comes is made so.
      const plain = isPlainWebp(picture, FULL_SIDE)
      const bytes = plain ? picture : await fullSizeOf(picture).catch(() => null)
      if (bytes === null) return null
      const fileId = newId()
      await put(scope.parkId, fileId, 'full', bytes)
      return fileId
    },
    async writeOriginal(scope, photo) {
      const fileId = newId()
      await put(scope.parkId, fileId, 'full', photo)
      return fileId
    },
    async keepCapture(tx, scope, fileId) {
      const uploader = currentUploader()
      const size = uploader === null ? null : (await stat(join(root, keyOf(fileId, 'full')))).size
      await (tx as unknown as Tx<StorageTables>)
        .insertInto('file')
        .values({
          id: fileId,
          park_id: scope.parkId,
          use: 'capture',
          content_type: CONTENT_TYPE,
          kept: true,
          created_at: timestamp(clock.now()),
          uploaded_by: uploader,
          size,
        })
        .execute()
    },
    discardCapture: (fileId) => rm(join(root, keyOf(fileId, 'full')), { force: true }),
    async keep(tx, scope, fileIds, waiting) {
      if (fileIds.length === 0) return
      const uploadedBy = sql<string | null>`CASE WHEN uploaded_by LIKE ${IS_LINK} THEN uploaded_by END`
      await (tx as unknown as Tx<StorageTables>)
        .updateTable('file')
        .set({ kept: true, ...(waiting === undefined && { uploaded_by: uploadedBy }) })
        .where('id', 'in', fileIds)
        .where('park_id', '=', scope.parkId)
        .where((eb) => eb.or([eb('kept', '=', false), eb('uploaded_by', 'is not', null)]))
        .execute()
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
      if (!VARIANTS.includes(variant as Variant) || !UUID.test(fileId) || !(Number(expires) > clock.now())) return null
      const row = await db.selectFrom('file').select(['park_id', 'content_type']).where('id', '=', fileId).executeTakeFirst()
      if (row === undefined || !isSigned(row.park_id, fileId, variant, expires, signature)) return null
      const bytes = await bytesOf(row.park_id, fileId, variant as Variant)
      return bytes === null ? null : { bytes, contentType: row.content_type }
    },
    async fileOf(scope, address, use) {
      const [, fileId, variant, expires, signature] = ADDRESS.exec(address) ?? []
      if (fileId === undefined || !isSigned(scope.parkId, fileId, variant!, expires!, signature!)) return null
      const row = await db.selectFrom('file').select('use').where('id', '=', fileId).where('park_id', '=', scope.parkId).executeTakeFirst()
      return row === undefined || (use !== undefined && row.use !== use) ? null : fileId
    },
    async copy(scope, fileId, to) {
      const row = await db.selectFrom('file').select('use').where('id', '=', fileId).where('park_id', '=', scope.parkId).executeTakeFirst()
      return copyAs(scope.parkId, fileId, to.parkId, row?.use ?? 'face')
    },
    publish: (scope, fileId) => copyAs(scope.parkId, fileId, INSTALLATION_ID, PUBLIC),
    publicAddress: (fileId) => `/public/${fileId}/full`,
    async readPublic(fileId, variant) {
      if (!VARIANTS.includes(variant as Variant) || !UUID.test(fileId)) return null
      const row = await db
        .selectFrom('file')
        .select('content_type')
        .where('id', '=', fileId)
        .where('park_id', '=', INSTALLATION_ID)
        .where('use', '=', PUBLIC)
        .where('kept', '=', true)
        .executeTakeFirst()
      const bytes = row === undefined ? null : await stored(INSTALLATION_ID, fileId, variant as Variant)
      return bytes === null ? null : { bytes, contentType: row!.content_type }
    },
    load: (scope, fileId, variant) => bytesOf(scope.parkId, fileId, variant),
    reader,
    async erase(fileIds) {
      if (fileIds.length === 0) return []
      const rows = await db.selectFrom('file').select(['id', 'kept']).where('id', '=', oneOf(fileIds)).execute()
      const kept = rows.filter((row) => row.kept).map(({ id }) => id)
      const released = rows.filter((row) => !row.kept).map(({ id }) => id)
      return released.length === 0 || (await drop(released)) ? kept : [...kept, ...released]
    },
    async sweep() {
      const rows = await db
        .selectFrom('file')
        .select('id')
        .where('kept', '=', false)
        .where('created_at', '<', timestamp(clock.now() - 86_400_000))
        .limit(1000)
        .execute()
      if (!(await drop(rows.map(({ id }) => id)))) return 0
      return rows.length + (await sweepUnknown(root, db as never, clock.now()))
    },
    bindFormer: () =>
      db.transaction().execute(async (tx) => {
        const rows = await tx
          .selectFrom('file')
          .select(['id', 'park_id'])
          .where('bound', '=', false)
          .orderBy('id')
          .limit(BOUND_AT_ONCE)
          .forUpdate()
          .skipLocked()
          .execute()
        for (const { id, park_id: parkId } of rows) for (const variant of VARIANTS) await bind(parkId, id, variant)
        const ids = rows.map(({ id }) => id)
        if (ids.length > 0) await tx.updateTable('file').set({ bound: true }).where('id', '=', oneOf(ids)).execute()
        return rows.length
      }),
  }
}
