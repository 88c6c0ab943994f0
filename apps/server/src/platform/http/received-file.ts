/**
 * Uploaded files, stored on disk while their call lasts: a zip of 300 MB must not be held in memory. They are encrypted with a key that
 * exists in memory only, so that nobody can read what a crash leaves behind.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { read as readDescriptor } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { newId } from '../database/ids.ts'

const CIPHER = 'aes-256-ctr'
const BLOCK = 16
/** Bytes per read from the disk. */
const CHUNK = 256 * 1024

/** A file that can be read at any position. */
export interface ReadableFile {
  /** Bytes. */
  readonly size: number
  /** File name as the sender states it, without folders. */
  readonly filename: string
  /** Return `length` bytes from `offset`; fewer where the file ends. */
  read(offset: number, length: number): Promise<Buffer>
  /** Return the bytes from `start` to before `end` as a stream; by default all of them. */
  stream(start?: number, end?: number): Readable
}

export interface ReceivedFile extends ReadableFile {
  /** What another thread of this process needs to read the file, until it is removed. */
  readonly shared: SharedFile
  remove(): Promise<void>
}

/** A file that is open in this process. Its path would not do: another process on the same folder may have removed it. */
export interface SharedFile {
  descriptor: number
  key: Uint8Array
  /** Counter of the first block. */
  first: Uint8Array
  size: number
  filename: string
}

export interface ReceivedFiles {
  /** Write a stream to the disk. @throws what the stream throws, with nothing left behind */
  receive(source: Readable, filename: string): Promise<ReceivedFile>
  /** Remove files that earlier processes left behind. */
  sweep(): Promise<void>
}

/** Return the counter of a block, computed from that of the first block. */
function counterAt(first: Uint8Array, block: number): Buffer {
  const counter = (BigInt(`0x${Buffer.from(first).toString('hex')}`) + BigInt(block)) & ((1n << 128n) - 1n)
  return Buffer.from(counter.toString(16).padStart(32, '0'), 'hex')
}

const readAt = promisify(readDescriptor)

/** Return a part of a file as a stream. */
function streamOf({ size, read }: Pick<ReadableFile, 'size' | 'read'>, start = 0, end = size): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    const last = Math.min(end, size)
    for (let at = start; at < last; at += CHUNK) yield read(at, Math.min(CHUNK, last - at))
  }
  return Readable.from(pieces(), { objectMode: false })
}

/** Open a received file, in any thread. */
export function openShared({ descriptor, key, first, size, filename }: SharedFile): ReadableFile {
  async function read(offset: number, length: number): Promise<Buffer> {
    const lengthRead = Math.max(0, Math.min(length, size - offset))
    if (lengthRead === 0) return Buffer.alloc(0)
    const skipped = offset % BLOCK
    const sealed = Buffer.alloc(lengthRead + skipped)
    for (let done = 0; done < sealed.length;) {
      const { bytesRead } = await readAt(descriptor, sealed, done, sealed.length - done, offset - skipped + done)
      if (bytesRead === 0) throw new Error('a received file is shorter than it was')
      done += bytesRead
    }
    const decipher = createDecipheriv(CIPHER, key, counterAt(first, Math.floor(offset / BLOCK)))
    return decipher.update(sealed).subarray(skipped)
  }
  return { size, filename, read, stream: (start, end) => streamOf({ size, read }, start, end) }
}

/** The same for bytes in memory. */
export function fileOf(bytes: Uint8Array, filename = ''): ReadableFile {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const read = async (offset: number, length: number): Promise<Buffer> => all.subarray(offset, offset + length)
  return { size: all.length, filename, read, stream: (start, end) => streamOf({ size: all.length, read }, start, end) }
}

export function openReceivedFiles(dataDir: string): ReceivedFiles {
  const folder = join(dataDir, 'received')

  async function receive(source: Readable, filename: string): Promise<ReceivedFile> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, newId())
    const [key, first] = [randomBytes(32), randomBytes(BLOCK)]
    const file = await open(path, 'wx+', 0o600)
    let size = 0
    let removed: Promise<void> | undefined
    const remove = (): Promise<void> => (removed ??= file.close().finally(() => rm(path, { force: true })))

    try {
      const cipher = createCipheriv(CIPHER, key, first)
      for await (const chunk of source as AsyncIterable<Buffer>) {
        const sealed = cipher.update(chunk)
        await file.appendFile(sealed)
        size += sealed.length
      }
    } catch (error) {
      await remove()
      throw error
    }
    const shared: SharedFile = { descriptor: file.fd, key: new Uint8Array(key), first: new Uint8Array(first), size, filename }
    return { ...openShared(shared), shared, remove }
  }

  return {
    receive,
    async sweep() {
      // Another process on the same folder can still read files that it has open.
      for (const name of await readdir(folder).catch((): string[] => [])) await rm(join(folder, name), { force: true }).catch(() => {})
    },
  }
}
