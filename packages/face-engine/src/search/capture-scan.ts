/** The first of two phases of a search among captures: which of them can be among the nearest, known from their codes alone. */

/** A capture that can be among the nearest. */
export interface CaptureCandidate {
  id: string
  /** No template of it is nearer (squared). */
  least: number
}

export interface CaptureLimits {
  /** Captures that are looked for at most. */
  limit: number
  /** Leaves out captures farther than this distance. */
  within: number
}

/** Candidates between two prunings, at least. */
const PRUNED_FROM = 4096

/** The smallest numbers offered so far, and the largest of them once there are `limit`. */
class Smallest {
  readonly #limit: number
  /** A heap whose largest number is the first. */
  readonly #heap: number[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The `limit`-th smallest number; infinite while there are fewer. */
  get largest(): number {
    return this.#heap.length < this.#limit ? Infinity : this.#heap[0]!
  }

  offer(number: number): void {
    if (number >= this.largest) return
    if (this.#heap.length < this.#limit) this.#rise(number)
    else this.#sink(number)
  }

  #rise(number: number) {
    const heap = this.#heap
    let at = heap.push(number) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (heap[above]! >= number) break
      heap[at] = heap[above]!
      at = above
    }
    heap[at] = number
  }

  #sink(number: number) {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && heap[below + 1]! > heap[below]!) below++
      if (heap[below]! <= number) break
      heap[at] = heap[below]!
      at = below
    }
    heap[at] = number
  }
}

/**
 * What one search knows after the segments it has seen. A capture is as near as the nearest of the probes is to it. Each probe has bounds
 * of its own: within those of one probe no capture counts twice.
 */
export class CaptureScan {
  readonly probes: readonly Float32Array[]
  readonly #nearest: Smallest[]
  #within: number
  #found = new Map<string, number>()
  #prunedAt = PRUNED_FROM

  constructor(probes: readonly Float32Array[], { limit, within }: CaptureLimits) {
    this.probes = probes
    this.#nearest = probes.map(() => new Smallest(limit))
    this.#within = limit >= 1 && within >= 0 ? within * within : -1
  }

  /** Captures that are certainly farther (squared) change nothing any more. */
  get bound(): number {
    return this.#nearest.reduce((bound, { largest }) => Math.min(bound, largest), this.#within)
  }

  /** Take over a bound (squared) that another scan found for the same search among other captures: fewer captures bound no less. */
  lower(bound: number): void {
    this.#within = Math.min(this.#within, bound)
  }

  /** @param probe index of the probe that the capture was compared with; each capture is offered once with each */
  offer(probe: number, id: string, least: number, most: number): void {
    if (least > this.bound) return
    this.#nearest[probe]!.offer(most)
    const present = this.#found.get(id)
    if (present === undefined || least < present) this.#found.set(id, least)
    if (this.#found.size < this.#prunedAt) return
    this.#prune()
    this.#prunedAt = Math.max(PRUNED_FROM, 2 * this.#found.size)
  }

  /** All captures that can be among the nearest; those that can be nearest first. */
  candidates(): CaptureCandidate[] {
    this.#prune()
    return [...this.#found].map(([id, least]) => ({ id, least })).sort((a, b) => a.least - b.least)
  }

  #prune() {
    const { bound } = this
    this.#found = new Map([...this.#found].filter(([, least]) => least <= bound))
  }
}
