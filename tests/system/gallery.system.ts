/**
 * Far more photos of each person than a screen allows, in a soak test 166,000 of 8,000 people: all people are found, added people are found
 * and deleted ones are not, also after a restart; a terminal receives its share; the report finishes and stays within its memory limit.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DataOf } from '@gatehouse/contract'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { faceReportCalls, type FaceReport } from '@gatehouse/contract/faces/report'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { seedChecked, seedCrowd, type FaceCrowd } from '@gatehouse/dev-env/bulk-faces'
import { startWorld, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { BUILTIN_DIMENSIONS, BUILTIN_ENGINE, BUILTIN_MODEL, bytesOfEmbedding, scoreOf } from '@gatehouse/face-engine'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { PlainGallery } from '@gatehouse/face-engine/search/plain'
import { createServerClient, type ServerClient } from '@gatehouse/terminal/device/server'
import { startCore } from '../support/device.ts'
import { until } from '../support/until.ts'
import { depth } from './depth.ts'

/**
 * The usual numbers are large enough that 5,000 photos and 250 persons per page are exceeded, and that there are more than the 5 million
 * pairs a report compares.
 */
const ELSEWHERE = depth({ usual: { persons: 600, photographs: 12_450 }, soak: { persons: 6_000, photographs: 124_500 } })
/** People who may pass at the door. */
const AT_DOOR = depth({ usual: { persons: 300, photographs: 6_225 }, soak: { persons: 2_000, photographs: 41_500 } })
const ALL = { persons: ELSEWHERE.persons + AT_DOOR.persons, photographs: ELSEWHERE.photographs + AT_DOOR.photographs }
/** Least number of pairs of one person's photos in a report; each person has about 205. */
const GENUINE_PAIRS = ALL.persons * 187.5
/** Number of concurrent requests. */
const AT_ONCE = 10
/** Every how many persons one is asked for, where not all of them are. */
const SOME = depth({ usual: 12, soak: 80 })
const COMPARED = 60
/** Memory a report may take in addition to the server's: photos read, sorted and passed to a thread, three times over. */
const REPORT_MEMORY = 3 * ALL.photographs * BUILTIN_DIMENSIONS * 4 + 250e6

let world: World
let door: MadeDevice
let asking: ServerClient
let crowds: FaceCrowd[]

beforeAll(async () => {
  world = await startWorld({ checkAnswers: false })
  door = await world.device()
  asking = createServerClient({ server: world.url, code: door.code, secret: door.secret })
  crowds = [await seedCrowd(world, { prefix: 'Elsewhere', ...ELSEWHERE }), await seedCrowd(world, { prefix: 'Door', ...AT_DOOR })]
  await world.strategy({ personGroups: [crowds[1]!.group], devices: [door] })
  // What was written directly to the database is in the server's search after a restart.
  await restarted()
})
afterAll(() => world?.stop())

const restarted = (): Promise<void> => world.interrupted(async () => {})

/** Search again if no answer came in time, as happens at a door. */
const identified = (embedding: Float32Array): Promise<DataOf<(typeof deviceProtocolCalls)['identify']>> =>
  until('an answer of the server', () =>
    asking.request(deviceProtocolCalls.identify, {
      body: { modelId: BUILTIN_MODEL, template: Buffer.from(bytesOfEmbedding(embedding)).toString('base64') },
    }),
  )

/** Return the persons of these numbers who are not found by their new photo. */
async function missed(crowd: FaceCrowd, every: number): Promise<number[]> {
  const wrong: number[] = []
  const persons = Array.from({ length: Math.ceil(crowd.personIds.length / every) }, (_, place) => place * every).values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const person of persons)
        if ((await identified(crowd.anotherOf(person, randomOf(person)))).personId !== crowd.personIds[person]) wrong.push(person)
    }),
  )
  return wrong
}

test('everybody is found by a new photograph, with the answer of the plain loop', async () => {
  for (const crowd of crowds) expect(await missed(crowd, 1)).toEqual([])

  const plain = new PlainGallery({ modelId: BUILTIN_MODEL, dimensions: BUILTIN_DIMENSIONS }, ALL.photographs)
  for (const { faceIds, personIds, embeddings, dimensions, ownerOf } of crowds)
    for (const [at, photoId] of faceIds.entries())
      plain.add({
        personId: personIds[ownerOf(at)]!,
        photoId,
        modelId: BUILTIN_MODEL,
        embedding: embeddings.subarray(at * dimensions, (at + 1) * dimensions),
      })
  const random = randomOf('compared')
  for (let compared = 0; compared < COMPARED; compared++) {
    const embedding = crowds[0]!.anotherOf(Math.floor(random.next() * ELSEWHERE.persons), random)
    const [nearest] = plain.search({ modelId: BUILTIN_MODEL, embedding }, { limit: 1 })
    const { personId, score } = await identified(embedding)
    expect({ personId, score }).toEqual({ personId: nearest!.personId, score: scoreOf(BUILTIN_ENGINE.calibration, nearest!.distance) })
  }
  const [stranger] = await seedChecked(world, { prefix: 'Stranger', faces: 1, each: 1 })
  expect((await identified(stranger!.another(random))).personId).toBeNull()
})

test('who is added is found, who is deleted or has other photographs is not, and a restart changes nothing', async () => {
  const random = randomOf('changes')
  const checked = await seedChecked(world, { prefix: 'New', faces: 3, each: 3 })
  const [first, later, goes] = checked as [Checked, Checked, Checked]
  type Checked = (typeof checked)[number]
  const isFound = async (id: string | null, { another }: Checked) => (await identified(another(random))).personId === id

  const kept = await world.person({ facePhotos: first.faceIds })
  const deleted = await world.person({ facePhotos: goes.faceIds })
  await until('both to be found', async () => (await isFound(kept.id, first)) && (await isFound(deleted.id, goes)))

  const { id, name, workNumber, groupId } = kept
  await world.call(peopleCalls.change, { body: { id, name, workNumber, groupId, facePhotos: later.faceIds } })
  await world.call(peopleCalls.delete, { query: { ids: [deleted.id, crowds[0]!.personIds[0]!] } })
  const isChanged = async () => (await isFound(kept.id, later)) && (await isFound(null, first))
  const isGone = async () => (await isFound(null, goes)) && (await identified(crowds[0]!.anotherOf(0, random))).personId === null
  await until('the changes to be in the search', async () => (await isChanged()) && (await isGone()))

  await restarted()
  expect(await isChanged()).toBe(true)
  expect(await isGone()).toBe(true)
  expect(await missed(crowds[1]!, SOME)).toEqual([])
})

test('a terminal takes its share of them and finds whom it holds', async () => {
  const core = startCore({
    server: world.url,
    code: door.code,
    secret: door.secret,
    clock: () => Date.now(),
    folder: join(world.dataDir, 'gate'),
  })
  try {
    await until('the terminal to hold its persons', () => core.store.holdings.counts().persons === AT_DOOR.persons, 120)
    expect(core.store.holdings.counts()).toEqual({ persons: AT_DOOR.persons, failed: 0 })
    expect(core.store.holdings.faces()).toBe(AT_DOOR.photographs)
    const random = randomOf('at the door')
    for (let person = 0; person < AT_DOOR.persons; person += 50) {
      const [nearest] = core.store.holdings.nearest(crowds[1]!.anotherOf(person, random))
      expect(nearest!.personId).toBe(crowds[1]!.personIds[person])
    }
  } finally {
    await core.stop()
  }
})

test('the report over all photographs can be cancelled, comes to an end, and keeps within its memory', async () => {
  const begin = async () => (await world.call(faceReportCalls.start, { body: {} })).id
  const read = (id: string): Promise<FaceReport> => world.call(faceReportCalls.read, { params: { id } })
  const before = process.memoryUsage().rss
  let most = 0
  const watched = async (what: string, id: string, holds: (report: FaceReport) => boolean): Promise<FaceReport> =>
    until(
      what,
      async () => {
        most = Math.max(most, process.memoryUsage().rss)
        const report = await read(id)
        return holds(report) ? report : null
      },
      600,
    )

  const first = await begin()
  await watched('the first report to compare', first, ({ work }) => work.done > 0)
  await world.call(faceReportCalls.cancel, { params: { id: first }, body: {} })
  const cancelled = await watched('the first report to end', first, ({ work }) => work.endedAt !== null)
  expect(cancelled.work.state).toBe('cancelled')
  expect(cancelled.slices).toEqual([])

  const { work, photos, persons, slices } = await watched(
    'the second report to end',
    await begin(),
    (report) => report.work.endedAt !== null,
  )
  expect(work).toMatchObject({ state: 'done', reason: null })
  expect(work.done).toBe(work.total)
  // Without the deleted person, and with the added one.
  const deleted = Math.ceil(ELSEWHERE.photographs / ELSEWHERE.persons)
  expect({ persons, photos }).toEqual({ persons: ALL.persons, photos: ALL.photographs - deleted + 3 })
  expect(slices[0]).toMatchObject({ dimension: 'all', persons, photos, impostorPairs: 5_000_000 })
  expect(slices[0]!.genuinePairs).toBeGreaterThan(GENUINE_PAIRS)
  console.log(`The report took ${Math.round((most - before) / 1e6)} MB at most.`)
  expect(most - before).toBeLessThan(REPORT_MEMORY)
  // Searches still work.
  expect(await missed(crowds[1]!, SOME)).toEqual([])
})
