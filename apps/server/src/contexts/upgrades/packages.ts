/** Packages as they are kept: cut into pieces, so that none of them stands in memory as a whole. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { MANIFEST_MAX, MANIFEST_NAME, packageManifest, type PackageManifest } from '@gatehouse/contract/upgrades/package'
import { TAR_BLOCK, tarHeaderOf } from '@gatehouse/contract/upgrades/tar'
import type { Platform } from '../../platform/context.ts'
import type { OpenTransaction } from '../../platform/database.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { RangedFile } from '../../platform/ranged-file.ts'
import type { ReceivedFile } from '../../platform/received-file.ts'
import type { Scope } from '../../platform/session.ts'

const PIECE = 2 * 1_048_576
/** Pieces in memory: devices that are told together ask for the same ones. */
const REMEMBERED = 8
const OWNER: Scope = { parkId: INSTALLATION_ID }

export interface StoredPackage {
  /** In their order. */
  pieces: string[]
  md5: string
  sha256: string
}

export interface Packages {
  /** Stores a file; nothing of it stays unless `keep` follows. */
  store(file: ReceivedFile): Promise<StoredPackage>
  /** Forgets what was stored and not kept. */
  discard(pieces: readonly string[]): Promise<void>
  keep(tx: OpenTransaction, pieces: readonly string[]): Promise<void>
  release(tx: OpenTransaction, pieces: readonly string[]): Promise<void>
  open(of: { pieces: readonly string[]; size: number; sha256: string }): RangedFile
}

/** Whether a file begins as a tar does. */
export async function looksTarred(file: ReceivedFile): Promise<boolean> {
  const first = tarHeaderOf(await file.read(0, TAR_BLOCK))
  return first !== null && first !== 'end'
}

/** What a package says of itself; `absent` where its first file is something else, `invalid` where nobody can go by it. */
export async function manifestOf(file: ReceivedFile): Promise<PackageManifest | 'absent' | 'invalid'> {
  const first = tarHeaderOf(await file.read(0, TAR_BLOCK))
  if (first === null || first === 'end' || first.name.replace(/^\.\//, '') !== MANIFEST_NAME) return 'absent'
  if (first.size > MANIFEST_MAX) return 'invalid'
  try {
    const parsed = packageManifest.safeParse(JSON.parse((await file.read(TAR_BLOCK, first.size)).toString('utf8')))
    return parsed.success ? parsed.data : 'invalid'
  } catch {
    return 'invalid'
  }
}

export function createPackages({ storage }: Pick<Platform, 'storage'>): Packages {
  const remembered = new Map<string, Promise<Buffer>>()

  function piece(id: string): Promise<Buffer> {
    const known = remembered.get(id)
    if (known !== undefined) return known
    const read = storage.load(OWNER, id, 'full').then((bytes) => {
      if (bytes === null) throw new Error(`piece ${id} of a package is gone`)
      return bytes
    })
    remembered.set(id, read)
    read.catch(() => remembered.delete(id))
    if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value!)
    return read
  }

  async function* parts(pieces: readonly string[], start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end; ) {
      const number = Math.floor(at / PIECE)
      const from = at - number * PIECE
      const part = (await piece(pieces[number]!)).subarray(from, from + end - at)
      if (part.length === 0) throw new Error('a package is shorter than it was')
      yield part
      at += part.length
    }
  }

  const discard = async (pieces: readonly string[]): Promise<void> => {
    for (const id of pieces) await storage.discardCapture(id)
  }

  return {
    async store(file) {
      const [md5, sha256] = [createHash('md5'), createHash('sha256')]
      const pieces: string[] = []
      try {
        for (let at = 0; at < file.size; at += PIECE) {
          const bytes = await file.read(at, PIECE)
          md5.update(bytes)
          sha256.update(bytes)
          pieces.push(await storage.writeOriginal(OWNER, bytes))
        }
      } catch (error) {
        await discard(pieces)
        throw error
      }
      return { pieces, md5: md5.digest('hex'), sha256: sha256.digest('hex') }
    },
    discard,
    async keep(tx, pieces) {
      for (const id of pieces) await storage.keepCapture(tx, OWNER, id)
    },
    release: (tx, pieces) => storage.release(tx, OWNER, pieces),
    open: ({ pieces, size, sha256 }) => new RangedFile({ size, etag: `"${sha256}"`, read: (start, end) => Readable.from(parts(pieces, start, end), { objectMode: false }) }),
  }
}
