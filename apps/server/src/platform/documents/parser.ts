/**
 * What a parser of uploads is made of. A parser is a file of its own, `…-parser.ts`, that exports `parse`; it is loaded in the
 * parsing thread only (`parsing.ts`), where nothing it does holds up anybody but its own sender.
 */
import type { BusinessCode } from '@gatehouse/contract'
import type { ReadableFile } from '../http/received-file.ts'

/** What the file says cannot be read, or not all of it: told to its sender at the field. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
  /** A rule of the form, or a code of the catalogue. */
  readonly told: string | BusinessCode
  readonly params: Readonly<Record<string, string | number>> | undefined
  constructor(told: Unreadable['told'], params?: Unreadable['params'], cause?: unknown) {
    super(String(told), { cause })
    this.told = told
    this.params = params
  }
}

/** Counts what is looked at, whether or not anything comes of it. */
export interface Steps {
  /** @throws Unreadable before more is spent than one file may take */
  spend(steps: number): void
}

/** @param most how many one file may take @param rule what a file is refused with that would take more */
export function createSteps(most: number, rule = 'uploadTooMuch'): Steps & { readonly spent: number } {
  let spent = 0
  return {
    spend(steps) {
      // Said this way round, a cost that is no number is none that can be paid.
      if (!(spent + steps <= most)) throw new Unreadable(rule)
      spent += steps
    },
    get spent() {
      return spent
    },
  }
}

/**
 * Reads a file and yields what is in it, in pieces small enough to be handed to another thread; bytes stand at the top of a
 * piece, and are the thread's own no more once they are yielded.
 *
 * Memory is bounded by the parser: no list or map may grow with what the file says of itself. The thread's own limit is a second
 * line only, because a single large growth ends the whole process.
 */
export type Parse<Options, Piece> = (file: ReadableFile, options: Options, steps: Steps) => AsyncIterable<Piece> | Iterable<Piece>

type AnyParse = Parse<never, unknown>
type OptionsOf<P extends AnyParse> = P extends Parse<infer Options, unknown> ? Options : never
type PieceOf<P extends AnyParse> = ReturnType<P> extends AsyncIterable<infer Piece> | Iterable<infer Piece> ? Piece : never

export interface ParserLimits {
  /** Milliseconds of work; waiting for whoever takes the pieces is none. */
  workMs: number
  /** Steps one file may take. */
  steps: number
  /** Pieces made before the first of them is taken. */
  ahead: number
  /** What a file is refused with that takes more time, memory or steps. */
  tooMuch: string
}

/** A parser as those know it who have something to be parsed. */
export interface Parser<Options, Piece> extends ParserLimits {
  name: string
  /** The file it is loaded from. */
  module: URL
  /** For the types only. */
  readonly takes?: (options: Options) => Piece
}

const LIMITS: ParserLimits = { workMs: 60_000, steps: 2 ** 30, ahead: 2, tooMuch: 'uploadTooMuch' }

/** A parser by its file: `defineParser<typeof parse>('calendar', new URL('./calendar-parser.ts', import.meta.url))`. */
export const defineParser = <P extends AnyParse>(
  name: string,
  module: URL,
  limits: Partial<ParserLimits> = {},
): Parser<OptionsOf<P>, PieceOf<P>> => ({ ...LIMITS, ...limits, name, module })
