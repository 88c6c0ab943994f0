/**
 * One byte a number, in the memory of a kernel: chunks of 64 rows, in blocks of four. A block holds 16 codes of the first row, of the
 * second, third and fourth, the next 16 of each, and so on, then five columns of four 32-bit numbers (`RowTerms`). A scan reads this from
 * beginning to end, and nothing else.
 */
import { NO_ROW, PROBE_CODES, PROBE_OFFSET, ROW_CODES, bracketOf, probeTerms, quantise, rowTerms } from './bound.ts'
import type { Bracket, ProbeTerms, RowTerms } from './bound.ts'
import { KERNEL_PAGE, newMemory } from './kernel.ts'
import type { KernelMemory } from './kernel.ts'

export const CHUNK_ROWS = 64
const TERM_BYTES = 5 * 16

/** Codes and terms of rows that are addressed by chunk and row. */
export class CodeBlocks {
  readonly memory: KernelMemory
  readonly dimensions: number
  /** Codes of a row: the dimensions, filled up with zeros to a multiple of 16. */
  readonly width: number
  /** Address of the probe's codes. */
  readonly probe = 0
  readonly #codes: Int8Array
  #bytes: Int8Array
  #integers: Int32Array
  #floats: Float32Array

  constructor(dimensions: number) {
    this.dimensions = dimensions
    this.width = Math.ceil(dimensions / 16) * 16
    this.#codes = new Int8Array(this.width)
    this.memory = newMemory()
    this.#bytes = new Int8Array(this.memory.buffer)
    this.#integers = new Int32Array(this.memory.buffer)
    this.#floats = new Float32Array(this.memory.buffer)
  }

  /** Bytes of the kernel's memory. */
  get bytes(): number {
    return this.#bytes.byteLength
  }

  get pages(): number {
    return this.bytes / KERNEL_PAGE
  }

  /** Bytes of codes and terms in a chunk: what a scan of it reads. */
  get chunkBytes(): number {
    return (CHUNK_ROWS / 4) * this.#blockBytes
  }

  /** Pages that this many chunks take, with the probe's. */
  pagesOf(chunks: number): number {
    return Math.ceil(this.addressOf(chunks) / KERNEL_PAGE)
  }

  addressOf(chunk: number): number {
    return KERNEL_PAGE + chunk * this.chunkBytes
  }

  /** @throws RangeError when the machine has no more */
  growTo(pages: number): void {
    this.memory.grow(pages - this.pages)
    this.#bytes = new Int8Array(this.memory.buffer)
    this.#integers = new Int32Array(this.memory.buffer)
    this.#floats = new Float32Array(this.memory.buffer)
  }

  /** Make all rows of a new chunk infinitely far. */
  openChunk(chunk: number): void {
    for (let row = 0; row < CHUNK_ROWS; row++) this.#writeTerms(chunk, row, NO_ROW)
  }

  put(chunk: number, row: number, numbers: Float32Array): void {
    const quantised = quantise(numbers, this.#codes, ROW_CODES)
    this.#writeCodes(chunk, row)
    this.#writeTerms(chunk, row, rowTerms(quantised))
  }

  /** Leave nothing of a face behind. */
  clear(chunk: number, row: number): void {
    this.#codes.fill(0)
    this.#writeCodes(chunk, row)
    this.#writeTerms(chunk, row, NO_ROW)
  }

  /** Lay the probe ready for the kernel. */
  putProbe(numbers: Float32Array): ProbeTerms {
    this.#codes.fill(0)
    const quantised = quantise(numbers, this.#codes, PROBE_CODES)
    for (let i = 0; i < this.width; i++) this.#bytes[this.probe + i] = this.#codes[i]! + PROBE_OFFSET
    this.#codes.fill(0)
    return probeTerms(quantised)
  }

  /** Return between what a row's squared distance from the probe lies, which `putProbe` laid ready. */
  bracket(chunk: number, row: number, probe: ProbeTerms): Bracket {
    const bytes = this.#bytes
    let products = 0
    for (let start = this.#startOf(chunk, row), from = this.probe, end = from + this.width; from < end; start += 64, from += 16)
      for (let i = 0; i < 16; i++) products += bytes[start + i]! * bytes[from + i]!
    const at = this.#termsOf(chunk, row)
    const [offset, scale, square] = [this.#integers[at]!, this.#floats[at + 4]!, this.#floats[at + 8]!]
    return bracketOf({ offset, scale, square, error: this.#floats[at + 12]!, length: this.#floats[at + 16]! }, probe, products)
  }

  get #blockBytes() {
    return 4 * this.width + TERM_BYTES
  }

  #blockOf(chunk: number, row: number) {
    return this.addressOf(chunk) + (row >> 2) * this.#blockBytes
  }

  #startOf(chunk: number, row: number) {
    return this.#blockOf(chunk, row) + (row & 3) * 16
  }

  #termsOf(chunk: number, row: number) {
    return (this.#blockOf(chunk, row) + 4 * this.width) / 4 + (row & 3)
  }

  #writeCodes(chunk: number, row: number) {
    const start = this.#startOf(chunk, row)
    for (let i = 0; i < this.width; i++) this.#bytes[start + (i >> 4) * 64 + (i & 15)] = this.#codes[i]!
  }

  #writeTerms(chunk: number, row: number, { offset, scale, square, error, length }: RowTerms) {
    const at = this.#termsOf(chunk, row)
    this.#integers[at] = offset
    this.#floats[at + 4] = scale
    this.#floats[at + 8] = square
    this.#floats[at + 12] = error
    this.#floats[at + 16] = length
  }
}
