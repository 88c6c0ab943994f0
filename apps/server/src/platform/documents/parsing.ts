/**
 * Parses uploads in a thread of its own and within limits: a file that takes too long is refused, and neither the server nor other files
 * wait longer than that for it. One file at a time, because the machine may have two cores.
 */
import type { BusinessCode } from '@gatehouse/contract'
import { createSemaphore } from '../async/semaphore.ts'
import type { Parser } from './parser.ts'
import { ParsingThread, ThreadOver } from './parsing-thread.ts'
import type { ReceivedFile } from '../http/received-file.ts'
import { InvalidRequest, refuse } from '../http/refusal.ts'
import type { Scope } from '../session/session.ts'

/** Most waiting files, and the part of these places that one park may use. */
const WAITING = 200
const SHARE = 0.25

/** On disk, or in memory; the caller keeps its bytes. */
export type ParsedSource = ReceivedFile | { bytes: Uint8Array; filename?: string }

/** Counts of one parser so far. */
export interface ParsingTally {
  parsed: number
  /** Refused because of their content, or because they took too much. */
  refused: number
  /** Steps of all of them. */
  steps: number
}

export interface Parsing {
  /**
   * Yield the content of a file in pieces. Leaving early ends the parsing.
   * @param path the field at which the file is refused
   * @throws InvalidRequest or Refusal for what cannot be read or takes too much; Refusal 900000 where too many wait
   */
  pieces<Options, Piece>(
    scope: Scope,
    parser: Parser<Options, Piece>,
    source: ParsedSource,
    options: NoInfer<Options>,
    path?: string,
  ): AsyncGenerator<Piece>
  /** The same for a parser that yields one piece. */
  whole<Options, Piece>(
    scope: Scope,
    parser: Parser<Options, Piece>,
    source: ParsedSource,
    options: NoInfer<Options>,
    path?: string,
  ): Promise<Piece>
  /** Return the counts by name of the parser. */
  tally(): ReadonlyMap<string, Readonly<ParsingTally>>
  /** Return how many threads were started: one, and one for each that was ended. */
  threads(): number
  /** End the thread; the file being parsed and waiting ones are refused. */
  stop(): Promise<void>
}

const isReceived = (source: ParsedSource): source is ReceivedFile => 'shared' in source

function refuseWith(reason: string | BusinessCode, path: string, params?: Readonly<Record<string, string | number>>): never {
  if (typeof reason === 'number') return refuse(reason, path)
  throw new InvalidRequest([{ path, rule: reason, ...(params && { params }) }])
}

export function createParsing(): Parsing {
  const semaphore = createSemaphore(1, WAITING, SHARE)
  const counts = new Map<string, ParsingTally>()
  let thread: ParsingThread | null = null
  let started = 0
  let isStopped = false

  function running(): ParsingThread {
    if (thread !== null && !thread.isOver) return thread
    started++
    return (thread = new ParsingThread())
  }

  function countOf(name: string): ParsingTally {
    const count = counts.get(name) ?? { parsed: 0, refused: 0, steps: 0 }
    counts.set(name, count)
    return count
  }

  async function* pieces<Options, Piece>(
    scope: Scope,
    { name, module, workMs, steps, ahead, tooMuch }: Parser<Options, Piece>,
    source: ParsedSource,
    options: NoInfer<Options>,
    path = 'file',
  ): AsyncGenerator<Piece> {
    const leave = await semaphore.enter(1, scope.parkId).catch(() => refuse(900000))
    const count = countOf(name)
    try {
      if (isStopped) refuse(900000)
      // A copy of exactly these bytes is passed on: moving the caller's buffer would empty it, and a slice would copy its whole buffer.
      const file = isReceived(source) ? { shared: source.shared } : { bytes: new Uint8Array(source.bytes), filename: source.filename ?? '' }
      const task = { module: module.href, file, options, limits: { steps, ahead, tooMuch } }
      for await (const report of running().parse(task, workMs)) {
        if (report.kind === 'piece') {
          yield report.piece as Piece
          continue
        }
        if (report.kind === 'failed') throw new Error(`the parser ${name} failed`, { cause: report.error })
        count.steps += report.steps
        if (report.kind === 'parsed') count.parsed++
        else {
          count.refused++
          refuseWith(report.reason, path, report.params)
        }
      }
    } catch (error) {
      if (!(error instanceof ThreadOver)) throw error
      if (error.end === 'stopped') refuse(900000)
      if (typeof error.end === 'object') throw error
      count.refused++
      refuseWith(tooMuch, path)
    } finally {
      leave()
    }
  }

  return {
    pieces,
    async whole(scope, parser, source, options, path) {
      const found = []
      for await (const piece of pieces(scope, parser, source, options, path)) found.push(piece)
      if (found.length !== 1) throw new Error(`the parser ${parser.name} yields ${found.length} pieces instead of one`)
      return found[0]!
    },
    tally: () => counts,
    threads: () => started,
    async stop() {
      isStopped = true
      await thread?.end('stopped')
    },
  }
}
