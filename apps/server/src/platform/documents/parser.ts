/**
 * The interface of parsers of uploads. A parser is a file of its own, `…-parser.ts`, that exports `parse`. It is loaded only in the
 * parsing thread (`parsing.ts`), where it delays no request except its own.
 */
import type { BusinessCode } from '@gatehouse/contract'
import type { ReadableFile } from '../http/received-file.ts'

/** The file, or a part of it, cannot be read; reported to its sender at the field. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
  /** A rule of the form, or a code of the catalogue. */
  readonly reason: string | BusinessCode
  readonly params: Readonly<Record<string, string | number>> | undefined
  constructor(reason: Unreadable['reason'], params?: Unreadable['params'], cause?: unknown) {
    super(String(reason), { cause })
    this.reason = reason
    this.params = params
  }
}

/** Counts the work on a file, whether or not it has a result. */
export interface Steps {
  /** Count steps. @throws Unreadable where the file would exceed its limit */
  spend(steps: number): void
}

/** Return a counter of steps. @param most steps one file may take @param rule of the refusal of a file that would take more */
export function createSteps(most: number, rule = 'uploadTooMuch'): Steps & { readonly spent: number } {
  let spent = 0
  return {
    spend(steps) {
      // Written as a negation, so that NaN is refused too.
      if (!(spent + steps <= most)) throw new Unreadable(rule)
      spent += steps
    },
    get spent() {
      return spent
    },
  }
}

/**
 * Reads a file and yields its content in pieces small enough to be passed to another thread. Byte arrays are top-level values of a piece,
 * and no longer belong to the parsing thread once they are yielded.
 *
 * The parser bounds its memory: no list or map may grow with sizes that the file states. The thread's own limit is only a second one,
 * because a single large allocation ends the whole process.
 */
export type Parse<Options, Piece> = (file: ReadableFile, options: Options, steps: Steps) => AsyncIterable<Piece> | Iterable<Piece>

type AnyParse = Parse<never, unknown>
type OptionsOf<P extends AnyParse> = P extends Parse<infer Options, unknown> ? Options : never
type PieceOf<P extends AnyParse> = ReturnType<P> extends AsyncIterable<infer Piece> | Iterable<infer Piece> ? Piece : never

export interface ParserLimits {
  /** Milliseconds of work, without the time pieces wait to be taken. */
  workMs: number
  /** Steps one file may take. */
  steps: number
  /** Pieces produced before the first of them is taken. */
  ahead: number
  /** Rule of the refusal of a file that takes more time, memory or steps. */
  tooMuch: string
}

/** A parser as its callers use it. */
export interface Parser<Options, Piece> extends ParserLimits {
  name: string
  /** The file it is loaded from. */
  module: URL
  /** For the types only. */
  readonly takes?: (options: Options) => Piece
}

const LIMITS: ParserLimits = { workMs: 60_000, steps: 2 ** 30, ahead: 2, tooMuch: 'uploadTooMuch' }

/** Define a parser by its file: `defineParser<typeof parse>('calendar', new URL('./calendar-parser.ts', import.meta.url))`. */
export const defineParser = <P extends AnyParse>(
  name: string,
  module: URL,
  limits: Partial<ParserLimits> = {},
): Parser<OptionsOf<P>, PieceOf<P>> => ({ ...LIMITS, ...limits, name, module })
