/**
 * Measures the search among captures in one process: all captures of many days scanned by their codes, as a ratio to reading the same
 * bytes, and a part of the answers compared with those of the plain loop. Templates are random directions, without a face behind them.
 * `CAPTURES=1000000` measures fewer than the ten million of the issue.
 */
import { setImmediate } from 'node:timers/promises'
import { BUILTIN_DIMENSIONS, nearestCaptures } from '@gatehouse/face-engine'
import { CaptureScan } from '@gatehouse/face-engine/search/capture-scan'
import { CaptureSegment } from '@gatehouse/face-engine/search/capture-segment'
import { KERNEL_PAGE, bestKernel, newMemory, startKernel } from '@gatehouse/face-engine/search/kernel'
import { squaredDistance } from '@gatehouse/face-engine/search/squared-distance'
import { direction, randomNumbers, unit } from './random-directions.ts'
import { median, type BenchResult } from './result.ts'
import { settings } from './settings.ts'

const DIMENSIONS = BUILTIN_DIMENSIONS
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

interface Day {
  segment: CaptureSegment
  bytes: number
}

export async function run(): Promise<BenchResult[]> {
  const captures = settings.CAPTURES
  const random = randomNumbers(3)
  const kept: { id: string; numbers: Float32Array }[] = []
  const before = process.memoryUsage().rss
  const [days, building] = await fill(captures, random, kept)
  const taken = process.memoryUsage().rss - before - kept.length * DIMENSIONS * 4
  const bytes = days.reduce((sum, day) => sum + day.bytes, 0)
  const probes = Array.from({ length: SEARCHES }, () => direction(DIMENSIONS, random))
  scanAll(days, probes[0]!)
  const times = probes.map((probe) => {
    const startedAt = performance.now()
    scanAll(days, probe)
    return performance.now() - startedAt
  })
  const warm = median(times)
  const read = reading(captures * (DIMENSIONS + 20))
  const different = await differences(days[0]!, kept, random)
  const name = `${captures.toLocaleString('en')} captures of ${DIMENSIONS} numbers on ${DAYS} days`
  return [
    { name: `${name}: warm`, value: warm, unit: 'ms', ratioTo: 'reading their codes from memory', ratio: warm / read, goal: 2 },
    { name: `${name}: slowest of ${SEARCHES}`, value: Math.max(...times), unit: 'ms' },
    { name: `${name}: memory, as counted`, value: bytes / 1e6, unit: 'MB', goal: Math.ceil(captures * MEGABYTES_EACH) },
    { name: `${name}: memory, as the system counts it`, value: taken / 1e6, unit: 'MB' },
    {
      name: `${name}: making the codes of open templates, as for a day that is not in memory`,
      value: building,
      unit: 'ms',
      ratioTo: 'reading their codes from memory',
      ratio: building / read,
    },
    {
      name: `answers unlike the plain loop’s, of 20 among ${kept.length.toLocaleString('en')}`,
      value: different,
      unit: 'answers',
      goal: 0,
    },
  ]
}

/** Fill the days; the time of making the templates is not part of it. */
async function fill(captures: number, random: () => number, kept: { id: string; numbers: Float32Array }[]): Promise<[Day[], number]> {
  const pattern = patterns(random)
  const days: Day[] = []
  let spent = 0
  for (let day = 0; day < DAYS; day++) {
    const rows = Math.floor(((day + 1) * captures) / DAYS) - Math.floor((day * captures) / DAYS)
    const segment = new CaptureSegment(DIMENSIONS, bestKernel())
    segment.reserve(rows)
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
      segment.put(columns)
      spent += performance.now() - startedAt
    }
    days.push({ segment, bytes: segment.bytes })
    await setImmediate()
  }
  return [days, spent]
}

/** Return what the first phase of a search finds in all days. */
function scanAll(days: readonly Day[], probe: Float32Array) {
  const scan = new CaptureScan([probe], { limit: TOP, within: Infinity })
  for (const { segment } of days) segment.scan(scan, { from: 0, until: DAYS * DAY_MS })
  return scan.candidates()
}

/** Compare answers about the captures whose templates were kept with those of the plain loop; return how many differ. */
async function differences(
  { segment }: Day,
  kept: readonly { id: string; numbers: Float32Array }[],
  random: () => number,
): Promise<number> {
  const templates = new Map(kept.map(({ id, numbers }) => [id, numbers]))
  // The kept ones are the first of the day.
  const until = Math.ceil((kept.length / segment.size) * DAY_MS)
  let different = 0
  for (let i = 0; i < 20; i++) {
    const probe = direction(DIMENSIONS, random)
    const limits = { limit: TOP, within: Infinity }
    const scan = new CaptureScan([probe], limits)
    segment.scan(scan, { from: 0, until })
    const found = await nearestCaptures(scan.candidates(), [probe], limits, (ids) =>
      Promise.resolve(new Map(ids.map((id) => [id, templates.get(id)!]))),
    )
    const expected = kept
      .map(({ id, numbers }) => ({ id, squared: squaredDistance(probe, numbers, 0) }))
      .sort((a, b) => a.squared - b.squared || (a.id < b.id ? -1 : 1))
      .slice(0, TOP)
    if (!found.every(({ id, distance }, at) => id === expected[at]!.id && distance === Math.sqrt(expected[at]!.squared))) different++
  }
  return different
}

/** Return the milliseconds that WebAssembly takes to read this many bytes and add them up, in pieces as large as memory allows. */
function reading(bytes: number): number {
  const piece = Math.min(bytes, 1_000_000_000)
  const memory = newMemory()
  memory.grow(Math.ceil(piece / KERNEL_PAGE))
  new Float64Array(memory.buffer).fill(1)
  const kernel = startKernel(bestKernel(), memory)
  const whole = Math.floor(piece / 64) * 64
  const times = Array.from({ length: 7 }, () => {
    const startedAt = performance.now()
    kernel.readAll(0, whole)
    return performance.now() - startedAt
  })
  return (median(times) * bytes) / piece
}

/** Return a source of directions that is fast enough for millions: sums of two of some thousand random ones. */
function patterns(random: () => number): () => Float32Array {
  const base = Array.from({ length: 4000 }, () => direction(DIMENSIONS, random))
  let made = 0
  return () => {
    const [one, other] = [base[made % base.length]!, base[(made * 7 + Math.floor(made / base.length) + 1) % base.length]!]
    made++
    return unit(one.map((number, i) => number + other[i]!))
  }
}

const idOf = (day: number, row: number): string =>
  `00000000-0000-7000-${day.toString(16).padStart(4, '0')}-${row.toString(16).padStart(12, '0')}`
