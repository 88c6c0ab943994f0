/**
 * Where the numbers lie: chunks of 64 rows, handed out to segments one at a time, so that a thousand small parks and a large one
 * share the memory and nothing is copied when one grows.
 *
 * The codes are in the kernel's memory, in blocks of four rows: 16 codes of the first row, of the second, third and fourth, the next 16 of
 * each, and so on, then five columns of four 32-bit numbers (`RowTerms`). A scan reads this from beginning to end, and nothing else.
 * The numbers themselves lie outside, for the few rows that need them: between the codes they would halve the speed.
 */
import { NO_ROW, PROBE_CODES, PROBE_OFFSET, ROW_CODES, probeTerms, quantise, rowTerms } from './bound.ts'
import type { ProbeTerms, RowTerms } from './bound.ts'
import { KERNEL_PAGE, KERNEL_PAGES, newMemory } from './kernel.ts'
import type { KernelMemory } from './kernel.ts'

export const CHUNK_ROWS = 64
/** Chunks whose numbers share one array. */
const SLAB_CHUNKS = 16
const TERM_BYTES = 5 * 16

/** @throws RangeError where it says so: the memory is full, and everything is as it was */
export class Rows {
  readonly memory: KernelMemory
  readonly dimensions: number
  /** Codes of a row: the dimensions, filled up with zeros to a multiple of 16. */
  readonly width: number
  /** Address of the probe's codes. */
  readonly probe = 0
  readonly #most: number
  readonly #codes: Int8Array
  readonly #slabs: Float32Array[] = []
  readonly #free: number[] = []
  #chunks = 0
  #bytes: Int8Array
  #integers: Int32Array
  #floats: Float32Array

  /** @param most bytes at most, of codes and numbers together */
  constructor(dimensions: number, most: number) {
    this.dimensions = dimensions
    this.width = Math.ceil(dimensions / 16) * 16
    this.#most = most
    this.#codes = new Int8Array(this.width)
    this.memory = newMemory()
    this.#bytes = new Int8Array(this.memory.buffer)
    this.#integers = new Int32Array(this.memory.buffer)
    this.#floats = new Float32Array(this.memory.buffer)
  }

  /** Bytes taken from the machine. */
  get bytes(): number {
    return this.#bytes.byteLength + this.#slabs.reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** Bytes of codes and terms in a chunk: what a scan of it reads. */
  get chunkBytes(): number {
    return (CHUNK_ROWS / 4) * this.#blockBytes
  }

  /** A chunk without rows. @throws RangeError */
  takeChunk(): number {
    const free = this.#free.pop()
    if (free !== undefined) return free
    this.#reserve(this.#chunks + 1)
    const chunk = this.#chunks++
    for (let row = 0; row < CHUNK_ROWS; row++) this.#writeTerms(chunk, row, NO_ROW)
    return chunk
  }

  /** Takes a chunk back whose rows have all been cleared. */
  giveBack(chunk: number): void {
    this.#free.push(chunk)
  }

  addressOf(chunk: number): number {
    return KERNEL_PAGE + chunk * this.chunkBytes
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
    const quantised = quantise(numbers, this.#codes, ROW_CODES)
    this.#writeCodes(chunk, row)
    this.#writeTerms(chunk, row, rowTerms(quantised))
  }

  move(fromChunk: number, fromRow: number, chunk: number, row: number): void {
    const start = this.startOf(fromChunk, fromRow)
    this.put(chunk, row, this.slabOf(fromChunk).subarray(start, start + this.dimensions))
  }

  /** Leaves nothing of a face behind. */
  clear(chunk: number, row: number): void {
    const start = this.startOf(chunk, row)
    this.slabOf(chunk).fill(0, start, start + this.dimensions)
    this.#codes.fill(0)
    this.#writeCodes(chunk, row)
    this.#writeTerms(chunk, row, NO_ROW)
  }

  /** Lays the probe ready for the kernel. */
  putProbe(numbers: Float32Array): ProbeTerms {
    this.#codes.fill(0)
    const quantised = quantise(numbers, this.#codes, PROBE_CODES)
    for (let i = 0; i < this.width; i++) this.#bytes[this.probe + i] = this.#codes[i]! + PROBE_OFFSET
    this.#codes.fill(0)
    return probeTerms(quantised)
  }

  get #blockBytes() {
    return 4 * this.width + TERM_BYTES
  }

  #blockOf(chunk: number, row: number) {
    return this.addressOf(chunk) + (row >> 2) * this.#blockBytes
  }

  #writeCodes(chunk: number, row: number) {
    const start = this.#blockOf(chunk, row) + (row & 3) * 16
    for (let i = 0; i < this.width; i++) this.#bytes[start + (i >> 4) * 64 + (i & 15)] = this.#codes[i]!
  }

  #writeTerms(chunk: number, row: number, { offset, scale, square, error, length }: RowTerms) {
    const at = (this.#blockOf(chunk, row) + 4 * this.width) / 4 + (row & 3)
    this.#integers[at] = offset
    this.#floats[at + 4] = scale
    this.#floats[at + 8] = square
    this.#floats[at + 12] = error
    this.#floats[at + 16] = length
  }

  #reserve(chunks: number) {
    const slabBytes = SLAB_CHUNKS * CHUNK_ROWS * this.dimensions * 4
    const missing = Math.ceil(chunks / SLAB_CHUNKS) > this.#slabs.length
    const pages = this.memory.buffer.byteLength / KERNEL_PAGE
    const neededPages = Math.ceil(this.addressOf(chunks) / KERNEL_PAGE)
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
    this.memory.grow(Math.max(neededPages, generous) - pages)
    this.#bytes = new Int8Array(this.memory.buffer)
    this.#integers = new Int32Array(this.memory.buffer)
    this.#floats = new Float32Array(this.memory.buffer)
  }

  #full(cause?: unknown) {
    const stored = (this.#chunks - this.#free.length) * CHUNK_ROWS
    return new RangeError(`the gallery is full: its memory holds ${stored} templates of ${this.dimensions} numbers`, { cause })
  }
}
