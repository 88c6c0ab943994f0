/**
 * Large stored files: cut into pieces as they arrive, each on disk, synced and encrypted like a picture, so that none of them is in
 * memory as a whole, neither when it is written nor when it is read.
 */
import { Readable } from 'node:stream'
import type { Transaction } from '../database/database.ts'
import { RangedFile } from '../http/ranged-file.ts'
import type { Scope } from '../session/session.ts'
import type { Storage } from './storage-types.ts'

/** Bytes of every piece except the last. */
const PIECE = 2 * 1_048_576

export interface WrittenFile {
  /** Ids of its pieces in their order. */
  fileIds: string[]
  /** Bytes. */
  size: number
}

export interface KeptFiles {
  /**
   * Write a stream to its end; nothing of it stays unless `keep` follows.
   * @param noted called with the pieces so far when each is on disk; the next one waits for it
   * @throws what the stream or `noted` throws, with nothing left behind
   */
  write(scope: Scope, source: Readable, noted?: (fileIds: readonly string[]) => Promise<void>): Promise<WrittenFile>
  /** Remove the pieces of a file that was not kept. */
  discard(fileIds: readonly string[]): Promise<void>
  /** Register a file as kept, in the transaction that refers to it. */
  keep(tx: Transaction, scope: Scope, fileIds: readonly string[]): Promise<void>
  /** Open a kept file, which clients may request in parts. */
  open(scope: Scope, file: WrittenFile): RangedFile
}

export function createKeptFiles(storage: Pick<Storage, 'writeOriginal' | 'keepCapture' | 'discardCapture' | 'reader'>): KeptFiles {
  async function discard(fileIds: readonly string[]): Promise<void> {
    for (const id of fileIds) await storage.discardCapture(id)
  }

  async function* parts(scope: Scope, fileIds: readonly string[], start: number, end: number): AsyncGenerator<Buffer> {
    const load = storage.reader(scope)
    for (let at = start; at < end;) {
      const number = Math.floor(at / PIECE)
      const piece = await load(fileIds[number]!)
      const part = piece?.subarray(at - number * PIECE, end - number * PIECE) ?? Buffer.alloc(0)
      if (part.length === 0) throw new Error('a kept file is shorter than it was')
      yield part
      at += part.length
    }
  }

  return {
    async write(scope, source, noted) {
      const fileIds: string[] = []
      let size = 0
      let waiting: Buffer[] = []
      let waitingBytes = 0
      async function put(bytes: Buffer): Promise<void> {
        fileIds.push(await storage.writeOriginal(scope, bytes))
        size += bytes.length
        await noted?.([...fileIds])
      }
      try {
        for await (const chunk of source as AsyncIterable<Buffer>) {
          waiting.push(chunk)
          waitingBytes += chunk.length
          while (waitingBytes >= PIECE) {
            const whole = Buffer.concat(waiting)
            await put(whole.subarray(0, PIECE))
            waitingBytes -= PIECE
            waiting = [whole.subarray(PIECE)]
          }
        }
        if (waitingBytes > 0) await put(Buffer.concat(waiting))
      } catch (error) {
        await discard(fileIds)
        throw error
      }
      return { fileIds, size }
    },
    discard,
    async keep(tx, scope, fileIds) {
      for (const id of fileIds) await storage.keepCapture(tx, scope, id)
    },
    open: (scope, { fileIds, size }) =>
      new RangedFile({
        size,
        etag: `"${fileIds[0] ?? ''}"`,
        read: (start, end) => Readable.from(parts(scope, fileIds, start, end), { objectMode: false }),
      }),
  }
}
