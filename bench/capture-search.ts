/**
 * Measures the search among captures: all captures of many days scanned by their codes in the threads of a server, as a ratio to reading
 * the same bytes in one thread and in as many, and a part of the answers compared with those of the plain loop. Templates are random
 * directions, without a face behind them.
 * `CAPTURES=1000000` measures fewer than the ten million of the issue.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { BUILTIN_DIMENSIONS, CaptureSearchWorker, nearestCaptures } from '@gatehouse/face-engine'
import { squaredDistance } from '@gatehouse/face-engine/search/squared-distance'
import { direction, randomNumbers } from './random-directions.ts'
import { median, type BenchResult } from './result.ts'
import { settings } from './settings.ts'

const DIMENSIONS = BUILTIN_DIMENSIONS
const MODEL = 'benchmark'
const DAYS = 30
const DAY_MS = 86_400_000
const CAMERAS = 100
/** Captures put in at a time. */
const BATCH = 2000
const SEARCHES = 7
const TOP = 50
/** Templates that are kept for the comparison with the plain loop: those of the first day, at most. */
const COMPARED = 50_000
/** Memory that ten million captures of 512 numbers may take. */
const MEGABYTES_EACH = 6000 / 10_000_000

/** A capture whose template is kept. */
interface Kept {
  id: string
  numbers: Float32Array
}

export async function run(): Promise<BenchResult[]> {
  const captures = settings.CAPTURES
  const random = randomNumbers(3)
  const kept: Kept[] = []
  const before = process.memoryUsage().rss
  const worker = new CaptureSearchWorker({ modelId: MODEL, dimensions: DIMENSIONS })
  const building = await fill(worker, captures, random, kept)
  const taken = process.memoryUsage().rss - before - kept.length * DIMENSIONS * 4
  const bytes = (await worker.memory()).reduce((sum, segment) => sum + segment.bytes, 0)
  const probes = Array.from({ length: SEARCHES }, () => direction(DIMENSIONS, random))
  const codes = captures * (DIMENSIONS + 20)
  const { threads } = worker
  const readers = [new Readers(codes, 1), new Readers(codes, threads)]
  const measured: number[][] = []
  for (const probe of [probes[0]!, ...probes]) {
    const startedAt = performance.now()
    await scanAll(worker, probe)
    const scanned = performance.now() - startedAt
    // One after the other, so that whatever else the machine does concerns all of them.
    measured.push([scanned, await readers[0]!.read(codes), await readers[1]!.read(codes)])
  }
  await Promise.all(readers.map((reader) => reader.end()))
  const timesOf = (column: number) => measured.slice(1).map((row) => row[column]!)
  const [warm, read, readInAll] = [median(timesOf(0)), median(timesOf(1)), median(timesOf(2))]
  const different = await differences(worker, kept, captures, random)
  await worker.close()
  const name = `${captures.toLocaleString('en')} captures of ${DIMENSIONS} numbers on ${DAYS} days`
  return [
    { name: `${name}: warm`, value: warm, unit: 'ms', ratioTo: 'reading their codes from memory', ratio: warm / read, goal: 2 },
    {
      name: `${name}: warm, in ${threads} threads`,
      value: warm,
      unit: 'ms',
      ratioTo: 'reading them in as many',
      ratio: warm / readInAll,
    },
    { name: `${name}: slowest of ${SEARCHES}`, value: Math.max(...timesOf(0)), unit: 'ms' },
    { name: `${name}: memory, as counted`, value: bytes / 1e6, unit: 'MB', goal: Math.ceil(captures * MEGABYTES_EACH) },
    { name: `${name}: memory, as the system counts it`, value: taken / 1e6, unit: 'MB' },
    { name: `${name}: making the codes of one day of open templates`, value: building, unit: 'ms' },
    {
      name: `answers unlike the plain loop’s, of 20 among ${kept.length.toLocaleString('en')}`,
      value: different,
      unit: 'answers',
      goal: 0,
    },
  ]
}

const segmentOf = (day: number): string => `day ${day}`

/** Fill the days; return the milliseconds that the first of them took, without those of making its templates. */
async function fill(worker: CaptureSearchWorker, captures: number, random: () => number, kept: Kept[]): Promise<number> {
  const pattern = patterns(random)
  let spent = 0
  for (let day = 0; day < DAYS; day++) {
    const rows = rowsOf(captures, day)
    worker.open(segmentOf(day), rows)
    for (let start = 0; start < rows; start += BATCH) {
      const count = Math.min(BATCH, rows - start)
      const ids = Array.from({ length: count }, (_, i) => idOf(day, start + i))
      const numbers = new Float32Array(count * DIMENSIONS)
      for (let i = 0; i < count; i++) numbers.set(pattern(), i * DIMENSIONS)
      if (day === 0 && kept.length < COMPARED)
        for (const [i, id] of ids.entries()) kept.push({ id, numbers: numbers.slice(i * DIMENSIONS, (i + 1) * DIMENSIONS) })
      const columns = {
        ids,
        times: Float64Array.from(ids, (_, i) => day * DAY_MS + Math.floor(((start + i) / rows) * DAY_MS)),
        deviceIds: ids.map((_, i) => `camera ${i % CAMERAS}`),
        numbers,
      }
      const startedAt = performance.now()
      worker.put(segmentOf(day), columns)
      if (day > 0) continue
      // What is asked afterwards is answered once the captures are in.
      await worker.memory()
      spent += performance.now() - startedAt
    }
    worker.complete(segmentOf(day))
    await worker.memory()
  }
  return spent
}

const rowsOf = (captures: number, day: number): number => Math.floor(((day + 1) * captures) / DAYS) - Math.floor((day * captures) / DAYS)

/** Return what the first phase of a search finds in all days. */
async function scanAll(worker: CaptureSearchWorker, embedding: Float32Array) {
  const search = worker.begin([{ modelId: MODEL, embedding }], { limit: TOP, within: Infinity })
  await Promise.all(Array.from({ length: DAYS }, (_, day) => search.scan(segmentOf(day), { from: 0, until: DAYS * DAY_MS })))
  const candidates = await search.candidates()
  search.end()
  return candidates
}

/** Compare answers about the captures whose templates were kept with those of the plain loop; return how many differ. */
async function differences(worker: CaptureSearchWorker, kept: readonly Kept[], captures: number, random: () => number): Promise<number> {
  const templates = new Map(kept.map(({ id, numbers }) => [id, numbers]))
  // The kept ones are the first of the day.
  const until = Math.ceil((kept.length / rowsOf(captures, 0)) * DAY_MS)
  let different = 0
  for (let i = 0; i < 20; i++) {
    const embedding = direction(DIMENSIONS, random)
    const limits = { limit: TOP, within: Infinity }
    const search = worker.begin([{ modelId: MODEL, embedding }], limits)
    await search.scan(segmentOf(0), { from: 0, until })
    const found = await nearestCaptures(await search.candidates(), [embedding], limits, (ids) =>
      Promise.resolve(new Map(ids.map((id) => [id, templates.get(id)!]))),
    )
    search.end()
    const expected = kept
      .map(({ id, numbers }) => ({ id, squared: squaredDistance(embedding, numbers, 0) }))
      .sort((a, b) => a.squared - b.squared || (a.id < b.id ? -1 : 1))
      .slice(0, TOP)
    if (!found.every(({ id, distance }, at) => id === expected[at]!.id && distance === Math.sqrt(expected[at]!.squared))) different++
  }
  return different
}

/** Memory that each reader reads at most. */
const PIECE_MAX = 500_000_000

/** Threads in which WebAssembly reads memory and adds it up. */
class Readers {
  readonly #threads: Worker[]
  readonly #piece: number

  constructor(bytes: number, threads: number) {
    this.#piece = Math.floor(Math.min(bytes / threads, PIECE_MAX) / 64) * 64
    this.#threads = Array.from(
      { length: threads },
      () => new Worker(new URL('memory-reader.ts', import.meta.url), { workerData: this.#piece }),
    )
  }

  /** Return the milliseconds that reading so many bytes takes. */
  async read(bytes: number): Promise<number> {
    const startedAt = performance.now()
    const readOne = async (thread: Worker) => {
      thread.postMessage('read', [])
      await once(thread, 'message')
    }
    await Promise.all(this.#threads.map(readOne))
    return ((performance.now() - startedAt) * bytes) / (this.#piece * this.#threads.length)
  }

  async end(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()))
  }
}

/** Return a source of directions that is fast enough for millions: sums of two of some thousand random ones. */
function patterns(random: () => number): () => Float32Array {
  const base = Array.from({ length: 4000 }, () => direction(DIMENSIONS, random))
  let made = 0
  return () => {
    const [one, other] = [base[made % base.length]!, base[(made * 7 + Math.floor(made / base.length) + 1) % base.length]!]
    made++
    const sum = new Float32Array(DIMENSIONS)
    let square = 0
    for (let i = 0; i < DIMENSIONS; i++) {
      sum[i] = one[i]! + other[i]!
      square += sum[i]! * sum[i]!
    }
    for (let i = 0; i < DIMENSIONS; i++) sum[i]! /= Math.sqrt(square)
    return sum
  }
}

const idOf = (day: number, row: number): string =>
  `00000000-0000-7000-${day.toString(16).padStart(4, '0')}-${row.toString(16).padStart(12, '0')}`
