/** A gallery in a thread of its own: a search among a million never holds up the thread that answers requests. */
import { Worker } from 'node:worker_threads'
import type { Template } from '../match.ts'
import { AskedThread } from './asked-thread.ts'
import { assertDimensions, assertTemplate } from './entry.ts'
import type { GalleryEntry, GalleryMatch, GallerySearch } from './entry.ts'
import type { GalleryOptions } from './gallery.ts'
import { KnownLists, PersonList } from './person-list.ts'
import type { GalleryReport, GalleryTask, Removal } from './worker.ts'

/** A search whose persons may be a list that the thread is told of once. */
export interface WorkerSearch extends Omit<GallerySearch, 'only'> {
  only?: ReadonlySet<string> | PersonList | undefined
}

/** The thread that a `GalleryWorker` talks to. */
export function startGalleryThread(options: GalleryOptions): Worker {
  const { modelId, dimensions, calibration, bytes, kernel } = options
  // The caller's flags are not ours: a test runner's loader would break the thread.
  return new Worker(new URL('worker.ts', import.meta.url), {
    workerData: { modelId, dimensions, calibration, bytes, kernel },
    execArgv: [],
  })
}

/**
 * `FaceGallery` behind messages. Messages are handled in order: a search sees everything added and removed before it.
 * When the thread dies, searches waiting and to come are rejected, and `onDeath` hears of it once; a new one has to be made and filled.
 */
export class GalleryWorker {
  readonly modelId: string
  readonly dimensions: number
  readonly #thread: AskedThread<GalleryTask, GalleryReport>
  readonly #sizes = new Map<string, number>()
  readonly #lists: KnownLists

  /** @param options `listedMax`: persons in all lists that the thread keeps @throws RangeError when the dimensions are none */
  constructor(
    options: GalleryOptions & { onDeath?: (error: Error) => void; listedMax?: number },
    start: (options: GalleryOptions) => Worker = startGalleryThread,
  ) {
    this.modelId = options.modelId
    this.#lists = new KnownLists(options.listedMax)
    this.dimensions = options.dimensions
    assertDimensions(this)
    const onNews = (report: GalleryReport) => this.#hear(report)
    this.#thread = new AskedThread(start(options), { name: 'the gallery', onDeath: options.onDeath, onNews })
  }

  /**
   * Adds photographs, or replaces them: all of them, or none where one is refused. The caller keeps its numbers.
   * Where there is no room for them, searches of this segment are rejected with a RangeError until it is dropped and filled again.
   * @throws IncompatibleModel @throws RangeError when an embedding has another length or a number that is not finite
   * @throws Error when the thread is gone
   */
  add(segment: string, entries: readonly GalleryEntry[]): void {
    for (const entry of entries) assertTemplate(this, entry)
    const numbers = new Float32Array(entries.length * this.dimensions)
    for (const [index, { embedding }] of entries.entries()) numbers.set(embedding, index * this.dimensions)
    const personIds = entries.map(({ personId }) => personId)
    const photoIds = entries.map(({ photoId }) => photoId)
    const alone = entries.flatMap((entry, index) => (entry.alone === true ? [index] : []))
    this.#thread.send({ kind: 'add', segment, personIds, photoIds, alone, numbers }, [numbers.buffer])
  }

  /** Removes single photographs, or all of a person. @throws Error when the thread is gone */
  remove(segment: string, removals: readonly Removal[]): void {
    this.#thread.send({ kind: 'remove', segment, removals: removals.map(({ personId, photoId }) => ({ personId, photoId })) })
  }

  /** Removes all photographs of a segment. @throws Error when the thread is gone */
  drop(segment: string): void {
    this.#thread.send({ kind: 'drop', segment })
  }

  /**
   * The persons whose photographs come nearest, nearest first, each person once.
   * Rejected with IncompatibleModel or RangeError for a probe that cannot be compared, with RangeError when the segment had no room for
   * everybody, with an Error when the thread is gone.
   */
  async search(segment: string, { modelId, embedding }: Template, options: WorkerSearch = {}): Promise<GalleryMatch[]> {
    assertTemplate(this, { modelId, embedding })
    const { limit = 5, within = Infinity, except = new Set<string>(), only } = options
    const probe = new Float32Array(embedding)
    const meant = only instanceof PersonList ? this.#numberOf(only) : only
    const report = await this.#thread.ask((question) => ({
      kind: 'search',
      question,
      segment,
      embedding: probe,
      limit,
      within,
      except,
      only: meant,
    }))
    if (report.kind === 'found') return report.matches
    throw new RangeError(report.kind === 'incomplete' ? report.why : `unexpected report of the search thread: ${report.kind}`)
  }

  /**
   * `search` for many probes at once, among the same persons; what is asked meanwhile waits for all of them.
   * @returns the matches of each probe, in their order
   */
  async searchEach(
    segment: string,
    probes: readonly Template[],
    { limit, except, only }: { limit: number; except: ReadonlySet<string>; only: ReadonlySet<string> },
  ): Promise<GalleryMatch[][]> {
    const embeddings = new Float32Array(probes.length * this.dimensions)
    for (const [index, probe] of probes.entries()) {
      assertTemplate(this, probe)
      embeddings.set(probe.embedding, index * this.dimensions)
    }
    const report = await this.#thread.ask((question) => ({ kind: 'searchEach', question, segment, embeddings, limit, except, only }))
    if (report.kind === 'foundEach') return report.matches
    throw new RangeError(report.kind === 'incomplete' ? report.why : `unexpected report of the search thread: ${report.kind}`)
  }

  /** Templates compared with in a segment, or in all, as far as the thread has come; exact after `search` or `memory` has answered. */
  size(segment?: string): number {
    if (segment !== undefined) return this.#sizes.get(segment) ?? 0
    return [...this.#sizes.values()].reduce((sum, size) => sum + size, 0)
  }

  /** What the templates take, without their ids, after everything sent before. */
  async memory(): Promise<{ bytes: number; templates: number }> {
    const report = await this.#thread.ask((question) => ({ kind: 'memory', question }))
    if (report.kind !== 'memory') throw new TypeError(`unexpected report of the search thread: ${report.kind}`)
    return { bytes: report.bytes, templates: report.templates }
  }

  /** Ends the thread; what still waits is rejected. */
  async close(): Promise<void> {
    await this.#thread.close()
  }

  #numberOf(list: PersonList): number {
    return this.#lists.numberOf(list, (number, forgotten) =>
      this.#thread.send({ kind: 'list', number, personIds: [...list.ids], forgotten: [...forgotten] }),
    )
  }

  #hear(report: GalleryReport) {
    if (report.kind !== 'size') return
    if (report.size > 0) this.#sizes.set(report.segment, report.size)
    else this.#sizes.delete(report.segment)
  }
}
