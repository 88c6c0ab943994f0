/** A parser that does what a test requests. */
import { threadId } from 'node:worker_threads'
import { defineParser, Unreadable, type ParserLimits, type Steps } from '../parser.ts'
import type { ReadableFile } from '../../http/received-file.ts'

export type ParserOptions =
  /** Yields so many numbers. */
  | { kind: 'count'; to: number }
  /** Yields the content of the file, and the thread in which it was read. */
  | { kind: 'read' }
  | { kind: 'endless' }
  /** Is busy, which it reports by the first number, until the second one is set, and cannot read the file then. */
  | { kind: 'busy'; signals: Int32Array<SharedArrayBuffer> }
  /** Allocates memory until there is none. */
  | { kind: 'memory' }
  | { kind: 'spend'; steps: number }
  | { kind: 'unreadable' }
  /** Throws an error that parsers do not throw on purpose. */
  | { kind: 'fault' }
  /** Throws an error that is not caught. */
  | { kind: 'crash' }

export const testingParser = (limits: Partial<ParserLimits> = {}) =>
  defineParser<typeof parse>('testing', new URL('./parser.ts', import.meta.url), limits)

export interface TestingPiece {
  number?: number
  text?: string
  bytes?: Uint8Array
  thread?: number
}

export async function* parse(file: ReadableFile, options: ParserOptions, steps: Steps): AsyncGenerator<TestingPiece> {
  switch (options.kind) {
    case 'count':
      for (let number = 0; number < options.to; number++) yield { number }
      return
    case 'read': {
      const bytes = await file.read(0, file.size)
      yield { text: bytes.toString(), bytes: new Uint8Array(bytes), thread: threadId }
      return
    }
    case 'endless':
      for (let turns = 0; turns >= 0; turns = (turns + 1) % 1000);
      return
    case 'busy':
      Atomics.store(options.signals, 0, 1)
      while (Atomics.load(options.signals, 1) === 0);
      throw new Unreadable('uploadTooMuch')
    case 'memory': {
      const texts: string[] = []
      const numbers = Array.from({ length: 100_000 }, (_, number) => number)
      for (;;) texts.push(JSON.stringify(numbers))
    }
    case 'spend':
      steps.spend(options.steps)
      yield {}
      return
    case 'unreadable':
      throw new Unreadable('max.file', { limit: 3 })
    case 'fault':
      throw new TypeError('not on purpose')
    case 'crash':
      setImmediate(() => {
        throw new TypeError('nobody catches this')
      })
      await new Promise(() => {})
  }
}
