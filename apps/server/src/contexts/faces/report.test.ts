/** The own-gallery report through its calls: on real photos, and on a gallery with known errors. */
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { gender } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { faceReportCalls, type FaceReport } from '@gatehouse/contract/faces/report'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { createClient, logIn } from '@gatehouse/dev-env/client'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { ADMIN, startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { BUILTIN_DIMENSIONS, distanceOfScore, distanceToAll } from '@gatehouse/face-engine'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { newId } from '../../platform/database/ids.ts'
import { startServerProcess } from '../../../../../tests/support/server-process.ts'
import { until } from '../../../../../tests/support/until.ts'
import { seedPeople, type SeededPerson } from './testing/people.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const DIMENSIONS = BUILTIN_DIMENSIONS

/**
 * Generate people whose templates lie in a few dimensions only, so that some are close, with photos that scatter differently: both kinds of
 * error occur. None of them is a real face.
 */
function madePeople(count: number, groups: readonly string[], photosOf: (person: number) => number): SeededPerson[] {
  const random = randomOf('report')
  return Array.from({ length: count }, (_, person) => {
    const centre = Array.from({ length: DIMENSIONS }, (__, at) => (at < 6 ? random.between(0, 1) : 0))
    const scatter = random.between(0.005, 0.03)
    const embedding = () => {
      const numbers = centre.map((number) => number + random.between(-scatter, scatter))
      const length = Math.hypot(...numbers)
      return Float32Array.from(numbers, (number) => number / length)
    }
    return {
      id: newId(),
      name: `Made ${person}`,
      groupId: groups[person % groups.length]!,
      gender: person % 3 === 0 ? gender.male : gender.female,
      birthday: person % 4 === 0 ? null : '1990-05-05',
      faces: Array.from({ length: photosOf(person) }, () => ({ id: newId(), embedding: embedding() })),
    }
  })
}

const start = async (site: Pick<Site, 'call'>): Promise<string> => (await site.call(faceReportCalls.start, { body: {} })).id
const read = (site: Pick<Site, 'call'>, id: string): Promise<FaceReport> => site.call(faceReportCalls.read, { params: { id } })

async function ended(site: Pick<Site, 'call'>, id: string): Promise<FaceReport> {
  return until(
    'the report to end',
    async () => {
      const report = await read(site, id)
      return ['waiting', 'running'].includes(report.work.state) ? null : report
    },
    50,
  )
}
async function made(site: Pick<Site, 'call'>): Promise<FaceReport> {
  const report = await ended(site, await start(site))
  expect(report.work, JSON.stringify(report.work)).toMatchObject({ state: 'done', done: report.work.total })
  return report
}

/** The same computed from the templates, pair by pair. */
function computed(people: readonly SeededPerson[], distance: number) {
  const faces = people.flatMap(({ id, faces: own }) => own.map(({ embedding }) => ({ id, embedding })))
  const counts = { genuine: 0, missed: 0, impostor: 0, matched: 0 }
  faces.forEach((one, place) => {
    for (const other of faces.slice(place + 1)) {
      const matches = Math.hypot(...one.embedding.map((number, at) => number - other.embedding[at]!)) <= distance
      if (one.id === other.id) {
        counts.genuine++
        if (!matches) counts.missed++
      } else {
        counts.impostor++
        if (matches) counts.matched++
      }
    }
  })
  return counts
}

/** Return the distances of persons, up to what one pair of strangers in a hundred reaches, computed from the templates. */
function closeness(people: readonly SeededPerson[]): number[] {
  const { calibration, modelId } = world.server.contexts.faces.service.description
  const reach = distanceOfScore(calibration, 60)
  const templatesOf = ({ faces }: SeededPerson) => faces.map(({ embedding }) => ({ modelId, embedding }))
  // Like the search: each photo against all of another person, which count as one.
  const towards = (one: SeededPerson, other: SeededPerson) =>
    Math.min(...templatesOf(one).map((face) => distanceToAll(calibration, templatesOf(other), face)))
  const between = (one: SeededPerson, other: SeededPerson) => Math.min(towards(one, other), towards(other, one))
  return people
    .flatMap((one, place) => people.slice(place + 1).map((other) => between(one, other)))
    .filter((distance) => distance <= reach)
    .toSorted((a, b) => a - b)
}

/** Block the completion of reports until `release` is called. */
async function blockReports(): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client(world.connectionString)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`CREATE OR REPLACE FUNCTION hold_report() RETURNS trigger LANGUAGE plpgsql SET lock_timeout = 0
    AS $$ BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END $$;
    CREATE OR REPLACE TRIGGER hold_report BEFORE UPDATE ON face_report FOR EACH ROW EXECUTE FUNCTION hold_report()`)
  await client.query('SELECT pg_advisory_lock(4711)')
  return {
    async release() {
      await client.query('SELECT pg_advisory_unlock(4711)')
    },
  }
}
const nearlyDone = (site: Pick<Site, 'call'>, id: string) =>
  until('all photographs to be compared', async () => {
    const { work } = await read(site, id)
    return work.state === 'running' && work.total !== null && work.total > 0 && work.done === work.total
  })

describe('a gallery whose errors are known', () => {
  let site: Site
  let people: SeededPerson[]
  let report: FaceReport
  let groups: { id: string; name: string }[]

  beforeAll(async () => {
    site = await world.addPark()
    groups = [
      await site.personGroup({ name: 'Alpha' }),
      await site.personGroup({ name: 'Beta' }),
      await site.personGroup({ name: 'Gamma' }),
    ]
    // Gamma has too few persons for a slice.
    people = madePeople(
      60,
      groups.slice(0, 2).map(({ id }) => id),
      (person) => 1 + (person % 3),
    )
    for (const person of people.slice(0, 3)) person.groupId = groups[2]!.id
    // Registered twice: a photo of one person is nearly that of another.
    people[42]!.faces[0]!.embedding = people[21]!.faces[0]!.embedding.map((number, at) => (at === 0 ? number + 0.001 : number))
    await seedPeople(world, site, people)
    report = await made(site)
  })

  test('the rates at every score are those of all its pairs', () => {
    const [whole] = report.slices
    expect(whole!.curve.length).toBeGreaterThan(20)
    for (const point of whole!.curve) {
      const { genuine, missed, impostor, matched } = computed(people, point.distance)
      expect(report).toMatchObject({ genuinePairs: genuine, impostorPairs: impostor })
      expect(point.falseMatch.rate).toBeCloseTo(matched / impostor, 10)
      expect(point.falseNonMatch!.rate).toBeCloseTo(missed / genuine, 10)
      expect(point.falseMatch.low).toBeLessThanOrEqual(point.falseMatch.rate)
      expect(point.falseMatch.high).toBeGreaterThanOrEqual(point.falseMatch.rate)
    }
    // A gallery without errors would prove nothing.
    expect(whole!.curve.some(({ falseMatch, falseNonMatch }) => falseMatch.rate > 0 && falseNonMatch!.rate > 0)).toBe(true)
    expect(whole!.equalErrorRate).toBeGreaterThan(0)
  })

  test('it says how many photographs of how many there are, and what holds at the door', async () => {
    const { service } = world.server.contexts.faces
    const { door } = await service.thresholdsOf({ parkId: site.park.id })
    expect(report).toMatchObject({ persons: 60, photos: 120, modelId: service.modelId, doorScore: door })
    const { genuine, missed, impostor, matched } = computed(people, distanceOfScore(service.description.calibration, door))
    expect(report.falseMatch!.rate).toBeCloseTo(matched / impostor, 10)
    expect(report.falseNonMatch!.rate).toBeCloseTo(missed / genuine, 10)
    expect(report.slices[0]!.atDoor.falseMatch).toEqual(report.falseMatch)
  })

  test('parts are measured among their own; one of three persons is left out', () => {
    expect(report.slices.map(({ dimension, value, name }) => [dimension, dimension === 'group' ? name : value])).toEqual([
      ['all', ''],
      ['group', 'Alpha'],
      ['group', 'Beta'],
      ['gender', '1'],
      ['gender', '2'],
      ['age', '30-44'],
      ['age', ''],
      ['kind', 'staff'],
    ])
    const women = people.filter((person) => person.gender === gender.female)
    const slice = report.slices.find(({ dimension, value }) => dimension === 'gender' && value === '2')!
    expect(slice).toMatchObject({ persons: women.length, photos: women.flatMap(({ faces }) => faces).length })
    for (const point of slice.curve) {
      const { genuine, missed, impostor, matched } = computed(women, point.distance)
      expect(slice).toMatchObject({ genuinePairs: genuine, impostorPairs: impostor })
      expect([point.falseMatch.rate, point.falseNonMatch!.rate]).toEqual([matched / impostor, missed / genuine])
    }
  })

  test('who comes closest is named, with the photographs', () => {
    const [nearest] = report.closest
    expect(new Set([nearest!.first.personName, nearest!.second.personName])).toEqual(new Set(['Made 21', 'Made 42']))
    expect(new Set([nearest!.first.faceId, nearest!.second.faceId])).toEqual(new Set([people[21]!.faces[0]!.id, people[42]!.faces[0]!.id]))
    expect(nearest!.distance).toBeCloseTo(0.001, 5)
    expect(nearest!.score).toBeGreaterThan(99)
    expect(nearest!.first.thumbnail).toContain('/files/')
    const expected = closeness(people).slice(0, 50)
    expect(expected).toHaveLength(50)
    expect(report.closest.map(({ distance }) => distance.toFixed(4))).toEqual(expected.map((distance) => distance.toFixed(4)))
    expect(report.closest.every(({ first, second }) => first.personId !== second.personId)).toBe(true)
  })

  test('names and pictures are kept from a caller who may not see persons', async () => {
    const client = await world.session({ roleSign: 'operator', permissions: ['device.setting'], park: site.park })
    const { closest } = await read(client, report.id)
    expect(closest).toHaveLength(50)
    expect(
      new Set(closest.flatMap(({ first, second }) => [first.personName, first.thumbnail, second.personName, second.thumbnail])),
    ).toEqual(new Set(['']))
  })

  test('a person deleted since has no name and no picture', async () => {
    await site.call(peopleCalls.delete, { query: { ids: [people[42]!.id] }, body: undefined })
    const { first, second } = (await read(site, report.id)).closest[0]!
    const [gone, there] = first.personId === people[42]!.id ? [first, second] : [second, first]
    expect(gone).toMatchObject({ personName: '', thumbnail: '' })
    expect(there.personName).toBe('Made 21')
  })

  test('a photograph set aside, and a person who is gone, are in no report', async () => {
    await site.call(faceCalls.setAside, { params: { id: people[20]!.faces[0]!.id }, body: { setAside: true } })
    await world.server.platform.events.settled()
    const later = await made(site)
    const left = people
      .filter((person) => person !== people[42])
      .map((person) => (person === people[20] ? { ...person, faces: person.faces.slice(1) } : person))
    const { genuine, impostor } = computed(left, 0)
    expect(later).toMatchObject({
      persons: 59,
      photos: left.flatMap(({ faces }) => faces).length,
      genuinePairs: genuine,
      impostorPairs: impostor,
    })
    expect(later.closest.flatMap(({ first, second }) => [first.faceId, second.faceId])).not.toContain(people[20]!.faces[0]!.id)
    const { content } = await site.call(faceReportCalls.list, { query: {} })
    expect(content.map(({ id }) => id)).toEqual([later.id, report.id])
    expect(content[1]).toMatchObject({ persons: 60, falseMatch: report.falseMatch, work: { state: 'done' } })
  })

  test('another park neither sees nor deletes it; it is deleted for good', async () => {
    const other = await world.addPark()
    const params = { id: report.id }
    for (const call of [faceReportCalls.read, faceReportCalls.delete])
      expect(await other.ask(call, { params })).toMatchObject({ status: 404 })
    expect(await other.ask(faceReportCalls.cancel, { params, body: {} })).toMatchObject({ status: 404 })
    expect((await other.call(faceReportCalls.list, { query: {} })).total).toBe(0)
    await site.call(faceReportCalls.delete, { params })
    expect(await site.ask(faceReportCalls.read, { params })).toMatchObject({ status: 404 })
  })
})

describe('making one', () => {
  test('of an empty park ends at once and says that nobody is there', async () => {
    const site = await world.addPark()
    expect(await made(site)).toMatchObject({
      persons: 0,
      photos: 0,
      genuinePairs: 0,
      impostorPairs: 0,
      falseMatch: null,
      falseNonMatch: null,
      slices: [],
      closest: [],
    })
  })

  test('of a single person has genuine pairs only', async () => {
    const site = await world.addPark()
    await seedPeople(
      world,
      site,
      madePeople(1, [(await site.personGroup()).id], () => 3),
    )
    const report = await made(site)
    expect(report).toMatchObject({ persons: 1, photos: 3, genuinePairs: 3, impostorPairs: 0, falseMatch: null, closest: [] })
    expect(report.slices).toMatchObject([{ dimension: 'all', equalErrorRate: null, atDoor: { falseMatch: { low: 0, high: 1 } } }])
  })

  test('refuses another one meanwhile; cancelled it has no figures, and there is room again', async () => {
    const site = await world.addPark()
    await seedPeople(
      world,
      site,
      madePeople(10, [(await site.personGroup()).id], () => 2),
    )
    const { release } = await blockReports()
    const id = await start(site)
    expect(await site.ask(faceReportCalls.start, { body: {} })).toMatchObject({ status: 409 })
    await nearlyDone(site, id)
    expect(await site.ask(faceReportCalls.start, { body: {} })).toMatchObject({ status: 409 })
    expect((await site.call(faceReportCalls.list, { query: {} })).content).toMatchObject([{ id, work: { state: 'running' } }])
    await site.call(faceReportCalls.cancel, { params: { id }, body: {} })
    expect((await read(site, id)).work.state).toBe('cancelled')
    await release()
    expect((await made(site)).persons).toBe(10)
    expect(await read(site, id)).toMatchObject({ work: { state: 'cancelled' }, persons: 0, slices: [] })
  })

  test('deleted in the middle it is gone, and there is room again', async () => {
    const site = await world.addPark()
    await seedPeople(
      world,
      site,
      madePeople(10, [(await site.personGroup()).id], () => 2),
    )
    const { release } = await blockReports()
    const id = await start(site)
    await nearlyDone(site, id)
    const deletion = site.call(faceReportCalls.delete, { params: { id } })
    await until('the work to be cancelled', async () => (await read(site, id)).work.state === 'cancelled')
    await release()
    await deletion
    expect((await made(site)).persons).toBe(10)
    expect((await site.call(faceReportCalls.list, { query: {} })).total).toBe(1)
  })

  test('starts over after the server was killed in the middle', { tags: 'extended' }, async () => {
    const site = await world.addPark()
    const people = madePeople(12, [(await site.personGroup()).id], () => 2)
    await seedPeople(world, site, people)
    const id = await world.interrupted(async () => {
      const server = await startServerProcess({
        connectionString: world.connectionString,
        dataDir: world.dataDir,
        log: join(world.dataDir, 'killed.log'),
      })
      const nobody = createClient(server.url)
      const client = nobody.as({ bearer: (await logIn(nobody, { ...ADMIN, areaCode: site.park.areaCode })).access_token })
      const { release } = await blockReports()
      const started = await start(client)
      await nearlyDone(client, started)
      await server.kill()
      await release()
      return started
    })
    const report = await ended(site, id)
    const { genuine, impostor } = computed(people, 0)
    expect(report.work).toMatchObject({ state: 'done', reason: null })
    expect(report).toMatchObject({ persons: 12, genuinePairs: genuine, impostorPairs: impostor })
    expect(report.closest).toHaveLength(closeness(people).length)
  })

  test('everything goes with the park', async () => {
    const site = await world.addPark()
    const { id } = await made(site)
    await world.server.platform.transaction((tx) => world.server.contexts.faces.erasePark!(tx, { parkId: site.park.id }))
    expect(await site.ask(faceReportCalls.read, { params: { id } })).toMatchObject({ status: 404 })
    expect((await site.call(faceReportCalls.list, { query: {} })).total).toBe(0)
  })
})

const photographs = openPhotographs()

describe.skipIf(photographs.kind !== 'real')('real photographs', () => {
  test('a dozen people with three photographs each are told apart', { tags: 'extended', timeout: 180_000 }, async () => {
    const site = await world.addPark()
    const chosen = photographs.people.filter(({ count }) => count >= 3).slice(0, 12)
    for (const { name, photo } of chosen) {
      const taken: string[] = []
      for (const number of [1, 2, 3]) {
        const answer = await site.ask(faceCalls.cache, { body: {}, file: await photo(number) })
        if (answer.code === 0) taken.push(answer.data.faceId)
      }
      await site.person({ name, facePhotos: taken })
    }
    await world.server.platform.events.settled()
    const report = await made(site)
    expect(report.persons).toBe(12)
    expect(report.photos).toBeGreaterThan(24)
    expect(report.slices[0]!.equalErrorRate).toBeLessThan(0.1)
    expect(report.falseMatch!.rate).toBeLessThan(0.02)
    expect(report.falseNonMatch!.rate).toBeLessThan(0.3)
    expect(report.falseNonMatch!.high).toBeGreaterThan(report.falseNonMatch!.rate)
    expect(report.closest.every(({ score, first, second }) => score >= 60 && first.personName !== '' && second.thumbnail !== '')).toBe(true)
  })
})
