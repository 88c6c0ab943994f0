/**
 * Measures large galleries behind the real server, which runs as a process of its own: its start with 300,000 templates, and 166,000 photos
 * of 8,000 people, as at a site that photographs its people repeatedly. Templates are random directions with noise; devices, lists and
 * changes go through public calls.
 */
import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { faceReportCalls } from '@gatehouse/contract/faces/report'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { seedChecked, seedCrowd, type FaceCrowd } from '@gatehouse/dev-env/bulk-faces'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { BUILTIN_ENGINE, FaceGallery, descriptionOf, engineOf, scoreOf } from '@gatehouse/face-engine'
import { hasTestingModels, testingModelDir } from '@gatehouse/face-engine/onnx/testing/set'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { PlainGallery } from '@gatehouse/face-engine/search/plain'
import { emptied, memoryRows, quantile, seconds, timed } from './gallery-measures.ts'
import { createAsking, startProcess } from './gallery-server.ts'
import { starting } from './gallery-start.ts'
import type { BenchResult } from './result.ts'

type Asking = ReturnType<typeof createAsking>

const DEEP = { persons: 6_000, photographs: 124_500 }
/** People of the 8,000 who may pass a terminal. */
const AT_DOOR = { persons: 2_000, photographs: 41_500 }
const FEW = { persons: 500, photographs: 500 }
const PROBES = 500
const LISTS = 150
const ROWS = 20
const NEWCOMERS = 40
const SEARCHERS = 2
const PATIENCE_MS = 600_000

export async function run(): Promise<BenchResult[]> {
  const folder = hasTestingModels ? testingModelDir() : null
  try {
    const onnx = folder === null ? [] : await starting(descriptionOf(await engineOf(folder)), folder)
    return [...(await starting(BUILTIN_ENGINE, null)), ...onnx, ...(await many())]
  } finally {
    if (folder !== null) await rm(folder, { recursive: true })
  }
}

/** Measure 166,000 photos of 8,000 people. */
async function many(): Promise<BenchResult[]> {
  const world = await startWorld({ checkAnswers: false })
  try {
    const [door, asker] = [await world.device(), await world.device()]
    const crowds = [await seedCrowd(world, { prefix: 'Deep', ...DEEP }), await seedCrowd(world, { prefix: 'Door', ...AT_DOOR })]
    const few = await seedCrowd(world, { prefix: 'Few', ...FEW })
    const newcomers = await seedChecked(world, { prefix: 'New', faces: NEWCOMERS, each: 3 })
    await world.strategy({ personGroups: [crowds[1]!.group], devices: [door] })
    await world.settled()
    const name =
      `${(DEEP.photographs + AT_DOOR.photographs).toLocaleString('en')} photographs ` +
      `of ${(DEEP.persons + AT_DOOR.persons).toLocaleString('en')} people`
    return await world.interrupted(async () => {
      const startedAt = performance.now()
      const server = await startProcess(world, null)
      const listening = seconds(startedAt)
      const asking = createAsking(world.url, asker, BUILTIN_ENGINE.modelId)
      try {
        const rows: BenchResult[] = [
          { name: `${name}: until the server listens`, value: listening, unit: 's', goal: 10 },
          ...(await identified([...crowds, few], asking)),
          ...(await listed(world, crowds[0]!, few)),
          ...(await synchronised(world, door)),
          ...(await changed(world, crowds[0]!, newcomers, asking)),
          ...(await reported(world)),
        ]
        return [
          ...rows.map((row) => ({ ...row, name: row.name.startsWith(name) ? row.name : `${name}: ${row.name}` })),
          ...memoryRows(name, server.usage()),
        ]
      } finally {
        asking.close()
        await server.stop()
        // Otherwise the world's own server would read them all again.
        await emptied(world)
      }
    })
  } finally {
    await world.stop()
  }
}

/** Search for a new photo each of persons drawn from all, beside the search itself and the plain loop here. */
async function identified(crowds: readonly FaceCrowd[], asking: Asking): Promise<BenchResult[]> {
  const { modelId, dimensions } = BUILTIN_ENGINE
  const total = crowds.reduce((sum, { faceIds }) => sum + faceIds.length, 0)
  const here = new FaceGallery({ modelId, dimensions })
  const plain = new PlainGallery({ modelId, dimensions }, total)
  for (const { faceIds, personIds, embeddings, ownerOf } of crowds)
    for (const [at, photoId] of faceIds.entries()) {
      const entry = {
        personId: personIds[ownerOf(at)]!,
        photoId,
        modelId,
        embedding: embeddings.subarray(at * dimensions, (at + 1) * dimensions),
      }
      here.add('here', entry)
      plain.add(entry)
    }
  const random = randomOf('probes')
  const calls: number[] = []
  const searches: number[] = []
  const nothings: number[] = []
  let [wrong, different] = [0, 0]
  for (let round = -20; round < PROBES; round++) {
    const crowd = crowds[random.chance(0.75) ? 0 : 1]!
    const person = Math.floor(random.next() * crowd.personIds.length)
    const embedding = crowd.anotherOf(person, random)
    const callFrom = performance.now()
    const answer = await asking.identify(embedding)
    const call = performance.now() - callFrom
    const searchFrom = performance.now()
    here.search('here', { modelId, embedding }, { limit: 2 })
    const search = performance.now() - searchFrom
    const nothing = await timed(asking.nothing)
    if (round < 0) continue
    nothings.push(nothing)
    calls.push(call)
    searches.push(search)
    if (answer.personId !== crowd.personIds[person]) wrong++
    const [nearest] = plain.search({ modelId, embedding }, { limit: 2 })
    if (nearest!.personId !== answer.personId || scoreOf(BUILTIN_ENGINE.calibration, nearest!.distance) !== answer.score) different++
  }
  const beyond = calls.map((call, at) => call - searches[at]!)
  return [
    { name: `persons not found, of ${PROBES} asked for by a new photograph`, value: wrong, unit: 'persons', goal: 0 },
    { name: `answers unlike the plain loop’s, of ${PROBES}`, value: different, unit: 'answers', goal: 0 },
    { name: 'the device call, p50', value: quantile(calls, 0.5), unit: 'ms' },
    { name: 'the device call, p99', value: quantile(calls, 0.99), unit: 'ms' },
    { name: 'the search itself, p50', value: quantile(searches, 0.5), unit: 'ms' },
    { name: 'a call that does nothing, p50', value: quantile(nothings, 0.5), unit: 'ms' },
    { name: 'the call beyond the search, p50', value: quantile(beyond, 0.5), unit: 'ms' },
    { name: 'the call beyond the search, p99', value: quantile(beyond, 0.99), unit: 'ms' },
  ]
}

/** Read pages of persons with 21 photos each and with one, in turns. */
async function listed(world: World, often: FaceCrowd, once: FaceCrowd): Promise<BenchResult[]> {
  const times = { often: [] as number[], once: [] as number[] }
  for (let round = -20; round < LISTS; round++) {
    const page = 1 + (Math.max(round, 0) % 20)
    const list = ({ group }: FaceCrowd) => timed(() => world.call(peopleCalls.list, { query: { groupId: group.id, size: ROWS, page } }))
    const took = { often: await list(often), once: await list(once) }
    if (round < 0) continue
    times.often.push(took.often)
    times.once.push(took.once)
  }
  const [slow, quick] = [quantile(times.often, 0.5), quantile(times.once, 0.5)]
  return [
    { name: `a page of ${ROWS} persons with one photograph each, p50`, value: quick, unit: 'ms' },
    { name: `a page of ${ROWS} persons with 21 each, p50`, value: slow, unit: 'ms', ratioTo: 'one each', ratio: slow / quick },
  ]
}

/** Measure a terminal's first synchronisation. */
async function synchronised(world: World, door: Parameters<World['terminal']>[0]): Promise<BenchResult[]> {
  const startedAt = performance.now()
  const terminal = await world.terminal(door)
  try {
    const isWhole = () => terminal.state().held.persons === AT_DOOR.persons && terminal.state().held.faces === AT_DOOR.photographs
    while (!isWhole()) {
      if (seconds(startedAt) * 1000 > PATIENCE_MS) throw new Error(`the terminal holds ${JSON.stringify(terminal.state().held)}`)
      await delay(10)
    }
    return [
      {
        name:
          `a terminal's first ${AT_DOOR.persons.toLocaleString('en')} persons ` +
          `with ${AT_DOOR.photographs.toLocaleString('en')} templates`,
        value: seconds(startedAt),
        unit: 's',
      },
    ]
  } finally {
    await terminal.stop()
  }
}

/** Add and delete persons while others are searched for. */
async function changed(
  world: World,
  crowd: FaceCrowd,
  newcomers: Awaited<ReturnType<typeof seedChecked>>,
  asking: Asking,
): Promise<BenchResult[]> {
  const group = await world.personGroup()
  const appeared: number[] = []
  const vanished: number[] = []
  const searches: number[] = []
  let [wrong, isOver] = [0, false]
  const searching = Array.from({ length: SEARCHERS }, async (_, number) => {
    const random = randomOf(`searcher ${number}`)
    while (!isOver) {
      const person = Math.floor(random.next() * crowd.personIds.length)
      const embedding = crowd.anotherOf(person, random)
      searches.push(await timed(async () => ((await asking.identify(embedding)).personId === crowd.personIds[person] ? 0 : wrong++)))
    }
  })
  async function until(what: string, holds: () => Promise<boolean>): Promise<number> {
    return timed(async () => {
      for (const from = performance.now(); !(await holds());)
        if (performance.now() - from > PATIENCE_MS) throw new Error(`waited for ${what}`)
    })
  }
  try {
    for (const [number, { faceIds, another }] of newcomers.entries()) {
      const random = randomOf(`newcomer ${number}`)
      const { id } = await world.person({ groupId: group.id, facePhotos: faceIds })
      appeared.push(await until('somebody added to be found', async () => (await asking.identify(another(random))).personId === id))
      await world.call(peopleCalls.delete, { query: { ids: [id] } })
      vanished.push(await until('somebody deleted to be gone', async () => (await asking.identify(another(random))).personId === null))
    }
  } finally {
    isOver = true
    await Promise.all(searching)
  }
  return [
    {
      name: `wrong answers, of ${searches.length} searches while ${NEWCOMERS} persons come and go`,
      value: wrong,
      unit: 'answers',
      goal: 0,
    },
    { name: 'the device call meanwhile, two at a time, p50', value: quantile(searches, 0.5), unit: 'ms' },
    { name: 'the device call meanwhile, two at a time, p99', value: quantile(searches, 0.99), unit: 'ms' },
    { name: 'from the answer that a person is saved until he is found, p50', value: quantile(appeared, 0.5), unit: 'ms' },
    { name: 'from the answer that a person is deleted until he is not, p50', value: quantile(vanished, 0.5), unit: 'ms' },
  ]
}

/** Measure the report about all of them. */
async function reported(world: World): Promise<BenchResult[]> {
  const startedAt = performance.now()
  const { id } = await world.call(faceReportCalls.start, { body: {} })
  for (;;) {
    const { work, photos } = await world.call(faceReportCalls.read, { params: { id } })
    if (work.state === 'done')
      return [{ name: `the report over ${photos.toLocaleString('en')} photographs`, value: seconds(startedAt), unit: 's' }]
    if (work.endedAt !== null || seconds(startedAt) * 1000 > PATIENCE_MS)
      throw new Error(`the report is ${work.state}, ${work.done} of ${work.total}: ${work.reason}`)
    await delay(200)
  }
}
