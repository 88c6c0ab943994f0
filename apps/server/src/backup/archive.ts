/**
 * The file of a backup: a plain tar, so that any tool can look into it. Its last member names the SHA-256 of all bytes
 * before it. A file without that member, or with another digest, is incomplete or damaged.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { TAR_BLOCK, tarHeader, tarHeaderOf, tarPadding } from '@gatehouse/contract/upgrades/tar'

const END = 'end.json'
const OWNER_ONLY = 0o600

export interface Member {
  name: string
  content: Buffer
}

export interface ArchiveWriter {
  add(name: string, content: Uint8Array): Promise<void>
  /** Complete the file, flush it to the disk and give it its final name. Return its size in bytes. */
  finish(): Promise<number>
  /** Remove what was written. */
  discard(): Promise<void>
}

/**
 * Create an archive that only its owner may read. It has the name `<path>.unfinished` until it is complete.
 * @param signal ends the writing: every call after the abort throws
 * @throws Error with a sentence if there is such a file already
 */
export async function createArchive(path: string, signal?: AbortSignal): Promise<ArchiveWriter> {
  const unfinished = `${path}.unfinished`
  if (existsSync(path)) throw new Error(`${path} exists already.`)
  if (existsSync(unfinished))
    throw new Error(`${unfinished} exists already: a backup of that name still runs, or was cut off. Delete the file if none runs.`)
  const file = await open(unfinished, 'wx', OWNER_ONLY)
  const digest = createHash('sha256')
  let size = 0

  async function append(bytes: Uint8Array): Promise<void> {
    digest.update(bytes)
    await file.writeFile(bytes)
    size += bytes.length
  }

  async function write(name: string, content: Uint8Array): Promise<void> {
    signal?.throwIfAborted()
    await append(Buffer.concat([tarHeader(name, content.length, OWNER_ONLY), content, new Uint8Array(tarPadding(content.length))]))
  }

  return {
    add: write,
    async finish() {
      await write(END, Buffer.from(JSON.stringify({ sha256: digest.copy().digest('hex') })))
      await append(new Uint8Array(2 * TAR_BLOCK))
      await file.sync()
      await file.close()
      await rename(unfinished, path)
      const folder = await open(dirname(resolve(path)), 'r')
      await folder.sync().finally(() => folder.close())
      return size
    },
    async discard() {
      await file.close().catch(() => {})
      await rm(unfinished, { force: true })
    },
  }
}

/**
 * Yield the members of an archive in their order, one in memory at a time. Ends normally only if the whole archive is unchanged.
 * @throws Error with a sentence if it is incomplete or damaged
 */
export async function* readArchive(path: string): AsyncGenerator<Member, void, undefined> {
  const file = await open(path, 'r').catch((error: unknown) => {
    throw new Error(`${path} cannot be read.`, { cause: error })
  })
  const digest = createHash('sha256')
  try {
    let left = (await file.stat()).size

    async function take(size: number): Promise<Buffer> {
      if (size > left) throw new Error(`${path} is incomplete: its end is missing.`)
      const bytes = Buffer.allocUnsafe(size)
      for (let at = 0; at < size;) {
        const { bytesRead } = await file.read(bytes, at, size - at, null)
        if (bytesRead === 0) throw new Error(`${path} is incomplete: its end is missing.`)
        at += bytesRead
      }
      left -= size
      return bytes
    }

    for (;;) {
      const block = await take(TAR_BLOCK)
      const header = tarHeaderOf(block)
      if (header === null || header === 'end' || header.type !== 'file') throw new Error(`${path} is damaged, or no backup.`)
      const content = await take(header.size)
      const padding = await take(tarPadding(header.size))
      if (header.name === END) {
        if (content.toString() !== JSON.stringify({ sha256: digest.digest('hex') }))
          throw new Error(`${path} is damaged: its content does not match its digest.`)
        return
      }
      for (const part of [block, content, padding]) digest.update(part)
      yield { name: header.name, content }
    }
  } finally {
    await file.close()
  }
}
