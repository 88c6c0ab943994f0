/**
 * flydrive's driver for a folder of this machine, made durable: the library's own resolves while the bytes are still in memory. Here
 * every write, with its entry in the folder, is on disk when its promise resolves.
 */
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { FSDriver } from 'flydrive/drivers/fs'
import type { WriteOptions } from 'flydrive/types'
import { memoize } from '../async/memoize.ts'
import { newId } from '../database/ids.ts'

/** Returns a buffer of at least this size to read into. */
export type RoomFor = (size: number) => Buffer

/** Syncs of folders that have not started. */
const waiting = new Map<string, Promise<void>>()

/** Write a folder's entries to the disk. Calls before the sync starts share it, such as those for the variants of one picture. */
function syncFolder(folder: string): Promise<void> {
  let sync = waiting.get(folder)
  if (sync === undefined) {
    sync = setImmediate().then(async () => {
      waiting.delete(folder)
      const handle = await open(folder, 'r')
      await handle.sync().finally(() => handle.close())
    })
    waiting.set(folder, sync)
  }
  return sync
}

/** Write a new file. Its bytes and, if `withEntry` is set, its entry in the folder are on disk when this resolves. */
async function writeNew(path: string, contents: string | Uint8Array | Readable, withEntry: boolean): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    // The entry already exists. Both syncs together take as long as one.
    const entry = withEntry ? syncFolder(dirname(path)) : Promise.resolve()
    const bytes = file.writeFile(contents).then(() => file.sync())
    for (const result of await Promise.allSettled([bytes, entry])) if (result.status === 'rejected') throw result.reason
  } finally {
    await file.close()
  }
}

export class DurableDriver extends FSDriver {
  readonly #root: string

  /** Create a folder, and resolve once the folder itself is on disk. */
  readonly #ensureFolder = memoize(async (folder) => {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 })
    if (first === undefined) return
    for (const parent of new Set([dirname(folder), dirname(first)])) await syncFolder(parent)
  })

  constructor(root: string) {
    super({ location: root, visibility: 'private' })
    this.#root = root
  }

  /**
   * Write a file.
   * @param options with `isNew` it is written in place, and refused where the key exists; otherwise it replaces an existing file
   * atomically: readers see either the old or the new one
   */
  override put(key: string, contents: string | Uint8Array, options?: WriteOptions): Promise<void> {
    return this.#write(key, contents, options)
  }

  override putStream(key: string, contents: Readable, options?: WriteOptions): Promise<void> {
    return this.#write(key, contents, options)
  }

  override async copy(source: string, destination: string): Promise<void> {
    await this.#write(destination, await readFile(join(this.#root, source)))
  }

  override async move(source: string, destination: string): Promise<void> {
    const [from, to] = [join(this.#root, source), join(this.#root, destination)]
    await this.#ensureFolder(dirname(to))
    await rename(from, to)
    for (const folder of new Set([dirname(to), dirname(from)])) await syncFolder(folder)
  }

  /** Read a file. @param roomFor returns the buffer to use, so that nothing is left for the garbage collector */
  override async getBytes(key: string, roomFor: RoomFor = Buffer.allocUnsafe): Promise<Buffer> {
    const file = await open(join(this.#root, key), 'r')
    try {
      const { size } = await file.stat()
      const room = roomFor(size)
      let end = 0
      for (let read = 1; read > 0 && end < size; end += read) read = (await file.read(room, end, size - end, end)).bytesRead
      return room.subarray(0, end)
    } finally {
      await file.close()
    }
  }

  async #write(key: string, contents: string | Uint8Array | Readable, options?: WriteOptions): Promise<void> {
    const path = join(this.#root, key)
    await this.#ensureFolder(dirname(path))
    if (options?.['isNew'] === true) return writeNew(path, contents, true)
    const unfinished = `${path}.${newId()}`
    try {
      await writeNew(unfinished, contents, false)
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
    await syncFolder(dirname(path))
  }
}
