/** Readers on serial lines: a device file of this machine, read as bytes and opened again when it went away. */
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { handprintParser } from './handprint.ts'
import { idCardParser } from './id-card.ts'
import type { FrameParser, Reader } from './reader.ts'
import { wiegandParser } from './wiegand.ts'

/** Kinds of readers by the name they are started with. */
const PARSERS: Record<string, (() => FrameParser) | undefined> = {
  wiegand: wiegandParser,
  idcard: () => idCardParser(),
  handprint: handprintParser,
}

export interface SerialOptions {
  /** Opens the line; again each time it ended. */
  open: () => Readable
  /** A new parser for each opening: half a frame of before is nothing. */
  parser: () => FrameParser
  log?: (sentence: string) => void
  /** Milliseconds until a line that ended is opened again; 2 s unless told. */
  again?: number
}

export function serialReader({ open, parser, log = () => {}, again = 2_000 }: SerialOptions): Reader {
  let line: Readable | null = null
  let reopening: NodeJS.Timeout | undefined
  let stopped = false
  let told = ''

  return {
    start(onEvent) {
      read()

      function read(): void {
        if (stopped) return
        const frames = parser()
        const own = open()
        line = own
        own.on('data', (bytes: Uint8Array) => {
          told = ''
          frames.push(bytes).forEach(onEvent)
        })
        own.on('error', ({ message }) => {
          if (message !== told) log(`A reader cannot be read: ${message}`)
          told = message
        })
        own.once('close', () => {
          if (stopped) return
          reopening = setTimeout(read, again)
          reopening.unref()
        })
      }
    },
    stop() {
      stopped = true
      clearTimeout(reopening)
      line?.destroy()
    },
  }
}

/**
 * A reader as it is named at the start, such as `wiegand:/dev/ttyUSB0`. The line itself (speed, bits) is set by the system, with `stty`.
 * @returns null for a name that is none
 */
export function namedReader(text: string, log: (sentence: string) => void): Reader | null {
  const [kind = '', ...rest] = text.split(':')
  const [parser, path] = [PARSERS[kind], rest.join(':')]
  return parser && path ? serialReader({ open: () => createReadStream(path), parser, log }) : null
}
