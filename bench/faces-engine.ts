/**
 * Measures one engine on all photos, in a process of its own: the memory of a worker can only be measured where nothing else uses any.
 * Started by `faces.ts` with the folder of a model set, or without one for the built-in engine; sends its measurements and ends.
 */
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { FacePool, PhotoRefusal, acceptedFace, engineOf } from '@gatehouse/face-engine'
import type { PhotoAnalysis, Timings } from '@gatehouse/face-engine'

export interface EngineRun {
  photographs: number
  /** Embeddings of the accepted photos, and the number of the person of each, from 0. */
  accepted: { person: number; embedding: number[] }[]
  /** Milliseconds per photo, one after the other: outside the pool, and of its stages. */
  outside: number
  stages: Omit<Timings, 'total'>
  /** Milliseconds per photo of many: passed one after the other, so that one worker is busy, and all at once to two. */
  oneWorker: number
  twoWorkers: number
  /** Growth of the process in resident megabytes with the first worker, and with the second. */
  firstWorker: number
  secondWorker: number
}

const WARM_UP = 4
/** Every fifth photo is measured stage by stage. */
const SAMPLE = 5
/** Photos per turn of one worker and of two, so that other load of the machine affects both. */
const BLOCK = 10

const engine = await engineOf(process.argv[2] ?? null)
const people = openPhotographs().people.map((person, number) => ({ number, person }))
const photographs = await Promise.all(
  people.flatMap(({ number, person }) =>
    Array.from({ length: person.count }, async (_, at) => ({ person: number, file: await person.photo(at + 1) })),
  ),
)
const files = photographs.map(({ file }) => file)
const sample = files.filter((_, at) => at % SAMPLE === 0)

const before = megabytes()
const one = new FacePool({ engine, workers: 1, queue: files.length })
for (const file of sample.slice(0, WARM_UP)) await one.analyse(file)
const totals: number[] = []
const timings: Timings[] = []
for (const file of sample) {
  const start = performance.now()
  timings.push((await one.analyse(file)).timings)
  totals.push(performance.now() - start)
}
const withOne = megabytes()
await one.close()

const two = new FacePool({ engine, workers: 2, queue: files.length })
await Promise.all(sample.slice(0, 2 * WARM_UP).map((file) => two.analyse(file)))
const all: PhotoAnalysis[] = []
const spent = [0, 0]
const done = [0, 0]
for (let from = 0; from < files.length; from += BLOCK) {
  const block = files.slice(from, from + BLOCK)
  const atOnce = (from / BLOCK) % 2
  const start = performance.now()
  if (atOnce) all.push(...(await Promise.all(block.map((file) => two.analyse(file)))))
  else for (const file of block) all.push(await two.analyse(file))
  spent[atOnce]! += performance.now() - start
  done[atOnce]! += block.length
}
const withTwo = megabytes()
await two.close()

const stage = (name: keyof Timings) => mean(timings.map((each) => each[name]))
const run: EngineRun = {
  photographs: files.length,
  accepted: all.flatMap((analysis, at) => embeddingOf(analysis).map((embedding) => ({ person: photographs[at]!.person, embedding }))),
  outside: mean(totals),
  stages: { decode: stage('decode'), detect: stage('detect'), align: stage('align'), embed: stage('embed'), liveness: stage('liveness') },
  oneWorker: spent[0]! / done[0]!,
  twoWorkers: spent[1]! / done[1]!,
  firstWorker: withOne - before,
  secondWorker: withTwo - withOne,
}
process.send?.(run, () => process.disconnect?.())

function embeddingOf(analysis: PhotoAnalysis): number[][] {
  try {
    return [[...acceptedFace(analysis).embedding]]
  } catch (error) {
    if (error instanceof PhotoRefusal) return []
    throw error
  }
}

function megabytes(): number {
  return process.memoryUsage().rss / 1e6
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
