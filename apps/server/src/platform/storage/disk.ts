/**
 * The disk of stored files: a folder of this machine, or a bucket of an S3 server. Each call behaves the same on both. No other code in
 * the server opens a stored file.
 */
import { join } from 'node:path'
import { Disk as Flydrive, errors } from 'flydrive'
import type { DriverContract } from 'flydrive/types'
import type { Config } from '../../config.ts'
import { DurableDriver, type RoomFor } from './durable-driver.ts'

export interface ListedFile {
  key: string
  /** Return when it was written, by the disk's own clock, in milliseconds; null if it was deleted meanwhile. */
  writtenAt(): Promise<number | null>
}

/** Keys are `folder/name`. Writes are durable when their promise resolves. */
export interface Disk {
  /** Write bytes under a new key, which was never used before. */
  create(key: string, bytes: Uint8Array): Promise<void>
  /** Write bytes, atomically replacing existing ones: readers see either the old or the new ones. */
  replace(key: string, bytes: Uint8Array): Promise<void>
  /**
   * Read all bytes of a file; null where there is none.
   * @param roomFor returns a buffer to read into; a disk that cannot use one ignores it
   */
  read(key: string, roomFor?: RoomFor): Promise<Buffer | null>
  /** Return the size of a file in bytes. @throws where there is none */
  size(key: string): Promise<number>
  exists(key: string): Promise<boolean>
  /** Remove a file, if there is one. */
  delete(key: string): Promise<void>
  /** List the files of a folder; none where there is no such folder. */
  list(folder: string): AsyncGenerator<ListedFile, void, undefined>
  /** Return whether there is no file at all. */
  isEmpty(): Promise<boolean>
  /** Resolve if the disk can be reached. */
  answers(): Promise<void>
}

interface Driver extends DriverContract {
  getBytes(key: string, roomFor?: RoomFor): Promise<Uint8Array>
}

const MISSING = new Set(['ENOENT', 'NoSuchKey'])

/** Return whether a driver's error means that the file does not exist. A missing bucket is a different error. */
const isMissing = ({ code = '', name }: NodeJS.ErrnoException): boolean => MISSING.has(code) || MISSING.has(name)

/** A bucket did not answer, or answered with an error, which says nothing about the file. `isPassingFault` recognises it by its code. */
class BucketAway extends Error {
  override readonly name = 'BucketAway'
  readonly code = 'BUCKET_AWAY'
}

/** A disk on one of flydrive's drivers. */
class FlydriveDisk implements Disk {
  readonly #driver: Driver
  readonly #files: Flydrive
  readonly #isFolder: boolean

  constructor(driver: Driver, isFolder: boolean) {
    this.#driver = driver
    this.#files = new Flydrive(driver)
    this.#isFolder = isFolder
  }

  create(key: string, bytes: Uint8Array): Promise<void> {
    // For a folder, writing a new key needs fewer steps.
    return this.#files.put(key, bytes, this.#isFolder ? { isNew: true } : {})
  }

  replace(key: string, bytes: Uint8Array): Promise<void> {
    return this.#files.put(key, bytes)
  }

  async read(key: string, roomFor?: RoomFor): Promise<Buffer | null> {
    try {
      // Called on the driver, because flydrive's disk does not pass on the buffer.
      const { buffer, byteOffset, byteLength } = await this.#driver.getBytes(key, roomFor)
      return Buffer.from(buffer, byteOffset, byteLength)
    } catch (error) {
      if (isMissing(error as Error)) return null
      if (!this.#isFolder) throw new BucketAway(`Cannot read file at location "${key}"`, { cause: error })
      throw new errors.E_CANNOT_READ_FILE([key], { cause: error })
    }
  }

  async size(key: string): Promise<number> {
    return (await this.#files.getMetaData(key)).contentLength
  }

  exists(key: string): Promise<boolean> {
    return this.#files.exists(key)
  }

  delete(key: string): Promise<void> {
    return this.#files.delete(key)
  }

  async *list(folder: string): AsyncGenerator<ListedFile, void, undefined> {
    let paginationToken: string | undefined
    do {
      const page = await this.#files.listAll(folder, { paginationToken })
      for (const object of page.objects) {
        if (!object.isFile) continue
        const writtenAt = async () => {
          try {
            return (await object.getMetaData()).lastModified.getTime()
          } catch (error) {
            if (isMissing((error as Error).cause as Error)) return null
            throw error
          }
        }
        yield { key: object.key, writtenAt }
      }
      ;({ paginationToken } = page)
    } while (paginationToken !== undefined)
  }

  async isEmpty(): Promise<boolean> {
    for (const object of (await this.#files.listAll('/', { recursive: true })).objects) if (object.isFile) return false
    return true
  }

  async answers(): Promise<void> {
    await this.#files.listAll('/')
  }
}

/**
 * Open the disk that the settings name.
 * @throws Error with a sentence if it cannot be reached
 */
export async function openDisk({ dataDir, storage }: Pick<Config, 'dataDir' | 'storage'>): Promise<Disk> {
  if (storage === null) return new FlydriveDisk(new DurableDriver(join(dataDir, 'files')), true)
  // The S3 library is loaded only where it is used.
  const { bucketDriver, unusable } = await import('./bucket.ts')
  const disk = new FlydriveDisk(bucketDriver(storage), false)
  await disk.answers().catch((error: unknown) => {
    throw unusable(storage, error)
  })
  return disk
}
