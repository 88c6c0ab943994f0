/**
 * Where the numbers lie: chunks of 64 rows, handed out to segments one at a time, so that a thousand small parks and a large one
 * share the memory and nothing is copied when one grows.
 *
 * The codes are in the kernel's memory (`code-blocks.ts`). The numbers themselves lie outside, for the few rows that need them: between
 * the codes they would halve the speed.
 */
import type { ProbeTerms } from './bound.ts'
import { CHUNK_ROWS, CodeBlocks } from './code-blocks.ts'
import { KERNEL_PAGE, KERNEL_PAGES } from './kernel.ts'
import type { KernelMemory } from './kernel.ts'

/** Chunks whose numbers share one array. */
const SLAB_CHUNKS = 16

/** @throws RangeError where it says so: the memory is full, and everything is as it was */
export class Rows {
  readonly #blocks: CodeBlocks
  readonly #most: number
  readonly #slabs: Float32Array[] = []
  readonly #free: number[] = []
  #chunks = 0

  /** @param most bytes at most, of codes and numbers together */
  constructor(dimensions: number, most: number) {
    this.#blocks = new CodeBlocks(dimensions)
    this.#most = most
  }

  get memory(): KernelMemory {
    return this.#blocks.memory
  }

  get dimensions(): number {
    return this.#blocks.dimensions
  }

  get width(): number {
    return this.#blocks.width
  }

  get probe(): number {
    return this.#blocks.probe
  }

  /** Bytes taken from the machine. */
  get bytes(): number {
    return this.#blocks.bytes + this.#slabs.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** A chunk without rows. @throws RangeError */
  takeChunk(): number {
    const free = this.#free.pop()
    if (free !== undefined) return free
    this.#reserve(this.#chunks + 1)
    const chunk = this.#chunks++
    this.#blocks.openChunk(chunk)
    return chunk
  }

  /** Takes a chunk back whose rows have all been cleared. */
  giveBack(chunk: number): void {
    this.#free.push(chunk)
  }

  addressOf(chunk: number): number {
    return this.#blocks.addressOf(chunk)
  }

  /** The numbers of the slab that a chunk's rows are in, and where in it the row begins. */
  slabOf(chunk: number): Float32Array {
    return this.#slabs[Math.floor(chunk / SLAB_CHUNKS)]!
  }

  startOf(chunk: number, row: number): number {
    return ((chunk % SLAB_CHUNKS) * CHUNK_ROWS + row) * this.dimensions
  }

  put(chunk: number, row: number, numbers: Float32Array): void {
    this.slabOf(chunk).set(numbers, this.startOf(chunk, row))
    this.#blocks.put(chunk, row, numbers)
  }

  move(fromChunk: number, fromRow: number, chunk: number, row: number): void {
    const start = this.startOf(fromChunk, fromRow)
    this.put(chunk, row, this.slabOf(fromChunk).subarray(start, start + this.dimensions))
  }

  /** Leaves nothing of a face behind. */
  clear(chunk: number, row: number): void {
    const start = this.startOf(chunk, row)
    this.slabOf(chunk).fill(0, start, start + this.dimensions)
    this.#blocks.clear(chunk, row)
  }

  /** Lays the probe ready for the kernel. */
  putProbe(numbers: Float32Array): ProbeTerms {
    return this.#blocks.putProbe(numbers)
  }

  #reserve(chunks: number) {
    const slabBytes = SLAB_CHUNKS * CHUNK_ROWS * this.dimensions * 4
    const missing = Math.ceil(chunks / SLAB_CHUNKS) > this.#slabs.length
    const { pages } = this.#blocks
    const neededPages = this.#blocks.pagesOf(chunks)
    if (neededPages > KERNEL_PAGES || this.bytes + (missing ? slabBytes : 0) + Math.max(0, neededPages - pages) * KERNEL_PAGE > this.#most)
      throw this.#full()
    try {
      const slab = missing ? new Float32Array(slabBytes / 4) : null
      if (neededPages > pages) this.#grow(pages, neededPages)
      if (slab !== null) this.#slabs.push(slab)
    } catch (error) {
      throw this.#full(error)
    }
  }

  /** An eighth more than there is where that goes, because each step makes new views. Untouched pages cost nothing. */
  #grow(pages: number, neededPages: number) {
    const room = Math.floor((this.#most - this.bytes) / KERNEL_PAGE) + pages
    const generous = Math.min(KERNEL_PAGES, room, pages + Math.ceil(pages / 8))
    this.#blocks.growTo(Math.max(neededPages, generous))
  }

  #full(cause?: unknown) {
    const stored = (this.#chunks - this.#free.length) * CHUNK_ROWS
    return new RangeError(`the gallery is full: its memory holds ${stored} templates of ${this.dimensions} numbers`, { cause })
  }
}
