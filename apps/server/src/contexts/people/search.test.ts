/** One-to-N search over HTTP, with photos of people where available: whom it finds, in which order, and for which users. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { monitorPrecision, resultOrder } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { scoreOfPrecision } from '@gatehouse/contract/faces/precision'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { searchCalls } from '@gatehouse/contract/people/search'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { startWorld, type MadePerson, type Site, type World } from '@gatehouse/dev-env/world'
import { sql } from '../../platform/database/database.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { FACE_TEMPLATE } from '../faces/schema.ts'

const MINUTE = 60_000
const photographs = openPhotographs()
const [ada, grace, stranger] = photographs.people as [
  (typeof photographs.people)[0],
  (typeof photographs.people)[0],
  (typeof photographs.people)[0],
]

let world: World
let now = Date.UTC(2026, 10, 21, 4)
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } })
})
afterAll(() => world?.stop())

const { oneToN } = searchCalls
const cached = async (site: Pick<Site, 'call'>, photo: Buffer) => (await site.call(faceCalls.cache, { body: {}, file: photo })).faceId

describe('among photographs of people', () => {
  let site: Site
  let persons: Record<'ada' | 'grace', MadePerson>
  let probe: string
  beforeAll(async () => {
    site = await world.addPark()
    persons = {
      ada: await site.person({ name: 'Ada', photo: await ada.photo(1) }),
      grace: await site.person({ name: 'Grace', photo: await grace.photo(1) }),
    }
    await world.settled()
    probe = await cached(site, await ada.photo(2))
  })

  test('the person of another photograph comes first, with what one needs to recognise him', async () => {
    const { hits, threshold, searched } = await site.call(oneToN, { body: { faceId: probe } })
    expect(hits[0]).toMatchObject({
      personId: persons.ada.id,
      name: 'Ada',
      workNumber: persons.ada.workNumber,
      kind: 'staff',
      status: 1,
      registeredAt: now,
    })
    expect(hits[0]!.score).toBeGreaterThanOrEqual(threshold)
    expect((await fetch(world.url + hits[0]!.thumbnail)).status).toBe(200)
    expect((await fetch(world.url + hits[0]!.url)).status).toBe(200)
    expect(searched).toBe(2)
  })

  test('a stranger is nobody where it is asked for strictly', async () => {
    const faceId = await cached(site, await stranger.photo(1))
    expect((await site.call(oneToN, { body: { faceId, precision: monitorPrecision.extremelyStrict } })).hits).toEqual([])
  })

  test("each preset asks for its own score, that of the model for a search in the middle, and 6 for one of one's own", async () => {
    const rate = world.server.contexts.faces.service.description.calibration.recommended.search
    for (const precision of [1, 2, 3, 4, 5] as const) {
      const { threshold, hits } = await site.call(oneToN, { body: { faceId: probe, precision } })
      expect(threshold).toBe(scoreOfPrecision(precision, rate, null))
      expect(hits.every(({ score }) => score >= threshold)).toBe(true)
    }
    const lowest = await site.call(oneToN, { body: { faceId: probe, precision: monitorPrecision.custom, custom: 1 } })
    expect(lowest.threshold).toBe(1)
    const highest = await site.call(oneToN, { body: { faceId: probe, precision: monitorPrecision.custom, custom: 100 } })
    // The end of the scale is one in a million: few of the person's photos are this similar, and no other person's.
    expect(highest.hits.filter(({ personId, score }) => personId !== persons.ada.id || score < 100)).toEqual([])
    expect(await site.ask(oneToN, { body: { faceId: probe, precision: monitorPrecision.custom } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'custom', rule: 'required' }] },
    })
    expect(await site.ask(oneToN, { body: { faceId: probe, precision: monitorPrecision.custom, custom: 101 } })).toMatchObject({
      status: 400,
    })
  })

  test('an unknown photograph, one that somebody has, and one of another park are refused alike', async () => {
    const elsewhere = await cached(await world.addPark(), await ada.photo(2))
    for (const faceId of [crypto.randomUUID(), persons.ada.faceIds[0]!, elsewhere])
      expect(await site.ask(oneToN, { body: { faceId } })).toMatchObject({
        status: 200,
        code: 200201,
        data: { fields: [{ path: 'faceId' }] },
      })
  })

  test('nobody of another park is found', async () => {
    const other = await world.addPark()
    const faceId = await cached(other, await ada.photo(2))
    expect(await other.call(oneToN, { body: { faceId } })).toMatchObject({ hits: [], searched: 0 })
  })

  test('names are masked for whom they are masked, and who found whom stands in the log of reads', async () => {
    const masked = await world.session({ park: site.park, masking: true })
    expect((await masked.call(oneToN, { body: { faceId: probe } })).hits[0]).toMatchObject({ name: 'A*a', personId: persons.ada.id })
    const { username } = await masked.call(identityCalls.profile, {})
    await world.server.platform.audit.settled()
    const { rows } = await sql<{
      subjects: string[]
    }>`SELECT subjects FROM read_log WHERE account = ${username} AND url = ${oneToN.url}`.execute(world.server.platform.db)
    expect(rows).toHaveLength(1)
    expect(rows[0]!.subjects).toContain(persons.ada.id)
  })

  test('the reason of a search stands in the log of reads, also where no person was found', async () => {
    const user = await world.session({ park: site.park })
    const strict = { precision: monitorPrecision.custom, custom: 100 } as const
    for (const [faceId, reason] of [
      [probe, 'A badge was found'],
      [await cached(site, await stranger.photo(1)), 'A person without a badge'],
    ] as const)
      await user.call(oneToN, { body: { faceId, reason, ...(faceId !== probe && strict) } })
    const { username } = await user.call(identityCalls.profile, {})
    await world.server.platform.audit.settled()
    const { rows } = await sql<{
      reason: string | null
    }>`SELECT reason FROM read_log WHERE account = ${username} AND url = ${oneToN.url}`.execute(world.server.platform.db)
    expect(rows.map(({ reason }) => reason).toSorted()).toEqual(['A badge was found', 'A person without a badge'])
    expect(await user.ask(oneToN, { body: { faceId: probe, reason: ' ' } })).toMatchObject({ status: 400 })
  })

  test('is refused without the permission', async () => {
    const guest = await world.session({ park: site.park, permissions: ['person', 'person.list'] })
    expect(await guest.ask(oneToN, { body: { faceId: probe } })).toMatchObject({ status: 403 })
  })
})

describe('of several registers', () => {
  let site: Site
  let probe: string
  const idOf: Record<string, string> = {}
  /** All of them look like Ada. */
  const WHO = [
    ['staff', 'staff'],
    ['customer', 'customer'],
    ['special', 'staff'],
    ['visitor', 'staff'],
  ] as const
  beforeAll(async () => {
    site = await world.addPark()
    for (const [at, [kind, registered]] of WHO.entries()) {
      now += MINUTE
      idOf[kind] = (await site.person({ name: kind, kind: registered, photo: await ada.photo(1 + at) })).id
    }
    for (const kind of ['special', 'visitor'])
      await sql`UPDATE person SET kind = ${kind} WHERE id = ${idOf[kind]}`.execute(world.server.platform.db)
    await world.settled()
    probe = await cached(site, await ada.photo(1))
  })
  const found = async (options: object = {}, by: Pick<Site, 'call'> = site) =>
    (await by.call(oneToN, { body: { faceId: probe, precision: monitorPrecision.custom, custom: 1, ...options } })).hits.map(
      ({ personId }) => personId,
    )

  test('the most alike first, or the first registered, or the last', async () => {
    const { hits } = await site.call(oneToN, { body: { faceId: probe, precision: monitorPrecision.custom, custom: 1 } })
    expect(hits.map(({ personId }) => personId).toSorted()).toEqual(Object.values(idOf).toSorted())
    expect(hits[0]!.personId).toBe(idOf['staff'])
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((one, other) => other - one))
    const inTime = WHO.map(([kind]) => idOf[kind])
    expect(await found({ order: resultOrder.oldestFirst })).toEqual(inTime)
    expect(await found({ order: resultOrder.newestFirst })).toEqual(inTime.toReversed())
  })

  test('only those that are asked for', async () => {
    expect(await found({ kinds: ['customer'] })).toEqual([idOf['customer']])
    expect((await found({ kinds: ['customer', 'special'] })).toSorted()).toEqual([idOf['customer'], idOf['special']].toSorted())
    expect(await found({ kinds: ['visitor'] })).toEqual([idOf['visitor']])
    expect(await site.ask(oneToN, { body: { faceId: probe, kinds: ['vehicle' as 'staff'] } })).toMatchObject({ status: 400 })
  })

  test('whom to look out for is not found by the role that must not see them', async () => {
    const other = await world.session({ park: site.park, roleSign: 'other' })
    expect((await found({}, other)).toSorted()).toEqual([idOf['staff'], idOf['customer'], idOf['visitor']].toSorted())
    expect(await found({ kinds: ['special'] }, other)).toEqual([])
  })

  test('visitors are found by those who may see visits', async () => {
    const receptionist = await world.session({ park: site.park, permissions: ['basic.person.search', 'visitor.report'] })
    const recordKeeper = await world.session({ park: site.park, permissions: ['basic.person.search', 'person.list'] })
    expect(await found({ kinds: ['visitor'] }, receptionist)).toEqual([idOf['visitor']])
    expect(await found({ kinds: ['visitor'] }, recordKeeper)).toEqual([])
    expect(await found({}, recordKeeper)).not.toContain(idOf['visitor'])
  })

  test('a person who is expired or disabled is found, and said to be', async () => {
    await site.call(peopleCalls.status, { body: { ids: [idOf['customer']!], status: 0 } })
    const { hits } = await site.call(oneToN, {
      body: { faceId: probe, kinds: ['customer'], precision: monitorPrecision.custom, custom: 1 },
    })
    expect(hits).toMatchObject([{ status: 0 }])
  })
})

test('ten, twenty or fifty at most, the nearest of them, however many of other registers stand before them', async () => {
  const site = await world.addPark()
  const staff = await site.person({ name: 'Model', photo: await ada.photo(1) })
  // All of them have a copy of the same template.
  await sql`WITH made AS (
      INSERT INTO person (id, park_id, group_id, kind, name, gender, face_count, created_at, updated_at)
      SELECT gen_random_uuid(), park_id, group_id, CASE WHEN number <= 50 THEN 'staff' ELSE 'customer' END, 'Copy ' || number, 3, 1,
      now(), now()
      FROM person, generate_series(1, 110) number WHERE person.id = ${staff.id} RETURNING id),
    faces AS (
      INSERT INTO face (id, park_id, person_id, position, file_id, quality, created_at)
      SELECT gen_random_uuid(), face.park_id, made.id, 0, face.file_id, face.quality, face.created_at FROM made, face
      WHERE face.person_id = ${staff.id} RETURNING id)
    SELECT count(*) FROM faces`.execute(world.server.platform.db)
  const { crypto, db } = world.server.platform
  const [original] = (
    await sql<{
      modelId: string
      template: Buffer
    }>`SELECT model_id AS "modelId", template FROM face_template WHERE face_id = ${staff.faceIds[0]}`.execute(db)
  ).rows
  const { modelId } = original!
  const template = await crypto.open(site.park.id, placeOf(FACE_TEMPLATE, staff.faceIds[0]!, modelId), original!.template)
  const { rows: faces } = await sql<{
    id: string
  }>`SELECT id FROM face WHERE park_id = ${site.park.id} AND id <> ${staff.faceIds[0]}`.execute(db)
  for (const { id } of faces)
    await sql`INSERT INTO face_template (face_id, park_id, model_id, template, made_at)
      VALUES (${id}, ${site.park.id}, ${modelId}, ${await crypto.seal(site.park.id, placeOf(FACE_TEMPLATE, id, modelId), template)},
      now())`.execute(db)
  await world.interrupted(async () => {})
  const faceId = await cached(site, await ada.photo(1))
  const count = async (options: object) => (await site.call(oneToN, { body: { faceId, ...options } })).hits.length
  expect(await count({})).toBe(10)
  expect(await count({ top: 20 })).toBe(20)
  expect(await count({ top: 50 })).toBe(50)
  expect(await count({ top: 50, kinds: ['customer'] })).toBe(50)
  expect(await count({ top: 50, kinds: ['special'] })).toBe(0)
  expect(await site.ask(oneToN, { body: { faceId, top: 11 as 10 } })).toMatchObject({ status: 400 })
})
