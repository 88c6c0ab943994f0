/** Readers on serial lines: a device file of this machine is read as bytes, and opened again when it has disappeared. */
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { handprintParser } from './handprint.ts'
import { idCardParser } from './id-card.ts'
import type { FrameParser, Reader } from './reader.ts'
import { wiegandParser } from './wiegand.ts'

/** Kinds of readers, by their name in the options. */
const PARSERS: Record<string, (() => FrameParser) | undefined> = {
  wiegand: wiegandParser,
  idcard: () => idCardParser(),
  handprint: handprintParser,
}

export interface SerialOptions {
  /** Opens the line, also each time it has ended. */
  open: () => Readable
  /** Return a new parser for each opening, so that half a frame from before is discarded. */
  parser: () => FrameParser
  log?: (sentence: string) => void
  /** Milliseconds until a line that ended is opened again; default 2 s. */
  again?: number
}

export function serialReader({ open, parser, log = () => {}, again = 2_000 }: SerialOptions): Reader {
  let line: Readable | null = null
  let reopening: NodeJS.Timeout | undefined
  let stopped = false
  let loggedMessage = ''

  return {
    start(onEvent) {
      read()

      function read(): void {
        if (stopped) return
        const frames = parser()
        const own = open()
        line = own
        own.on('data', (bytes: Uint8Array) => {
          loggedMessage = ''
          frames.push(bytes).forEach(onEvent)
        })
        own.on('error', ({ message }) => {
          if (message !== loggedMessage) log(`A reader cannot be read: ${message}`)
          loggedMessage = message
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
 * Return the reader named in the options, such as `wiegand:/dev/ttyUSB0`. The line itself (speed, bits) is set up by the system, with
 * `stty`.
 * @returns null for an unknown name
 */
export function namedReader(text: string, log: (sentence: string) => void): Reader | null {
  const [kind = '', ...rest] = text.split(':')
  const [parser, path] = [PARSERS[kind], rest.join(':')]
  return parser && path ? serialReader({ open: () => createReadStream(path), parser, log }) : null
}
