/**
 * Writes of a simulated disk, in their order. A write stands in memory at once and is durable once it, or one behind it,
 * was flushed; a power cut takes back what was not. Writes are whole: a cut never leaves half of one.
 */

/** The power is gone: whoever still holds the store of that life gets this at every call. */
export class PowerCut extends Error {
  override readonly name = 'PowerCut'
  constructor() {
    super('The power is cut.')
  }
}

/** Where in a write the power fails: before it was flushed, or when it was and nobody heard of it yet. */
export type CutMoment = 'beforeFlush' | 'afterFlush'

export class Journal {
  readonly #gathered: number
  #undo: (() => void)[] = []
  #planned: { moment: CutMoment; onCut: () => void } | null = null

  /** @param gathered writes that may wait for a flush; 0: each is flushed before it returns, as the terminal's disk does */
  constructor(gathered: number) {
    this.#gathered = gathered
  }

  /**
   * Makes a change.
   * @param flush durable when this returns, with all before it
   * @throws PowerCut where the power was to fail in this write
   */
  write(change: () => void, undo: () => void, { flush }: { flush: boolean }): void {
    change()
    this.#undo.push(undo)
    if (this.#planned !== null) this.#fail(this.#planned)
    if (flush || this.#undo.length > this.#gathered) this.flush()
  }

  /** Everything so far is durable. */
  flush(): void {
    this.#undo = []
  }

  /** Takes back what is not durable. @returns how many writes that were */
  cut(): number {
    const lost = this.#undo.length
    for (const undo of this.#undo.toReversed()) undo()
    this.#undo = []
    this.#planned = null
    return lost
  }

  /** The power fails in the next write. @param onCut told when it has */
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
