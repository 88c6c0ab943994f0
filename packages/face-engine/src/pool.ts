/** Engines in worker threads: recognition never blocks the thread that answers requests. */
import { availableParallelism } from 'node:os'
import type { StructuredSerializeOptions } from 'node:worker_threads'
import { Piscina } from 'piscina'
import { descriptionOf } from './engine-choice.ts'
import type { EngineChoice } from './engine-choice.ts'
import type { AnalyseOptions, EngineDescription, FaceEngine, PhotoAnalysis } from './face.ts'
import { PhotoRefusal } from './refusal.ts'
import type { WorkerAnswer, WorkerTask } from './worker.ts'
import { STARTED, THROUGH } from './worker-setting.ts'
import type { WorkerSetting } from './worker-setting.ts'

export interface FacePoolOptions {
  /** Default: the built-in one. */
  engine?: EngineChoice
  /** Worker threads, about 250 MB each. Default: 2, or 1 on a machine with one core. */
  workers?: number
  /** Photographs waiting at most, beyond those being worked on. Default 64. */
  queue?: number
}

/** Too many photographs are waiting: try again later. */
export class FacePoolBusy extends Error {
  override readonly name = 'FacePoolBusy'
  readonly waiting: number
  constructor(waiting: number) {
    super(`${waiting} photographs are waiting for the face engine`)
    this.waiting = waiting
  }
}

/** Milliseconds within which any machine has loaded an engine. */
const LOADING_MS = 30_000

/** Shares one engine among callers. The first photograph waits about a second for threads and models; `ready` does so ahead. */
export class FacePool implements FaceEngine {
  /** Known at once: no model has to be loaded for it. */
  readonly description: EngineDescription
  readonly #open: () => Piscina<WorkerTask, WorkerAnswer>
  #opened: Piscina<WorkerTask, WorkerAnswer> | null = null
  readonly #room: number
  readonly #queue: number
  readonly #loads = new Int32Array(new SharedArrayBuffer(8))
  #taken = 0
  #closed = false

  constructor({ engine = { kind: 'builtin' }, workers = Math.min(2, availableParallelism()), queue = 64 }: FacePoolOptions = {}) {
    this.description = descriptionOf(engine)
    this.#queue = queue
    this.#room = workers + queue
    this.#open = () => {
      const opened = new Piscina<WorkerTask, WorkerAnswer>({
        filename: new URL('./worker.ts', import.meta.url).href,
        workerData: { engine, loads: this.#loads } satisfies WorkerSetting,
        minThreads: 1,
        maxThreads: workers,
        // Loading an engine costs a second: a worker stays once it is started.
        idleTimeout: Infinity,
        // The caller's flags are not ours: a test runner's loader would break the worker.
        execArgv: [],
      })
      // A worker that cannot load its models says so to the next caller; without a listener it would end the process.
      opened.on('error', () => {})
      return opened
    }
  }

  get #workers(): Piscina<WorkerTask, WorkerAnswer> {
    return (this.#opened ??= this.#open())
  }

  get modelId(): string {
    return this.description.modelId
  }

  get dimensions(): number {
    return this.description.dimensions
  }

  /** Photographs under way and waiting, how many fit at all, and the threads that work on them. */
  load(): { taken: number; room: number; threads: number } {
    return { taken: this.#taken, room: this.#room, threads: this.#opened?.threads.length ?? 0 }
  }

  /** Resolves when the first engine has loaded its models. */
  async ready(): Promise<void> {
    if (this.#closed) throw new Error('the face engine is closed')
    await this.#workers.run({ kind: 'ready' })
  }

  /**
   * @param photo a JPEG, PNG or WebP file; the caller keeps its bytes
   * @throws PhotoRefusal when the file cannot be taken as a photograph
   * @throws FacePoolBusy when every worker is taken and the queue is full
   */
  async analyse(photo: Uint8Array, options: AnalyseOptions = {}): Promise<PhotoAnalysis> {
    if (this.#closed) throw new Error('the face engine is closed')
    if (this.#taken >= this.#room) throw new FacePoolBusy(this.#queue)
    this.#taken++
    try {
      // A copy of exactly these bytes is handed over: moving the caller's buffer would empty it, and a slice would drag
      // its whole buffer along.
      const bytes = new Uint8Array(photo)
      // Typed after the newest overload of `postMessage`, but only an array is taken.
      const transferList = [bytes.buffer] as StructuredSerializeOptions
      const answer = await this.#workers.run({ kind: 'analyse', photo: bytes, options }, { transferList })
      if (answer.kind === 'refused') throw new PhotoRefusal(answer.reason, answer.measured, answer.faces)
      if (answer.kind !== 'analysed') throw new TypeError(`unexpected answer of a face worker: ${answer.kind}`)
      return answer.analysis
    } finally {
      this.#taken--
    }
  }

  /** Waits for photographs being worked on, refuses those still waiting, ends the workers. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#opened === null) return
    await this.#loadedAll(this.#opened)
    await this.#opened.close({ force: true })
  }

  /** A thread that is ended while native code loads a model takes the whole process with it. */
  async #loadedAll({ threads }: Piscina): Promise<void> {
    for (;;) {
      const through = Atomics.load(this.#loads, THROUGH)
      if (through >= Math.max(Atomics.load(this.#loads, STARTED), threads.length)) return
      if ((await Atomics.waitAsync(this.#loads, THROUGH, through, LOADING_MS).value) === 'timed-out') return
    }
  }
}
