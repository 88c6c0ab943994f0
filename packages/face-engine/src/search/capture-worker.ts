/** The search among captures in threads of its own: a search among millions never holds up the thread that answers requests. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Template } from '../match.ts'
import { isFiniteEmbedding } from '../template-bytes.ts'
import { AskedThread } from './asked-thread.ts'
import type { CaptureCandidate, CaptureLimits } from './capture-scan.ts'
import type { CaptureColumns, CaptureFilter } from './capture-segment.ts'
import type { CaptureReport, CaptureTask, CaptureThreadOptions } from './capture-thread.ts'
import { assertDimensions, assertTemplate } from './entry.ts'
import type { GalleryModel } from './entry.ts'
import { bestKernel } from './kernel.ts'
import type { KernelKind } from './kernel.ts'

/** More threads than these do not read memory faster. */
const THREADS_MAX = 4

export interface CaptureSearchOptions extends Pick<GalleryModel, 'modelId' | 'dimensions'> {
  kernel?: KernelKind | undefined
  /** Absent: as many as the machine runs at once, four at most. */
  threads?: number | undefined
  onDeath?: ((error: Error) => void) | undefined
}

/** One search, which goes from segment to segment: it can be ended between any two of them. Several can be scanned at once. */
export interface CaptureSearch {
  /**
   * Compare the captures of a segment that the filter lets through. @returns how many
   * Rejected with RangeError when the segment is not there, not complete, or had no room for all its captures; with an Error when the
   * threads are gone.
   */
  scan(segment: string, filter: CaptureFilter): Promise<number>
  /** All captures that can be among the nearest of the segments scanned, those that can be nearest first. */
  candidates(): Promise<CaptureCandidate[]>
  /** Forget the search. */
  end(): void
}

/** A thread that a `CaptureSearchWorker` talks to. */
export function startCaptureThread(options: CaptureThreadOptions): Worker {
  // The caller's flags are not ours: a test runner's loader would break the thread.
  return new Worker(new URL('capture-thread.ts', import.meta.url), { workerData: options, execArgv: [] })
}

/** Where a segment is, and how many captures it was given or has room for. */
interface Placed {
  thread: number
  rows: number
}

/**
 * Segments of captures, spread over threads, behind messages. Those about one segment are handled in order: a scan sees everything put in
 * and blanked before it. Its answers are candidates, of which `nearestCaptures` makes the exact answer. When a thread dies, all of them
 * end, what waits and what comes is rejected, and `onDeath` hears of it once; a new one has to be made and filled.
 */
export class CaptureSearchWorker {
  readonly modelId: string
  readonly dimensions: number
  readonly #threads: readonly AskedThread<CaptureTask, CaptureReport>[]
  readonly #placed = new Map<string, Placed>()
  #searches = 0
  #isOver = false

  /** @throws RangeError when the dimensions are none */
  constructor(
    { modelId, dimensions, kernel = bestKernel(), threads = Math.min(THREADS_MAX, availableParallelism()), onDeath }: CaptureSearchOptions,
    start = startCaptureThread,
  ) {
    this.modelId = modelId
    this.dimensions = dimensions
    assertDimensions(this)
    const die = (error: Error): void => {
      if (this.#isOver) return
      void this.#endAll(error)
      onDeath?.(error)
    }
    const name = 'the search among captures'
    this.#threads = Array.from({ length: threads }, () => new AskedThread(start({ dimensions, kernel }), { name, onDeath: die }))
  }

  /** How many segments are scanned at once. */
  get threads(): number {
    return this.#threads.length
  }

  /**
   * Begin to fill a segment, with room for exactly this many captures. Scans of it are rejected until it is complete.
   * @throws Error when the threads are gone
   */
  open(segment: string, rows: number): void {
    this.#place(segment, rows).send({ kind: 'open', segment, rows })
  }

  /** Tell that everything was put into a segment that was opened. @throws Error when the threads are gone */
  complete(segment: string): void {
    this.#threadOf(segment).send({ kind: 'complete', segment })
  }

  /**
   * Add captures to a segment, which need not be opened, or replace them; the numbers go with them, and are not there for the caller
   * any more. Until a segment that was opened is complete, each capture is put in once. Where there is no room, scans of this segment
   * are rejected with a RangeError until it is dropped and filled again.
   * @throws RangeError when the numbers are not those of so many templates, or not finite @throws Error when the threads are gone
   */
  put(segment: string, columns: CaptureColumns): void {
    const { ids, times, deviceIds, numbers } = columns
    if (times.length !== ids.length || deviceIds.length !== ids.length || numbers.length !== ids.length * this.dimensions)
      throw new RangeError(`${numbers.length} numbers are not ${ids.length} templates of ${this.dimensions}`)
    if (!isFiniteEmbedding(numbers)) throw new RangeError('an embedding has finite numbers')
    this.#place(segment, ids.length).send({ kind: 'put', segment, columns }, [numbers.buffer as ArrayBuffer])
  }

  /** Leave nothing of these captures behind. @throws Error when the threads are gone */
  blank(segment: string, ids: readonly string[]): void {
    this.#threadOf(segment).send({ kind: 'blank', segment, ids })
  }

  /** Give the memory of a segment back. @throws Error when the threads are gone */
  drop(segment: string): void {
    this.#threadOf(segment).send({ kind: 'drop', segment })
    this.#placed.delete(segment)
  }

  /** @throws IncompatibleModel @throws RangeError for a probe that cannot be compared @throws Error when the threads are gone */
  begin(probes: readonly Template[], limits: CaptureLimits): CaptureSearch {
    for (const probe of probes) assertTemplate(this, probe)
    const search = this.#searches++
    for (const thread of this.#threads)
      thread.send({ kind: 'begin', search, probes: probes.map(({ embedding }) => new Float32Array(embedding)), limits: { ...limits } })
    /** The k-th smallest of any captures is no less than that of all, so that what one thread knows holds for the others. */
    let bound = Infinity
    return {
      scan: async (segment, filter) => {
        const report = await this.#threadOf(segment).ask((question) => ({ kind: 'scan', question, search, bound, segment, filter }))
        if (report.kind !== 'scanned')
          throw new RangeError(report.kind === 'incomplete' ? report.why : `unexpected report of the search thread: ${report.kind}`)
        bound = Math.min(bound, report.bound)
        return report.compared
      },
      candidates: async () => merged(await this.#askAll('candidates', (question) => ({ kind: 'candidates', question, search, bound }))),
      end: () => {
        for (const thread of this.#threads) thread.send({ kind: 'end', search })
      },
    }
  }

  /** What each segment takes, after everything sent before. */
  async memory(): Promise<{ segment: string; bytes: number; captures: number }[]> {
    const reports = await this.#askAll('memory', (question) => ({ kind: 'memory', question }))
    return reports.flatMap(({ segments }) => segments)
  }

  /** End the threads; what still waits is rejected. */
  async close(): Promise<void> {
    await this.#endAll()
  }

  async #endAll(why?: Error): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#threads.map((thread) => thread.close(why)))
  }

  async #askAll<Kind extends CaptureReport['kind']>(kind: Kind, task: (question: number) => CaptureTask) {
    const reports = await Promise.all(this.#threads.map((thread) => thread.ask(task)))
    const isExpected = (report: CaptureReport): report is Extract<CaptureReport, { kind: Kind }> => report.kind === kind
    if (!reports.every(isExpected)) throw new TypeError(`unexpected report of the search threads, not ${kind}`)
    return reports
  }

  /** Return the thread of a segment; a new segment goes to the one that has the fewest captures. */
  #place(segment: string, rows: number) {
    const placed = this.#placed.get(segment)
    if (placed !== undefined) placed.rows = Math.max(placed.rows, rows)
    else {
      const loads = this.#threads.map(() => 0)
      for (const { thread, rows: ofOther } of this.#placed.values()) loads[thread]! += ofOther
      this.#placed.set(segment, { thread: loads.indexOf(Math.min(...loads)), rows })
    }
    return this.#threadOf(segment)
  }

  #threadOf(segment: string) {
    return this.#threads[this.#placed.get(segment)?.thread ?? 0]!
  }
}

/** Return candidates of several threads in the order of how near they can be. */
function merged(reports: readonly { candidates: readonly CaptureCandidate[] }[]): CaptureCandidate[] {
  return reports.flatMap(({ candidates }) => candidates).sort((a, b) => a.least - b.least)
}
