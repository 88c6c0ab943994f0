/** Measures how long something works, without the pauses in it. */
export class WorkClock {
  #left: number
  #since = 0
  #timer: NodeJS.Timeout | undefined
  readonly #onEnd: () => void

  /** It runs at once. @param onEnd heard when so many milliseconds of work are over */
  constructor(limitMs: number, onEnd: () => void) {
    this.#left = limitMs
    this.#onEnd = onEnd
    this.run()
  }

  run(): void {
    if (this.#timer !== undefined) return
    this.#since = performance.now()
    // Behind the messages that are waiting: whoever waited for the work may have been busy, and it may be done.
    const timer = setTimeout(() => setImmediate(() => this.#timer === timer && this.#onEnd()), this.#left)
    this.#timer = timer
  }

  pause(): void {
    if (this.#timer === undefined) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#left -= performance.now() - this.#since
  }
}
