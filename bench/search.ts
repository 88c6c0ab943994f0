/**
 * Measures one-to-many search: the search as it is installed compared with the plain loop whose results it has to equal, and with reading
 * as many bytes. One core; templates are random directions, three photos per person; a probe is a stored template with noise, or that of a
 * stranger.
 */
import { setImmediate } from 'node:timers/promises'
import { BUILTIN_DIMENSIONS, FaceGallery, GalleryWorker } from '@gatehouse/face-engine'
import type { GalleryEntry, GalleryMatch } from '@gatehouse/face-engine'
import { newMemory, startKernel, bestKernel, KERNEL_PAGE } from '@gatehouse/face-engine/search/kernel'
import { PlainGallery } from '@gatehouse/face-engine/search/plain'
import { direction, randomNumbers, unit } from './random-directions.ts'
import type { BenchResult } from './result.ts'

const MODEL = 'bench'
const PARK = 'park'
const PHOTOS = 3
/** Scatter of the photos of one person, in each number of a direction of length 1; about 0.4 apart at 128. */
const SCATTER = 0.025
/** Milliseconds the issue requires at 128 numbers. */
const GOALS: Record<number, { p50: number; p99?: number }> = { 100_000: { p50: 4, p99: 8 }, 300_000: { p50: 12 }, 1_000_000: { p50: 30 } }
const SEARCHES = 300
/** Plain searches beside each size: their results and their times are compared. */
const PLAIN_SEARCHES: Record<number, number> = { 100_000: 50, 300_000: 20, 1_000_000: 10 }
const FILL_BATCH = 2000

export async function run(): Promise<BenchResult[]> {
  return [...equality(), ...sizes(128), ...sizes(256), ...perNumber(), ...campus(), ...(await inWorker())]
}

/** Compare 10,000 random queries, whose results have to equal those of the plain loop in every bit. */
function equality(): BenchResult[] {
  const { fast, plain, probe, fillTo } = twins(128, 10_000)
  fillTo(10_000)
  let different = 0
  for (let i = 0; i < 10_000; i++) {
    const query = probe(i)
    if (!same(fast.search(PARK, query), plain.search(query))) different++
  }
  return [{ name: 'answers unlike the plain loop’s, of 10,000 queries among 10,000', value: different, unit: 'answers', goal: 0 }]
}

function sizes(dimensions: number): BenchResult[] {
  const { fast, plain, probe, fillTo } = twins(dimensions, 1_000_000)
  return Object.entries(GOALS).flatMap(([key, goal]) => {
    const templates = Number(key)
    fillTo(templates)
    const probes = Array.from({ length: SEARCHES }, (_, i) => probe(i))
    for (const query of probes.slice(0, 20)) fast.search(PARK, query)
    const times = probes.map((query) => timed(() => fast.search(PARK, query)))
    const compared = probes.slice(0, PLAIN_SEARCHES[templates])
    let different = 0
    const plainTimes = compared.map((query) => {
      let answer: GalleryMatch[] = []
      const time = timed(() => (answer = plain.search(query)))
      if (!same(answer, fast.search(PARK, query))) different++
      return time
    })
    const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)]
    const name = `${templates.toLocaleString('en')} templates of ${dimensions}`
    const goals = dimensions === 128 ? goal : undefined
    return [
      { name: `${name}: p50`, value: p50, unit: 'ms', ...(goals !== undefined && { goal: goals.p50 }) },
      { name: `${name}: p99`, value: p99, unit: 'ms', ...(goals?.p99 !== undefined && { goal: goals.p99 }) },
      {
        name: `${name}: the plain loop, p50`,
        value: quantile(plainTimes, 0.5),
        unit: 'ms',
        ratioTo: 'the search',
        ratio: quantile(plainTimes, 0.5) / p50,
      },
      {
        name: `${name}: p50`,
        value: p50,
        unit: 'ms',
        ratioTo: 'reading its codes from memory',
        ratio: p50 / reading(templates * (dimensions + 20)),
      },
      { name: `${name}: answers unlike the plain loop’s, of ${compared.length}`, value: different, unit: 'answers', goal: 0 },
    ]
  })
}

/** Measure the cost per number of a template for longer templates: those of the built-in engine beside short ones, in turns. */
function perNumber(): BenchResult[] {
  const templates = 100_000
  const [short, long] = [128, BUILTIN_DIMENSIONS].map((dimensions) => {
    const { fast, probe, fillTo } = twins(dimensions, templates)
    fillTo(templates)
    return { dimensions, fast, probe, times: [] as number[] }
  }) as [Numbered, Numbered]
  for (let i = 0; i < SEARCHES; i++)
    for (const { fast, probe, times } of [short, long]) {
      const query = probe(i)
      times.push(timed(() => fast.search(PARK, query)))
    }
  const cost = ({ times, dimensions }: Numbered) => (1e6 * quantile(times, 0.5)) / templates / dimensions
  return [
    {
      name: `${templates.toLocaleString('en')} templates of ${long.dimensions}: of each number, p50`,
      value: cost(long),
      unit: 'ns',
      ratioTo: `of ${short.dimensions}`,
      ratio: cost(long) / cost(short),
      goal: 1.3,
    },
    { name: `${templates.toLocaleString('en')} templates of ${long.dimensions}: p50`, value: quantile(long.times, 0.5), unit: 'ms' },
  ]
}

type Numbered = Pick<ReturnType<typeof twins>, 'fast' | 'probe'> & { dimensions: number; times: number[] }

/** Measure 166,000 photos of 8,000 people. */
function campus(): BenchResult[] {
  const [people, photographs, compared] = [8000, 166_000, 200]
  const random = randomNumbers(11)
  const faces = Array.from({ length: people }, () => direction(128, random))
  const fast = new FaceGallery({ modelId: MODEL, dimensions: 128 })
  const plain = new PlainGallery({ modelId: MODEL, dimensions: 128 }, photographs)
  for (let i = 0; i < photographs; i++) {
    const entry = entryOf(i % people, i, scattered(faces[i % people]!, random))
    fast.add(PARK, entry)
    plain.add(entry)
  }
  let [found, different] = [0, 0]
  const times = faces.map((face, person) => {
    const query = { modelId: MODEL, embedding: scattered(face, random) }
    let answer: GalleryMatch[] = []
    const time = timed(() => (answer = fast.search(PARK, query)))
    if (answer[0]?.personId === idOf(person)) found++
    if (person < compared && !same(answer, plain.search(query))) different++
    return time
  })
  const name = '166,000 photographs of 8,000 people'
  return [
    { name: `${name}: not found by a fresh photograph`, value: people - found, unit: 'people', goal: 0 },
    { name: `${name}: answers unlike the plain loop’s, of ${compared}`, value: different, unit: 'answers', goal: 0 },
    { name: `${name}: p50`, value: quantile(times, 0.5), unit: 'ms' },
    { name: `${name}: p99`, value: quantile(times, 0.99), unit: 'ms' },
  ]
}

/** Measure 300,000 templates in the worker: filling it, searching it, and searching it while photos are added and removed. */
async function inWorker(): Promise<BenchResult[]> {
  const templates = 300_000
  const random = randomNumbers(5)
  const entries = Array.from({ length: templates }, (_, i) => entryOf(Math.floor(i / PHOTOS), i, direction(128, random)))
  const gallery = new GalleryWorker({ modelId: MODEL, dimensions: 128 })
  try {
    const startedAt = performance.now()
    for (let i = 0; i < templates; i += FILL_BATCH) {
      gallery.add(PARK, entries.slice(i, i + FILL_BATCH))
      await setImmediate()
    }
    await gallery.search(PARK, entries[0]!)
    const filled = (performance.now() - startedAt) / 1000
    const { bytes } = await gallery.memory()

    const ask = async (times: number[], probe: GalleryEntry, right: (answer: GalleryMatch[]) => boolean) => {
      const askedAt = performance.now()
      const answer = await gallery.search(PARK, probe)
      times.push(performance.now() - askedAt)
      return right(answer) ? 0 : 1
    }
    const isFirst =
      ({ personId }: GalleryEntry) =>
      (answer: GalleryMatch[]) =>
        answer[0]?.personId === personId && answer[0].distance === 0
    const [quiet, busy, adds]: [number[], number[], number[]] = [[], [], []]
    let wrong = 0
    for (let i = 0; i < SEARCHES; i++) wrong += await ask(quiet, entries[i * 7]!, isFirst(entries[i * 7]!))

    // The writer goes on while there are searches: it adds and removes 200 photos at a time.
    const fresh = Array.from({ length: 200 }, (_, i) => entryOf(templates + i, templates + i, direction(128, random)))
    let asking = true
    let written = 0
    const writing = (async () => {
      for (let round = 0; asking; round++) {
        const addedAt = performance.now()
        gallery.add(PARK, fresh)
        // What was just added is found, and what was just removed is not.
        const query = fresh[round % 200]!
        const added = gallery.search(PARK, query)
        gallery.remove(
          PARK,
          fresh.map(({ personId }) => ({ personId })),
        )
        const removed = gallery.search(PARK, query)
        const answer = await added
        adds.push(performance.now() - addedAt)
        if (!isFirst(query)(answer)) wrong++
        if ((await removed).some(({ personId }) => personId === query.personId)) wrong++
        written += 400
      }
    })()
    const busyFrom = performance.now()
    for (let i = 0; i < SEARCHES; i++) wrong += await ask(busy, entries[i * 11]!, isFirst(entries[i * 11]!))
    const seconds = (performance.now() - busyFrom) / 1000
    asking = false
    await writing
    const name = '300,000 templates of 128 in the worker'
    return [
      { name: `${name}: filling it, until the first answer`, value: filled, unit: 's', goal: 10 },
      { name: `${name}: memory`, value: bytes / 1e6, unit: 'MB' },
      { name: `${name}: p50 there and back`, value: quantile(quiet, 0.5), unit: 'ms', goal: 12 },
      { name: `${name}: p99 there and back`, value: quantile(quiet, 0.99), unit: 'ms' },
      { name: `${name}: p50 while others write and search`, value: quantile(busy, 0.5), unit: 'ms' },
      { name: `${name}: p99 while others write and search`, value: quantile(busy, 0.99), unit: 'ms' },
      { name: `${name}: p50 from adding 200 until one of them is found`, value: quantile(adds, 0.5), unit: 'ms' },
      { name: `${name}: adds and removes beside the searches`, value: written / seconds, unit: '1/s' },
      { name: `${name}: wrong answers`, value: wrong, unit: 'answers', goal: 0 },
    ]
  } finally {
    await gallery.close()
  }
}

/** Create the search and the plain loop with the same templates, `room` at most. */
function twins(dimensions: number, room: number) {
  const random = randomNumbers(dimensions)
  const fast = new FaceGallery({ modelId: MODEL, dimensions })
  const plain = new PlainGallery({ modelId: MODEL, dimensions }, room)
  const kept: Float32Array[] = []
  let face = direction(dimensions, random)
  const fillTo = (size: number) => {
    for (let i = fast.size(); i < size; i++) {
      if (i % PHOTOS === 0) face = direction(dimensions, random)
      const entry = entryOf(Math.floor(i / PHOTOS), i, scattered(face, random))
      if (kept.length < 1000 && i % 7 === 0) kept.push(entry.embedding)
      fast.add(PARK, entry)
      plain.add(entry)
    }
  }
  /** Every second probe is a new photo of an enrolled person. */
  const probe = (i: number) => ({
    modelId: MODEL,
    embedding: i % 2 === 0 ? scattered(kept[i % kept.length]!, random) : direction(dimensions, random),
  })
  return { fast, plain, probe, fillTo }
}

/** Return the milliseconds that WebAssembly takes to read this many bytes and add them up. */
function reading(bytes: number): number {
  const memory = newMemory()
  memory.grow(Math.ceil(bytes / KERNEL_PAGE))
  new Float64Array(memory.buffer).fill(1)
  const kernel = startKernel(bestKernel(), memory)
  const whole = Math.floor(bytes / 64) * 64
  return quantile(
    Array.from({ length: 15 }, () => timed(() => kernel.readAll(0, whole))),
    0.5,
  )
}

const scattered = (face: Float32Array, random: () => number) => unit(face.map((number) => number + SCATTER * random()))

const idOf = (person: number) => `person ${person}`
const entryOf = (person: number, photo: number, embedding: Float32Array): GalleryEntry => ({
  personId: idOf(person),
  photoId: `photo ${photo}`,
  modelId: MODEL,
  embedding,
})

function same(a: readonly GalleryMatch[], b: readonly GalleryMatch[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ personId, photoId, distance }, i) => personId === b[i]!.personId && photoId === b[i]!.photoId && distance === b[i]!.distance)
  )
}

function timed(work: () => unknown): number {
  const startedAt = performance.now()
  work()
  return performance.now() - startedAt
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!
