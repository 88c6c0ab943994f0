/**
 * What the terminal says, kept in a ring of files in its data folder so that it can be sent when somebody asks. Its
 * sentences are about the terminal; nobody who passes is named in them.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

export interface LogFile {
  /** Keeps a sentence. A disk that is full costs the sentence and nothing else. */
  write(sentence: string): void
  /** All that is kept, oldest first, gzipped. */
  packed(): Promise<Buffer>
}

export interface LogFileOptions {
  /** Data folder of the terminal; it exists. */
  folder: string
  /** Epoch milliseconds. */
  clock: () => number
  /** Bytes of one file; 512 KiB unless told. */
  fileBytes?: number
  /** Files of the ring; 4 unless told. */
  files?: number
}

/** Characters of one sentence: what a server or a library says is not ours to bound. */
const SENTENCE = 2_000

/** Opens the log of a data folder and goes on behind what is there. */
export function openLogFile({ folder, clock, fileBytes = 512 * 1024, files = 4 }: LogFileOptions): LogFile {
  const home = join(folder, 'log')
  /** The newest is number 0. */
  const place = (number: number): string => join(home, `terminal.${number}.log`)
  let size = 0
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    size = statSync(place(0), { throwIfNoEntry: false })?.size ?? 0
  } catch {
    // Without a folder nothing is kept, and the terminal works on.
  }

  function turn(): void {
    rmSync(place(files - 1), { force: true })
    for (let number = files - 2; number >= 0; number--)
      if (statSync(place(number), { throwIfNoEntry: false })) renameSync(place(number), place(number + 1))
    size = 0
  }

  return {
    write(sentence) {
      const line = `${new Date(clock()).toISOString()} ${sentence.slice(0, SENTENCE).replaceAll('\n', ' ')}\n`
      try {
        if (size > 0 && size + Buffer.byteLength(line) > fileBytes) turn()
        appendFileSync(place(0), line, { mode: 0o600 })
        size += Buffer.byteLength(line)
      } catch {
        // A log is no reason to keep anybody out.
      }
    },
    packed() {
      const kept = Array.from({ length: files }, (_, number) => files - 1 - number).map((number) =>
        statSync(place(number), { throwIfNoEntry: false }) ? readFileSync(place(number)) : Buffer.alloc(0),
      )
      return promisify(gzip)(Buffer.concat(kept))
    },
  }
}
