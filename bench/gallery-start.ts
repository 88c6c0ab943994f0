/** Measures how long a server takes to start with 300,000 templates, in total and by steps. */
import pg from 'pg'
import { seedCrowd } from '@gatehouse/dev-env/bulk-faces'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { GalleryWorker, type EngineDescription, type GalleryEntry } from '@gatehouse/face-engine'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { readTemplatesUnscoped } from '@gatehouse/server/contexts/faces/data'
import { FACE_TEMPLATE } from '@gatehouse/server/contexts/faces/schema'
import { openDatabase } from '@gatehouse/server/platform/database/database'
import { placeOf, type Place } from '@gatehouse/server/platform/encryption/sealed-column'
import { emptied, memoryRows, seconds } from './gallery-measures.ts'
import { createAsking, startProcess, type Usage } from './gallery-server.ts'
import type { BenchResult } from './result.ts'

const WIDE = { persons: 100_000, photographs: 300_000 }
const PAGE = 5_000
const FIRST = '00000000-0000-0000-0000-000000000000'
/** Everything that the search is filled with, in one statement. */
const BARE = `select face_template.face_id, face_template.park_id, face.person_id, face_template.template
  from face_template join face on face.id = face_template.face_id
  where face_template.model_id = $1 and face.person_id is not null and face.set_aside_at is null`

/** Measure from the start of the process until a search answers over 300,000 templates. */
export async function starting(engine: EngineDescription, folder: string | null): Promise<BenchResult[]> {
  const { modelId, dimensions } = engine
  const world = await startWorld({ checkAnswers: false })
  try {
    const door = await world.device()
    const empty = await world.interrupted(async () => {
      const startedAt = performance.now()
      const server = await startProcess(world, folder)
      const took = seconds(startedAt)
      await server.stop()
      return took
    })
    const crowd = await seedCrowd(world, { prefix: 'Wide', ...WIDE, model: engine })
    const opened = await world.server.platform.crypto.opener(world.park.id)
    return await world.interrupted(async () => {
      const bare = await bareSelect(world, modelId)
      const startedAt = performance.now()
      const server = await startProcess(world, folder)
      const listening = seconds(startedAt)
      const asking = createAsking(world.url, door, modelId)
      let took: number
      let atAnswer: Usage | null
      let usage: Usage | null
      try {
        // The photo that is read last: if it is found, all were read.
        const last = crowd.faceIds.reduce((latest, id, at) => (id > crowd.faceIds[latest]! ? at : latest), 0)
        const person = crowd.ownerOf(last)
        const { personId } = await asking.identify(crowd.anotherOf(person, randomOf('last')))
        took = seconds(startedAt)
        atAnswer = server.usage()
        if (personId !== crowd.personIds[person]) throw new Error('the person whose photograph is read last is not found')
        const random = randomOf('everywhere')
        for (let round = 0; round < 50; round++) {
          const other = Math.floor(random.next() * crowd.personIds.length)
          if ((await asking.identify(crowd.anotherOf(other, random))).personId !== crowd.personIds[other])
            throw new Error('somebody is not found')
        }
        usage = server.usage()
      } finally {
        asking.close()
        await server.stop()
      }
      const parts = await partsOf(world, engine, opened)
      // The world's own server would read them again, and create templates for those of another model.
      await emptied(world)
      const name = `${WIDE.photographs.toLocaleString('en')} templates of ${dimensions}`
      return [
        { name: `${name}: from the start of the process to the first answer`, value: took, unit: 's', goal: 10 },
        {
          name: `${name}: the same beside a bare SELECT of these rows (${bare.toFixed(2)} s)`,
          value: took,
          unit: 's',
          ratioTo: 'SELECT',
          ratio: took / bare,
        },
        { name: `${name}: until it listens`, value: listening, unit: 's' },
        ...(atAnswer === null
          ? []
          : [{ name: `${name}: processor time of the server until then, its face engine included`, value: atAnswer.processor, unit: 's' }]),
        { name: 'the same server with nobody: until it listens', value: empty, unit: 's' },
        ...Object.entries(parts).map(([part, value]) => ({ name: `${name}, by itself: ${part}`, value, unit: 's' })),
        ...memoryRows(name, usage),
      ]
    })
  } finally {
    await world.stop()
  }
}

async function bareSelect(world: World, modelId: string): Promise<number> {
  const client = new pg.Client(world.connectionString)
  await client.connect()
  await client.query('select count(*) from face_template')
  const startedAt = performance.now()
  const { rows } = await client.query(BARE, [modelId])
  const took = seconds(startedAt)
  await client.end()
  if (rows.length !== WIDE.photographs) throw new Error(`${rows.length} rows instead of ${WIDE.photographs}`)
  return took
}

/** Return the seconds of each step of filling the search, one after the other here; the server overlaps them. */
async function partsOf(
  world: World,
  { modelId, dimensions }: EngineDescription,
  open: (place: Place, sealed: Uint8Array) => Buffer,
): Promise<Record<string, number>> {
  const database = openDatabase(world.connectionString)
  const worker = new GalleryWorker({ modelId, dimensions })
  const took = { reading: 0, decrypting: 0, posting: 0 }
  try {
    for (let after = FIRST; ;) {
      let from = performance.now()
      const rows = await readTemplatesUnscoped(database.db as never, modelId, after, PAGE)
      took.reading += seconds(from)
      from = performance.now()
      const numbers = new Float32Array(rows.length * dimensions)
      const bytes = new Uint8Array(numbers.buffer)
      const entries = rows.map(({ faceId, personId, template }, at): GalleryEntry => {
        bytes.set(open(placeOf(FACE_TEMPLATE, faceId, modelId), template), at * dimensions * 4)
        return { personId, photoId: faceId, modelId, embedding: numbers.subarray(at * dimensions, (at + 1) * dimensions) }
      })
      took.decrypting += seconds(from)
      from = performance.now()
      worker.add(world.park.id, entries)
      took.posting += seconds(from)
      if (rows.length < PAGE) break
      after = rows.at(-1)!.faceId
    }
    const from = performance.now()
    await worker.memory()
    return { ...took, 'posting, what the thread has yet to do at the end': seconds(from) }
  } finally {
    await worker.close()
    await database.close()
  }
}
