/** The two places of stored files, accessed without the server. */
import { existsSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { vi } from 'vitest'
import type { Bucket } from '../../../../../../tests/support/object-store.ts'

const DAY_MS = 86_400_000

/** Files as seen with access to the disk but not to the key. */
export interface Place {
  keys(): Promise<string[]>
  read(key: string): Promise<Buffer | null>
  write(key: string, bytes: Uint8Array): Promise<void>
  remove(key: string): Promise<void>
  /** Make a file look two days old. */
  age(key: string): Promise<void>
}

export const folderPlace = (folder: string): Place => ({
  keys: async () =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
          .toSorted()
      : [],
  read: async (key) => (existsSync(join(folder, key)) ? readFileSync(join(folder, key)) : null),
  async write(key, bytes) {
    mkdirSync(dirname(join(folder, key)), { recursive: true })
    writeFileSync(join(folder, key), bytes)
  },
  remove: async (key) => rmSync(join(folder, key)),
  async age(key) {
    const longAgo = new Date(Date.now() - 2 * DAY_MS)
    utimesSync(join(folder, key), longAgo, longAgo)
  },
})

export const bucketPlace = (bucket: Bucket): Place => ({
  // The mark of the installation is not a stored file.
  keys: async () => (await bucket.keys()).filter((key) => key !== 'installation'),
  read: bucket.read,
  write: bucket.write,
  remove: bucket.remove,
  async age(key) {
    const bytes = (await bucket.read(key))!
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * DAY_MS })
    try {
      await bucket.write(key, bytes)
    } finally {
      vi.useRealTimers()
    }
  },
})
