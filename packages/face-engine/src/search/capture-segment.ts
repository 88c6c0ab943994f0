/**
 * The captures of one day of a park, by their codes alone: of a template of d numbers d + 20 bytes (d filled up to a multiple of 16), and
 * 22 beside for id, time and device. Its memory is its own and goes back to the machine as a whole.
 */
import { boundOf } from './bound.ts'
import { ID_WORDS, idOfWords, isCaptureId, membership, writeId } from './capture-ids.ts'
import type { CaptureScan } from './capture-scan.ts'
import { CHUNK_ROWS, CodeBlocks } from './code-blocks.ts'
import { KERNEL_PAGES, startKernel } from './kernel.ts'
import type { Kernel, KernelKind } from './kernel.ts'

/** Captures in columns, so that they can be handed to a thread. */
export interface CaptureColumns {
  ids: readonly string[]
  /** Milliseconds since 1970. */
  times: Float64Array
  deviceIds: readonly string[]
  /** The templates one behind the other. */
  numbers: Float32Array
}

/** Which captures of a segment are compared. */
export interface CaptureFilter {
  /** Milliseconds since 1970: from, and until before. */
  from: number
  until: number
  /** Only captures of these devices. */
  deviceIds?: ReadonlySet<string> | undefined
  /** Only these can be found: their ids, 16 bytes each. The others count as compared. */
  only?: Uint8Array | undefined
}

/** Device number of a row that was blanked. */
const BLANK = 0xffff
const DAY_MS = 86_400_000

export class CaptureSegment {
  readonly #blocks: CodeBlocks
  readonly #kernel: Kernel
  readonly #devices: string[] = []
  readonly #deviceNumbers = new Map<string, number>()
  /** Time of the first capture that was put in, less a day: times are kept as what they are later. */
  #origin = 0
  /** Kept times of all rows lie between these. */
  #earliest = Infinity
  #latest = -Infinity
  #rows = 0
  #blanked = 0
  #ids = new Uint32Array(0)
  #times = new Uint32Array(0)
  #deviceOf = new Uint16Array(0)

  constructor(dimensions: number, kernel: KernelKind) {
    this.#blocks = new CodeBlocks(dimensions)
    this.#kernel = startKernel(kernel, this.#blocks.memory)
  }

  /** Captures that are compared with. */
  get size(): number {
    return this.#rows - this.#blanked
  }

  /** Bytes taken from the machine. */
  get bytes(): number {
    return this.#blocks.bytes + this.#ids.byteLength + this.#times.byteLength + this.#deviceOf.byteLength
  }

  /** Make room for exactly this many captures. @throws RangeError when there is none, and everything is as it was */
  reserve(rows: number): void {
    if (rows <= this.#times.length) return
    const pages = this.#blocks.pagesOf(Math.ceil(rows / CHUNK_ROWS))
    if (pages > KERNEL_PAGES) throw new RangeError(`a day of captures is full at ${this.#rows}`)
    const [ids, times, deviceOf] = [new Uint32Array(rows * ID_WORDS), new Uint32Array(rows), new Uint16Array(rows)]
    if (pages > this.#blocks.pages) this.#blocks.growTo(pages)
    ids.set(this.#ids)
    times.set(this.#times)
    deviceOf.set(this.#deviceOf)
    ;[this.#ids, this.#times, this.#deviceOf] = [ids, times, deviceOf]
  }

  /**
   * Add captures, each once, or replace those that are present.
   * @throws RangeError when there is no room for all of them, when their times do not lie within a day of the first, and for ids that are
   * none; everything is as it was
   */
  put(columns: CaptureColumns): void {
    this.#makeReady(columns)
    this.blank(columns.ids)
    this.#appendAll(columns)
  }

  /** Add captures none of which is present: as `put`, without looking for them among all others. */
  append(columns: CaptureColumns): void {
    this.#makeReady(columns)
    this.#appendAll(columns)
  }

  /** Check captures, and make room for them. @throws RangeError as `put` */
  #makeReady({ ids, times, deviceIds }: CaptureColumns): void {
    if (ids.length === 0) return
    for (const id of ids) if (!isCaptureId(id)) throw new RangeError(`${id} is no id of a capture`)
    const origin = this.#rows === 0 ? times[0]! - DAY_MS : this.#origin
    for (const time of times) if (!(Math.abs(time - origin - DAY_MS) <= DAY_MS)) throw new RangeError(`${time} is of another day`)
    const devices = new Set([...this.#devices, ...deviceIds])
    if (devices.size >= BLANK) throw new RangeError(`captures of one day are of ${BLANK - 1} devices at most`)
    const rows = this.#rows + ids.length
    if (rows > this.#times.length) this.reserve(this.#times.length === 0 ? rows : Math.max(rows, Math.ceil(this.#rows * 1.125)))
    this.#origin = origin
  }

  #appendAll({ ids, times, deviceIds, numbers }: CaptureColumns): void {
    const { dimensions } = this.#blocks
    for (const [index, id] of ids.entries())
      this.#append(id, times[index]!, deviceIds[index]!, numbers.subarray(index * dimensions, (index + 1) * dimensions))
  }

  /** Leave nothing of these captures behind. @returns how many there were */
  blank(ids: readonly string[]): number {
    if (this.#rows === 0 || ids.length === 0) return 0
    const words = new Uint32Array(ID_WORDS)
    const byLastWord = new Map<number, Set<string>>()
    for (const id of ids) {
      writeId(id, words, 0)
      const same = byLastWord.get(words[ID_WORDS - 1]!)
      if (same === undefined) byLastWord.set(words[ID_WORDS - 1]!, new Set([id]))
      else same.add(id)
    }
    const before = this.#blanked
    for (let row = 0; row < this.#rows; row++) {
      const same = byLastWord.get(this.#ids[row * ID_WORDS + ID_WORDS - 1]!)
      if (same === undefined || this.#deviceOf[row] === BLANK || !same.has(this.#idOf(row))) continue
      this.#blocks.clear(Math.floor(row / CHUNK_ROWS), row % CHUNK_ROWS)
      this.#ids.fill(0, row * ID_WORDS, (row + 1) * ID_WORDS)
      this.#deviceOf[row] = BLANK
      this.#blanked++
    }
    return this.#blanked - before
  }

  /** Offer what can be near enough to a scan. @returns how many captures the filter let through: these were compared */
  scan(scan: CaptureScan, filter: CaptureFilter): number {
    const passes = this.#passes(filter)
    if (passes === null) return 0
    const { chunks, compared } = this.#isWhole(filter) ? this.#allChunks() : this.#chunksOf(passes)
    if (filter.only === undefined) this.#compare(scan, chunks, passes)
    else {
      const isListed = membership(filter.only)
      const counts = (row: number) => passes(row) && isListed(this.#ids, row * ID_WORDS)
      this.#compare(scan, this.#chunksOf(counts).chunks, counts)
    }
    return compared
  }

  #compare(scan: CaptureScan, chunks: readonly number[], counts: (row: number) => boolean) {
    for (const probe of scan.probes.keys()) {
      const terms = this.#blocks.putProbe(scan.probes[probe]!)
      for (const chunk of chunks) this.#scanChunk(chunk, scan, probe, terms, counts)
    }
  }

  /** Whether a filter lets everything through: no row has to be looked at to know that. */
  #isWhole({ from, until, deviceIds }: CaptureFilter) {
    if (from - this.#origin > this.#earliest || until - this.#origin <= this.#latest) return false
    return deviceIds === undefined || this.#devices.every((id) => deviceIds.has(id))
  }

  #allChunks() {
    return { chunks: Array.from({ length: Math.ceil(this.#rows / CHUNK_ROWS) }, (_, chunk) => chunk), compared: this.size }
  }

  /** Return the chunks that have rows which pass, and how many rows do. */
  #chunksOf(passes: (row: number) => boolean) {
    let compared = 0
    const chunks: number[] = []
    for (let row = 0, last = -1; row < this.#rows; row++) {
      if (!passes(row)) continue
      compared++
      const chunk = Math.floor(row / CHUNK_ROWS)
      if (chunk !== last) chunks.push((last = chunk))
    }
    return { chunks, compared }
  }

  #scanChunk(
    chunk: number,
    scan: CaptureScan,
    probe: number,
    terms: ReturnType<CodeBlocks['putProbe']>,
    counts: (row: number) => boolean,
  ): void {
    const blocks = this.#blocks
    const { scale, square, length, error } = terms
    const address = blocks.addressOf(chunk)
    for (let from = 0; from < CHUNK_ROWS;) {
      const found = this.#kernel.scan(address, from, blocks.probe, blocks.width, scale, square, length, error, boundOf(scan.bound))
      if (found < 0) return
      const first = found >> 4
      for (let row = first; row < first + 4; row++) {
        if ((found & (1 << (row - first))) === 0 || !counts(chunk * CHUNK_ROWS + row)) continue
        const { least, most } = blocks.bracket(chunk, row, terms)
        if (least <= scan.bound) scan.offer(probe, this.#idOf(chunk * CHUNK_ROWS + row), least, most)
      }
      from = first + 4
    }
  }

  /** Which rows a filter lets through; null: none. */
  #passes({ from, until, deviceIds }: CaptureFilter): ((row: number) => boolean) | null {
    const [first, end] = [Math.max(0, from - this.#origin), until - this.#origin]
    const numbers = this.#devices.map((id) => deviceIds === undefined || deviceIds.has(id))
    if (!numbers.includes(true)) return null
    const [times, deviceOf, rows] = [this.#times, this.#deviceOf, this.#rows]
    return (row) => row < rows && times[row]! >= first && times[row]! < end && numbers[deviceOf[row]!] === true
  }

  #append(id: string, time: number, deviceId: string, numbers: Float32Array) {
    let device = this.#deviceNumbers.get(deviceId)
    if (device === undefined) this.#deviceNumbers.set(deviceId, (device = this.#devices.push(deviceId) - 1))
    const row = this.#rows++
    if (row % CHUNK_ROWS === 0) this.#blocks.openChunk(row / CHUNK_ROWS)
    this.#blocks.put(Math.floor(row / CHUNK_ROWS), row % CHUNK_ROWS, numbers)
    writeId(id, this.#ids, row * ID_WORDS)
    this.#times[row] = time - this.#origin
    this.#earliest = Math.min(this.#earliest, this.#times[row]!)
    this.#latest = Math.max(this.#latest, this.#times[row]!)
    this.#deviceOf[row] = device
  }

  #idOf(row: number) {
    return idOfWords(this.#ids, row * ID_WORDS)
  }
}
