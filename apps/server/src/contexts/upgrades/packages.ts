/** Storage of packages. They belong to the installation, and are read from memory when several devices download at once. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import { createKeptFiles } from '../../platform/storage/kept-file.ts'
import { memoize } from '../../platform/async/memoize.ts'
import type { RangedFile } from '../../platform/http/ranged-file.ts'
import type { ReceivedFile } from '../../platform/http/received-file.ts'
import type { Scope } from '../../platform/session/session.ts'

/** Pieces in memory: devices notified together request the same ones. */
const REMEMBERED = 8
const OWNER: Scope = { parkId: INSTALLATION_ID }

export interface StoredPackage {
  /** Ids of the pieces, in order. */
  pieces: string[]
  md5: string
  sha256: string
}

export interface Packages {
  /** Store a file; it is deleted unless `keep` follows. */
  store(file: ReceivedFile): Promise<StoredPackage>
  /** Delete pieces that were stored and not kept. */
  discard(pieces: readonly string[]): Promise<void>
  keep(tx: Transaction, pieces: readonly string[]): Promise<void>
  release(tx: Transaction, pieces: readonly string[]): Promise<void>
  open(of: { pieces: string[]; size: number }): RangedFile
}

export function createPackages({ storage }: Pick<Platform, 'storage'>): Packages {
  const piece = memoize(async (id) => {
    const bytes = await storage.load(OWNER, id, 'full')
    if (bytes === null) throw new Error(`piece ${id} of a package is gone`)
    return bytes
  }, REMEMBERED)
  // One reader for all downloads, so that a piece read for one device is cached for the next.
  const files = createKeptFiles({ ...storage, reader: () => piece })

  return {
    async store(file) {
      const [md5, sha256] = [createHash('md5'), createHash('sha256')]
      async function* hashed(): AsyncGenerator<Buffer> {
        for await (const chunk of file.stream() as AsyncIterable<Buffer>) {
          md5.update(chunk)
          sha256.update(chunk)
          yield chunk
        }
      }
      const { fileIds } = await files.write(OWNER, Readable.from(hashed(), { objectMode: false }))
      return { pieces: fileIds, md5: md5.digest('hex'), sha256: sha256.digest('hex') }
    },
    discard: files.discard,
    keep: (tx, pieces) => files.keep(tx, OWNER, pieces),
    release: (tx, pieces) => storage.release(tx, OWNER, pieces),
    open: ({ pieces, size }) => files.open(OWNER, { fileIds: pieces, size }),
  }
}
