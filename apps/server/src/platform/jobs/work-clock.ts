/** Measures how long something works, without the pauses in it. */
export class WorkClock {
  #left: number
  #since = 0
  #timer: NodeJS.Timeout | undefined
  readonly #onEnd: () => void

  /** Start the clock. @param onEnd called when the limit is used up */
  constructor(limitMs: number, onEnd: () => void) {
    this.#left = limitMs
    this.#onEnd = onEnd
    this.run()
  }

  run(): void {
    if (this.#timer !== undefined) return
    this.#since = performance.now()
    // After messages that are already queued: the thread that waits for the work may have been busy, and the work may be done.
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
