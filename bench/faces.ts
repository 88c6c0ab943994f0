/** What recognition costs: a photograph through the pool against the sum of its stages, and a search against the bare arithmetic. */
import { FaceGallery, FacePool, portraitVariant } from '@gatehouse/face-engine'
import type { Timings } from '@gatehouse/face-engine'
import type { BenchResult } from './result.ts'

const WARM_UP = 4
const PHOTOGRAPHS = 30
const TEMPLATES = 100_000
const SEARCHES = 10

export async function run(): Promise<BenchResult[]> {
  return [...(await photographs()), ...search()]
}

async function photographs(): Promise<BenchResult[]> {
  const pool = new FacePool({ workers: 1 })
  try {
    const files = await Promise.all(Array.from({ length: PHOTOGRAPHS }, (_, i) => portraitVariant(i + 1, 0)))
    for (const file of files.slice(0, WARM_UP)) await pool.analyse(file)
    const totals: number[] = []
    const stages: Timings[] = []
    for (const file of files) {
      const start = performance.now()
      stages.push((await pool.analyse(file)).timings)
      totals.push(performance.now() - start)
    }
    const stage = (name: keyof Timings) => mean(stages.map((timings) => timings[name]))
    const sum = stage('decode') + stage('detect') + stage('align') + stage('embed')
    const total = mean(totals)
    return [
      { name: 'photograph to embedding, through the pool', value: total, unit: 'ms', ratioTo: 'sum of its stages', ratio: total / sum, goal: 1.1 },
      ...(['decode', 'detect', 'align', 'embed'] as const).map((name) => ({
        name: `stage: ${name}`,
        value: stage(name),
        unit: 'ms',
        ratioTo: 'sum of all stages',
        ratio: stage(name) / sum,
      })),
    ]
  } finally {
    await pool.close()
  }
}

function search(): BenchResult[] {
  const dimensions = 128
  const gallery = new FaceGallery({ modelId: 'bench', dimensions })
  const numbers = new Float32Array(TEMPLATES * dimensions).map(() => Math.random() * 0.2 - 0.1)
  for (let i = 0; i < TEMPLATES; i++) {
    const embedding = numbers.subarray(i * dimensions, (i + 1) * dimensions)
    gallery.add('park', { personId: `person ${Math.floor(i / 3)}`, photoId: `photo ${i}`, modelId: 'bench', embedding })
  }
  const probe = { modelId: 'bench', embedding: numbers.slice(0, dimensions) }
  const searched = timed(() => gallery.search('park', probe))
  const bare = timed(() => nearest(numbers, probe.embedding))
  const name = `search among ${TEMPLATES.toLocaleString('en')} photographs`
  return [{ name, value: searched, unit: 'ms', ratioTo: 'the distances alone', ratio: searched / bare, goal: 1.2 }]
}

/** The distances alone, without persons, photographs or an order. */
function nearest(numbers: Float32Array, probe: Float32Array): number {
  let best = Infinity
  for (let row = 0; row < numbers.length; row += probe.length) {
    let squared = 0
    for (let i = 0; i < probe.length; i++) squared += (probe[i]! - numbers[row + i]!) ** 2
    if (squared < best) best = squared
  }
  return best
}

function timed(work: () => unknown): number {
  work()
  const times = Array.from({ length: SEARCHES }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return mean(times)
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
