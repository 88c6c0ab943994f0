/** The search among captures in a thread of its own: a search among millions never holds up the thread that answers requests. */
import { Worker } from 'node:worker_threads'
import type { Template } from '../match.ts'
import { AskedThread } from './asked-thread.ts'
import type { CaptureCandidate, CaptureLimits } from './capture-scan.ts'
import type { CaptureColumns, CaptureFilter } from './capture-segment.ts'
import type { CaptureReport, CaptureTask, CaptureThreadOptions } from './capture-thread.ts'
import { assertDimensions, assertTemplate } from './entry.ts'
import type { GalleryModel } from './entry.ts'
import { bestKernel } from './kernel.ts'
import type { KernelKind } from './kernel.ts'

export interface CaptureSearchOptions extends Pick<GalleryModel, 'modelId' | 'dimensions'> {
  kernel?: KernelKind | undefined
  onDeath?: ((error: Error) => void) | undefined
}

/** One search, which goes from segment to segment: it can be ended between any two of them. */
export interface CaptureSearch {
  /**
   * Compare the captures of a segment that the filter lets through. @returns how many
   * Rejected with RangeError when the segment had no room for all its captures, with an Error when the thread is gone.
   */
  scan(segment: string, filter: CaptureFilter): Promise<number>
  /** All captures that can be among the nearest of the segments scanned, those that can be nearest first. */
  candidates(): Promise<CaptureCandidate[]>
  /** Forget the search. */
  end(): void
}

/** The thread that a `CaptureSearchWorker` talks to. */
export function startCaptureThread(options: CaptureThreadOptions): Worker {
  // The caller's flags are not ours: a test runner's loader would break the thread.
  return new Worker(new URL('capture-thread.ts', import.meta.url), { workerData: options, execArgv: [] })
}

/**
 * Segments of captures behind messages, which are handled in order: a scan sees everything put in and blanked before it. Its answers are
 * candidates, of which `nearestCaptures` makes the exact answer. When the thread dies, what waits and what comes is rejected, and
 * `onDeath` hears of it once; a new one has to be made and filled.
 */
export class CaptureSearchWorker {
  readonly modelId: string
  readonly dimensions: number
  readonly #thread: AskedThread<CaptureTask, CaptureReport>
  #searches = 0

  /** @throws RangeError when the dimensions are none */
  constructor({ modelId, dimensions, kernel = bestKernel(), onDeath }: CaptureSearchOptions, start = startCaptureThread) {
    this.modelId = modelId
    this.dimensions = dimensions
    assertDimensions(this)
    this.#thread = new AskedThread(start({ dimensions, kernel }), { name: 'the search among captures', onDeath })
  }

  /** Make room for exactly this many captures of a segment. @throws Error when the thread is gone */
  reserve(segment: string, rows: number): void {
    this.#thread.send({ kind: 'reserve', segment, rows })
  }

  /**
   * Add captures to a segment, or replace them; the numbers go with them, and are not there for the caller any more. Where there is no
   * room, scans of this segment are rejected with a RangeError until it is dropped and filled again.
   * @throws RangeError when the numbers are not those of so many templates, or not finite @throws Error when the thread is gone
   */
  put(segment: string, columns: CaptureColumns): void {
    const { ids, times, deviceIds, numbers } = columns
    if (times.length !== ids.length || deviceIds.length !== ids.length || numbers.length !== ids.length * this.dimensions)
      throw new RangeError(`${numbers.length} numbers are not ${ids.length} templates of ${this.dimensions}`)
    for (const number of numbers) if (!Number.isFinite(number)) throw new RangeError(`an embedding has finite numbers, not ${number}`)
    this.#thread.send({ kind: 'put', segment, columns }, [numbers.buffer as ArrayBuffer])
  }

  /** Leave nothing of these captures behind. @throws Error when the thread is gone */
  blank(segment: string, ids: readonly string[]): void {
    this.#thread.send({ kind: 'blank', segment, ids })
  }

  /** Give the memory of a segment back. @throws Error when the thread is gone */
  drop(segment: string): void {
    this.#thread.send({ kind: 'drop', segment })
  }

  /** @throws IncompatibleModel @throws RangeError for a probe that cannot be compared @throws Error when the thread is gone */
  begin(probes: readonly Template[], limits: CaptureLimits): CaptureSearch {
    for (const probe of probes) assertTemplate(this, probe)
    const search = this.#searches++
    this.#thread.send({ kind: 'begin', search, probes: probes.map(({ embedding }) => new Float32Array(embedding)), limits: { ...limits } })
    return {
      scan: async (segment, filter) => {
        const report = await this.#thread.ask((question) => ({ kind: 'scan', question, search, segment, filter }))
        if (report.kind === 'scanned') return report.compared
        throw new RangeError(report.kind === 'incomplete' ? report.why : `unexpected report of the search thread: ${report.kind}`)
      },
      candidates: async () => {
        const report = await this.#thread.ask((question) => ({ kind: 'candidates', question, search }))
        if (report.kind !== 'candidates') throw new TypeError(`unexpected report of the search thread: ${report.kind}`)
        return report.candidates
      },
      end: () => this.#thread.send({ kind: 'end', search }),
    }
  }

  /** What each segment takes, after everything sent before. */
  async memory(): Promise<{ segment: string; bytes: number; captures: number }[]> {
    const report = await this.#thread.ask((question) => ({ kind: 'memory', question }))
    if (report.kind !== 'memory') throw new TypeError(`unexpected report of the search thread: ${report.kind}`)
    return report.segments
  }

  /** End the thread; what still waits is rejected. */
  async close(): Promise<void> {
    await this.#thread.close()
  }
}
