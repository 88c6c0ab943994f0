/** A parser that does what a test wants of it. */
import { threadId } from 'node:worker_threads'
import { defineParser, Unreadable, type ParserLimits, type Steps } from '../parser.ts'
import type { ReadableFile } from '../../http/received-file.ts'

export type Wish =
  /** Yields so many numbers. */
  | { kind: 'count'; to: number }
  /** Yields what the file holds, and in which thread it was read. */
  | { kind: 'read' }
  | { kind: 'endless' }
  /** Is busy, once it says so by the first number, until the second one is set, and cannot read the file then. */
  | { kind: 'busy'; signals: Int32Array<SharedArrayBuffer> }
  /** Takes memory until there is none. */
  | { kind: 'memory' }
  | { kind: 'spend'; steps: number }
  | { kind: 'unreadable' }
  /** Throws what no parser throws on purpose. */
  | { kind: 'fault' }
  /** Throws where nobody catches it. */
  | { kind: 'crash' }

export const testingParser = (limits: Partial<ParserLimits> = {}) =>
  defineParser<typeof parse>('testing', new URL('./parser.ts', import.meta.url), limits)

export interface TestingPiece {
  number?: number
  text?: string
  bytes?: Uint8Array
  thread?: number
}

export async function* parse(file: ReadableFile, wish: Wish, steps: Steps): AsyncGenerator<TestingPiece> {
  switch (wish.kind) {
    case 'count':
      for (let number = 0; number < wish.to; number++) yield { number }
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
      Atomics.store(wish.signals, 0, 1)
      while (Atomics.load(wish.signals, 1) === 0);
      throw new Unreadable('uploadTooMuch')
    case 'memory': {
      const texts: string[] = []
      const numbers = Array.from({ length: 100_000 }, (_, number) => number)
      for (;;) texts.push(JSON.stringify(numbers))
    }
    case 'spend':
      steps.spend(wish.steps)
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
