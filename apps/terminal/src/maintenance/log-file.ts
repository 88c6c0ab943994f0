/**
 * The terminal's log, stored in a ring of files in its data folder so that it can be sent on request. Its sentences are about the terminal;
 * nobody who passes is named in them.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

export interface LogFile {
  /** Store a sentence. On a full disk only the sentence is lost. */
  write(sentence: string): void
  /** Return the whole log, oldest first, gzipped. */
  packed(): Promise<Buffer>
}

export interface LogFileOptions {
  /** Data folder of the terminal; it exists. */
  folder: string
  /** Epoch milliseconds. */
  clock: () => number
  /** Bytes of one file; default 512 KiB. */
  fileBytes?: number
  /** Files of the ring; default 4. */
  files?: number
}

/** Most characters of one sentence: messages of a server or a library may be of any length. */
const SENTENCE = 2_000

/** Open the log of a data folder and append to it. */
export function openLogFile({ folder, clock, fileBytes = 512 * 1024, files = 4 }: LogFileOptions): LogFile {
  const home = join(folder, 'log')
  /** Return the path of a file; the newest is number 0. */
  const place = (number: number): string => join(home, `terminal.${number}.log`)
  let size = 0
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    size = statSync(place(0), { throwIfNoEntry: false })?.size ?? 0
  } catch {
    // Without a folder nothing is logged, and the terminal works on.
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
        // A failure of the log must not keep anybody out.
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
