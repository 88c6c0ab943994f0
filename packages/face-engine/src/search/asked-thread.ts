/** A thread that is told things and asked questions by messages, which it handles in their order. */
import type { Worker } from 'node:worker_threads'

interface Pending<Report> {
  resolve(report: Report): void
  reject(error: Error): void
}

export interface AskedThreadOptions<Report> {
  /** What a closed one is called in errors. */
  name: string
  /** The thread died by itself. Called once. */
  onDeath?: ((error: Error) => void) | undefined
  /** A report that answers no question. */
  onNews?: (report: Report) => void
}

/**
 * When the thread dies, questions waiting and to come are rejected, and `onDeath` hears of it once; a new one has to be made.
 * Reports with a `question` answer the question of that number.
 */
export class AskedThread<Task, Report extends object> {
  readonly #thread: Worker
  readonly #options: AskedThreadOptions<Report>
  readonly #asked = new Map<number, Pending<Report>>()
  #questions = 0
  #over: Error | null = null

  constructor(thread: Worker, options: AskedThreadOptions<Report>) {
    this.#thread = thread
    this.#options = options
    thread.on('message', (report: Report) => this.#hear(report))
    thread.on('error', (cause) => this.#end(new Error('the search thread failed', { cause })))
    thread.on('exit', (code) => this.#end(new Error(`the search thread ended with code ${code}`)))
  }

  /** @throws Error when the thread is gone */
  send(task: Task, transferred: readonly ArrayBuffer[] = []): void {
    if (this.#over !== null) throw this.#over
    this.#thread.postMessage(task, transferred)
  }

  /** Rejected with an Error when the thread is gone, or goes before it answers. */
  ask(task: (question: number) => Task): Promise<Report> {
    const question = this.#questions++
    return new Promise((resolve, reject) => {
      this.send(task(question))
      this.#asked.set(question, { resolve, reject })
    })
  }

  /** End the thread; what still waits, and what comes, is rejected. @param why absent: it was closed on purpose */
  async close(why = new Error(`${this.#options.name} is closed`)): Promise<void> {
    this.#over ??= why
    this.#rejectAll(this.#over)
    await this.#thread.terminate()
  }

  #hear(report: Report) {
    if (!('question' in report)) return this.#options.onNews?.(report)
    this.#asked.get(report.question as number)?.resolve(report)
    this.#asked.delete(report.question as number)
  }

  #end(error: Error) {
    if (this.#over !== null) return
    this.#over = error
    this.#rejectAll(error)
    this.#options.onDeath?.(error)
  }

  #rejectAll(error: Error) {
    for (const { reject } of this.#asked.values()) reject(error)
    this.#asked.clear()
  }
}
