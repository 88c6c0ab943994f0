/**
 * Writes of a simulated disk, in order. A write is visible in memory at once. It is durable once it, or a later one, was flushed; a power
 * cut undoes writes that are not durable. Writes are atomic: a cut never leaves half of one.
 */

/** The power is off: each call to the store of a life that has ended throws this. */
export class PowerCut extends Error {
  override readonly name = 'PowerCut'
  constructor() {
    super('The power is cut.')
  }
}

/** Moment in a write at which the power fails: before the flush, or after the flush but before anybody learned of it. */
export type CutMoment = 'beforeFlush' | 'afterFlush'

export class Journal {
  readonly #gathered: number
  #undo: (() => void)[] = []
  #planned: { moment: CutMoment; onCut: () => void } | null = null

  /** @param gathered most writes that may wait for a flush; 0: each is flushed before it returns, as the terminal's disk does */
  constructor(gathered: number) {
    this.#gathered = gathered
  }

  /**
   * Make a change.
   * @param flush makes it durable before this returns, with all before it
   * @throws PowerCut where the power fails in this write
   */
  write(change: () => void, undo: () => void, { flush }: { flush: boolean }): void {
    change()
    this.#undo.push(undo)
    if (this.#planned !== null) this.#fail(this.#planned)
    if (flush || this.#undo.length > this.#gathered) this.flush()
  }

  /** Make everything so far durable. */
  flush(): void {
    this.#undo = []
  }

  /** Undo what is not durable. @returns the number of these writes */
  cut(): number {
    const lost = this.#undo.length
    for (const undo of this.#undo.toReversed()) undo()
    this.#undo = []
    this.#planned = null
    return lost
  }

  /** Let the power fail in the next write. @param onCut called when it has failed */
  cutInNextWrite(moment: CutMoment, onCut: () => void): void {
    this.#planned = { moment, onCut }
  }

  awaitsCut(): boolean {
    return this.#planned !== null
  }

  #fail({ moment, onCut }: { moment: CutMoment; onCut: () => void }): never {
    if (moment === 'afterFlush') this.flush()
    this.cut()
    onCut()
    throw new PowerCut()
  }
}
