/** Large files, sent in pieces: no file is stored in memory as a whole, and a broken connection loses one piece at most. */
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DEVICE_PACKAGE_MAX } from '@gatehouse/contract/limits'
import { z } from 'zod'
import { ConsoleRefusal } from './answers.ts'
import { read, type ConsoleCalls } from './call.ts'

/** Bytes of one piece. */
const PIECE = 4 * 1_048_576
/** Milliseconds without a piece after which a file is discarded. */
const GIVEN_UP = 30 * 60_000
const FILES = 4

const announced = z.object({ size: z.number().int().min(1).max(DEVICE_PACKAGE_MAX) })

interface Upload {
  file: string
  size: number
  since: number
}

export interface Uploads {
  calls: ConsoleCalls
  /**
   * Return the path of a complete file. The caller removes it.
   * @throws ConsoleRefusal fileMissing; fileAbnormal if part of it is missing
   */
  take(id: string): string
  /** Remove the files that are left. */
  clear(): void
}

/** @param dataDir of the terminal; files of an earlier start are removed */
export function createUploads(dataDir: string, clock: () => number): Uploads {
  const folder = join(dataDir, 'uploads')
  const uploads = new Map<string, Upload>()
  rmSync(folder, { recursive: true, force: true })

  function drop(id: string): void {
    const upload = uploads.get(id)
    uploads.delete(id)
    if (upload) rmSync(upload.file, { force: true })
  }

  function tidy(): void {
    for (const [id, { since }] of uploads) if (clock() - since > GIVEN_UP || uploads.size >= FILES) drop(id)
  }

  const length = ({ file }: Upload) => (existsSync(file) ? statSync(file).size : 0)

  return {
    calls: {
      'POST uploads': {
        run(request) {
          const { size } = read(request, announced)
          tidy()
          mkdirSync(folder, { recursive: true, mode: 0o700 })
          const id = randomUUID()
          uploads.set(id, { file: join(folder, id), size, since: clock() })
          return { id, piece: PIECE }
        },
      },
      /** Each piece is appended; a piece sent twice is answered like the first. */
      'PUT uploads/:id': {
        bodyLimit: PIECE,
        run({ body, values: { id = '', offset = '' } }) {
          const upload = uploads.get(id)
          if (!upload) throw new ConsoleRefusal('fileMissing')
          const at = Number(offset)
          if (!Number.isInteger(at) || at < 0 || at > length(upload) || at + body.length > upload.size)
            throw new ConsoleRefusal('parametersWrong')
          upload.since = clock()
          write(upload.file, body, at)
          return { received: at + body.length }
        },
      },
      'POST uploads/:id/cancel': { run: ({ values: { id = '' } }) => drop(id) },
    },
    take(id) {
      const upload = uploads.get(id)
      if (!upload) throw new ConsoleRefusal('fileMissing')
      uploads.delete(id)
      if (length(upload) === upload.size) return upload.file
      rmSync(upload.file, { force: true })
      throw new ConsoleRefusal('fileAbnormal')
    },
    clear: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** @throws ConsoleRefusal fileNotSaved */
function write(file: string, bytes: Uint8Array, at: number): void {
  try {
    const handle = openSync(file, at === 0 ? 'w' : 'r+', 0o600)
    try {
      writeSync(handle, bytes, 0, bytes.length, at)
    } finally {
      closeSync(handle)
    }
  } catch {
    throw new ConsoleRefusal('fileNotSaved')
  }
}
