/**
 * Files as they arrive, kept on disk while their call lasts: a zip of 300 MB must not stand in memory. They are encrypted
 * with a key that exists in memory only, so that what a crash leaves behind can be read by nobody.
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
/** Bytes read from the disk at a time. */
const CHUNK = 256 * 1024

/** Bytes that can be read from anywhere. */
export interface ReadableFile {
  /** Bytes. */
  readonly size: number
  /** As the sender named it, without folders. */
  readonly filename: string
  /** So many bytes from there on; fewer where the file ends. */
  read(offset: number, length: number): Promise<Buffer>
  /** The bytes from `start` to before `end`; all of them unless told. */
  stream(start?: number, end?: number): Readable
}

export interface ReceivedFile extends ReadableFile {
  /** By what another thread of this process can read it too, until it is removed. */
  readonly shared: SharedFile
  remove(): Promise<void>
}

/** A file that is open in this process. Its path would not do: another process on the same folder may have swept it away. */
export interface SharedFile {
  descriptor: number
  key: Uint8Array
  /** Counter of the first block. */
  first: Uint8Array
  size: number
  filename: string
}

export interface ReceivedFiles {
  /** Writes a stream to the disk. @throws what the stream throws, with nothing left behind */
  receive(source: Readable, filename: string): Promise<ReceivedFile>
  /** Removes what a process that died left behind. */
  sweep(): Promise<void>
}

/** The counter of the block at an offset: the first one and so many more. */
function counterAt(first: Uint8Array, block: number): Buffer {
  const counter = (BigInt(`0x${Buffer.from(first).toString('hex')}`) + BigInt(block)) & ((1n << 128n) - 1n)
  return Buffer.from(counter.toString(16).padStart(32, '0'), 'hex')
}

const readAt = promisify(readDescriptor)

/** Pieces of a file as a stream. */
function streamOf({ size, read }: Pick<ReadableFile, 'size' | 'read'>, start = 0, end = size): Readable {
  async function* pieces(): AsyncGenerator<Buffer> {
    const last = Math.min(end, size)
    for (let at = start; at < last; at += CHUNK) yield read(at, Math.min(CHUNK, last - at))
  }
  return Readable.from(pieces(), { objectMode: false })
}

/** Reads a file that was received, in whichever thread. */
export function openShared({ descriptor, key, first, size, filename }: SharedFile): ReadableFile {
  async function read(offset: number, length: number): Promise<Buffer> {
    const wanted = Math.max(0, Math.min(length, size - offset))
    if (wanted === 0) return Buffer.alloc(0)
    const skipped = offset % BLOCK
    const sealed = Buffer.alloc(wanted + skipped)
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

/** The same of bytes in memory. */
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
      // Another process on the same folder goes on reading what it holds open.
      for (const name of await readdir(folder).catch((): string[] => [])) await rm(join(folder, name), { force: true }).catch(() => {})
    },
  }
}
