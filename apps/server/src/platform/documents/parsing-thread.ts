/** A thread that parses uploads, controlled from the thread that answers requests. */
import { Worker } from 'node:worker_threads'
import type { ParsingOrder, ParsingReport, ParsingTask } from './parsing-worker.ts'
import { WorkClock } from '../jobs/work-clock.ts'

/** A second limit besides the bounds of each parser, far beyond what any of them uses. */
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 }

/** Why a thread has ended: its file took too long, or too much memory; or it failed, or was stopped. */
export type ThreadEnd = 'time' | 'memory' | 'stopped' | { fault: Error }

export class ThreadOver extends Error {
  readonly end: ThreadEnd
  constructor(end: ThreadEnd) {
    super('the parsing thread is over', typeof end === 'object' ? { cause: end.fault } : undefined)
    this.end = end
  }
}

export class ParsingThread {
  readonly #worker: Worker
  #end: ThreadEnd | null = null
  #reports: ParsingReport[] = []
  /** Pieces of the present file that were not taken yet, and the most there may be. */
  #untaken = 0
  #ahead = 0
  #clock: WorkClock | null = null
  #wake = (): void => {}

  constructor() {
    // Without the flags of this process: a test runner's loader would break the thread.
    this.#worker = new Worker(new URL('./parsing-worker.ts', import.meta.url), {
      name: 'parsing',
      resourceLimits: MEMORY,
      execArgv: [],
    })
    this.#worker.on('message', (report: ParsingReport) => this.#hear(report))
    this.#worker.on('error', (error: NodeJS.ErrnoException) =>
      this.#over(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : { fault: error }),
    )
    this.#worker.on('exit', (code) => this.#over({ fault: new Error(`the parsing thread ended with code ${code}`) }))
  }

  get isOver(): boolean {
    return this.#end !== null
  }

  /**
   * Yield the thread's reports on one file, to the end. Leaving early ends the thread. One file at a time.
   * @throws ThreadOver, after the thread has released the file
   */
  async *parse(task: ParsingTask, workMs: number): AsyncGenerator<ParsingReport> {
    this.#reports = []
    this.#untaken = 0
    this.#ahead = task.limits.ahead
    this.#clock = new WorkClock(workMs, () => void this.end('time'))
    let isDone = false
    try {
      this.#tell({ kind: 'parse', task }, 'bytes' in task.file ? [task.file.bytes.buffer as ArrayBuffer] : [])
      while (!isDone) {
        const report = await this.#next()
        isDone = report.kind !== 'piece'
        yield report
        if (!isDone) this.#take()
      }
    } finally {
      this.#rest()
      if (!isDone) await this.end('stopped')
    }
  }

  /** End the thread; resolve when it no longer runs. */
  async end(end: ThreadEnd): Promise<void> {
    this.#over(end)
    await this.#worker.terminate()
  }

  #hear(report: ParsingReport): void {
    this.#reports.push(report)
    if (report.kind !== 'piece') this.#rest()
    // Until a piece is taken the thread waits, which does not count as work.
    else if (++this.#untaken >= this.#ahead) this.#clock?.pause()
    this.#wake()
  }

  /** Stop the clock: the thread has nothing more to do. */
  #rest(): void {
    this.#clock?.pause()
    this.#clock = null
  }

  #take(): void {
    this.#untaken--
    this.#clock?.run()
    this.#tell({ kind: 'taken' })
  }

  #tell(order: ParsingOrder, moved: ArrayBuffer[] = []): void {
    this.#worker.postMessage(order, moved)
  }

  async #next(): Promise<ParsingReport> {
    for (;;) {
      const report = this.#reports.shift()
      if (report !== undefined) return report
      if (this.#end !== null) throw new ThreadOver(this.#end)
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  #over(end: ThreadEnd): void {
    this.#end ??= end
    this.#wake()
  }
}
