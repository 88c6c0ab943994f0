/** The search for a face among captures, the way of a face, the plan, and what the log of reads keeps of them. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { CAPTURES_PER_MESSAGE } from '@gatehouse/contract/device/numbered'
import { deviceType, resultOrder } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { scoreKept } from '@gatehouse/contract/faces/promise'
import { CAPTURE_DAYS } from '@gatehouse/contract/limits'
import { faceSearchCalls as calls } from '@gatehouse/contract/surveillance/face-search'
import { mapCalls } from '@gatehouse/contract/system/map'
import { uploadCalls } from '@gatehouse/contract/system/upload'
import { startWorld, type Made, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import { BUILTIN_DIMENSIONS, bytesOfEmbedding } from '@gatehouse/face-engine'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { runJob } from '../../../../../tests/support/jobs.ts'
import { until } from '../../../../../tests/support/until.ts'
import { newId, recordId } from '../../platform/database/ids.ts'
import { seedPeople } from '../faces/testing/people.ts'
import { passage, sentBy } from '../records/testing/records.ts'
import { captureTemplatesChanged } from './search-events.ts'
import { STEPS_MAX } from './search-track.ts'
import { sending } from './testing/cameras.ts'

type Query = InputOf<(typeof calls)['search']['body']>

const MINUTE = 60_000
const DAY = 86_400_000
const REASON = 'A wallet was lost in the hall'
let world: World
let ahead = 0
const now = () => world.clock.now()
beforeAll(async () => {
  // Room for two or three small days: what a search needs is read again and again.
  world = await startWorld({ clock: { now: () => Date.now() + ahead }, config: { captureSearchBytes: 900_000 } })
})
afterAll(() => world?.stop())

const random = randomOf('captures')
function direction(): Float32Array {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())
  return unit(Float32Array.from({ length: BUILTIN_DIMENSIONS }, normal))
}
function unit(numbers: Float32Array): Float32Array {
  const length = Math.hypot(...numbers)
  return numbers.map((number) => number / length)
}
/** Return a face at this raw score from another. */
function alike(face: Float32Array, score: number): Float32Array {
  const distance = world.server.contexts.faces.service.distanceOf(score)
  const other = direction()
  const along = face.reduce((sum, number, i) => sum + number * other[i]!, 0)
  const across = unit(other.map((number, i) => number - along * face[i]!))
  const angle = 2 * Math.asin(distance / 2)
  return face.map((number, i) => Math.cos(angle) * number + Math.sin(angle) * across[i]!)
}

const camera = (site: Site, more: object = {}) => site.device({ type: deviceType.captureCamera, model: 1, ...more })

interface Shot {
  at: number
  /** Null: the camera made no template. */
  face: Float32Array | null
}

let epochs = 0
/** Let a camera capture these faces; returns the ids of the captures, in their order. */
async function capture(device: MadeDevice, shots: readonly Shot[], modelId?: string): Promise<string[]> {
  const epoch = `epoch ${++epochs}`
  const from = sending(world, device, epoch)
  const sent = shots.map(({ at, face }) =>
    from.captured({
      enteredAt: at,
      capturedAt: at,
      leftAt: at,
      template: face === null ? null : Buffer.from(bytesOfEmbedding(face)).toString('base64'),
    }),
  )
  for (let start = 0; start < sent.length; start += CAPTURES_PER_MESSAGE) {
    const answer = await from.send(sent.slice(start, start + CAPTURES_PER_MESSAGE), modelId === undefined ? {} : { modelId })
    expect(answer).toMatchObject({ code: 0 })
  }
  await world.server.platform.events.settled()
  return sent.map(({ seq }) => recordId(device.id, epoch, seq))
}

const bodyOf = (probe: Pick<Query, 'faceId' | 'personId' | 'captureId'>, more: Partial<Query> = {}): Query => ({
  startTime: now() - 10 * DAY,
  endTime: now() + MINUTE,
  reason: REASON,
  ...probe,
  ...more,
})
const search = (site: Pick<Site, 'call'>, probe: Pick<Query, 'faceId' | 'personId' | 'captureId'>, more: Partial<Query> = {}) =>
  site.call(calls.search, { body: bodyOf(probe, more) })
const idsOf = ({ hits }: { hits: readonly { captureId: string }[] }) => hits.map(({ captureId }) => captureId)

/** Create a person with synthetic templates. */
async function personWith(site: Site, faces: readonly Float32Array[]): Promise<Made> {
  const group = await site.personGroup()
  const id = newId()
  await seedPeople(world, site, [
    {
      id,
      name: `Person ${id.slice(-4)}`,
      groupId: group.id,
      gender: 1,
      birthday: null,
      faces: faces.map((embedding) => ({ id: newId(), embedding })),
    },
  ])
  return { id, name: `Person ${id.slice(-4)}` }
}

describe('a search among captures', () => {
  test('finds the captures of a face over several days, most alike first or by time, and says what was compared', async () => {
    const site = await world.addPark()
    const [front, back] = [await camera(site), await camera(site)]
    const face = direction()
    const at = now() - 9 * DAY
    const strangers = Array.from({ length: 30 }, (_, i) => ({ at: at + i * 6 * 60 * MINUTE, face: direction() }))
    await capture(front, strangers)
    const [first, second, third] = await capture(front, [
      { at: at + MINUTE, face: alike(face, 92) },
      { at: at + 3 * DAY + MINUTE, face: alike(face, 98) },
      { at: at + 6 * DAY + MINUTE, face: alike(face, 95) },
    ])
    await capture(back, [{ at: at + DAY, face: null }])
    await capture(back, [{ at: at + 2 * DAY, face: direction() }], 'another model')
    const [probe] = await capture(back, [{ at: at + 8 * DAY, face }])
    const found = await search(site, { captureId: probe! })
    expect(idsOf(found)).toEqual([probe, second, third, first])
    expect(found).toMatchObject({ searched: 34, notComparable: 2 })
    expect(found.hits.map(({ searchScore }) => Math.round(searchScore))).toEqual([100, 98, 95, 92])
    expect(found.hits[1]).toMatchObject({ deviceId: front.id, deviceName: front.name, personId: null, matchType: null })
    // The park's promise, for as many faces as are compared.
    const { description } = world.server.contexts.faces.service
    expect(found.threshold).toBe(scoreKept('search', 1, { templates: 34 }, description.calibration.recommended.search))
    for (const [order, expected] of [
      [resultOrder.oldestFirst, [first, second, third, probe]],
      [resultOrder.newestFirst, [probe, third, second, first]],
    ] as const)
      expect(idsOf(await search(site, { captureId: probe! }, { order }))).toEqual(expected)
    expect(idsOf(await search(site, { captureId: probe! }, { minScore: 97 }))).toEqual([probe, second])
    expect(idsOf(await search(site, { captureId: probe! }, { deviceIds: [back.id] }))).toEqual([probe])
    const third1 = { startTime: at + 3 * DAY + MINUTE, endTime: at + 6 * DAY + MINUTE - 1 }
    expect(idsOf(await search(site, { captureId: probe! }, third1))).toEqual([second])
    // Another park has none of it.
    const other = await world.addPark()
    expect(await other.ask(calls.search, { body: bodyOf({ captureId: probe! }) })).toMatchObject({ code: 500015 })
  })

  test('[BEH-187] answers the top 10, 20 or 50 exactly as a comparison with every capture does', async () => {
    const site = await world.addPark()
    const device = await camera(site)
    const at = now() - 4 * DAY
    const face = direction()
    const shots = Array.from({ length: 150 }, (_, i) => ({ at: at + i * 30 * MINUTE, face: alike(face, random.between(5, 99)) }))
    const ids = await capture(device, shots)
    const person = await personWith(site, [face])
    const squared = (other: Float32Array) => other.reduce((sum, number, i) => sum + (face[i]! - number) ** 2, 0)
    const nearest = shots.map((shot, i) => ({ id: ids[i]!, squared: squared(shot.face) })).toSorted((a, b) => a.squared - b.squared)
    for (const top of [10, 20, 50] as const)
      expect(idsOf(await search(site, { personId: person.id }, { top, minScore: 0 }))).toEqual(nearest.slice(0, top).map(({ id }) => id))
    expect(await site.ask(calls.search, { body: bodyOf({ personId: person.id }, { top: 11 as never }) })).toMatchObject({ status: 400 })
  })

  test('compares with all photographs of a person, and with an uploaded one', async () => {
    const site = await world.addPark()
    const device = await camera(site)
    const [left, right] = [direction(), direction()]
    const person = await personWith(site, [left, right])
    const [one, other] = await capture(device, [
      { at: now() - 2 * MINUTE, face: alike(left, 95) },
      { at: now() - MINUTE, face: alike(right, 96) },
    ])
    expect(idsOf(await search(site, { personId: person.id }))).toEqual([other, one])
    const upload = await world.photographs.people[0]!.photo(1)
    const { faceId } = await site.call(faceCalls.cache, { body: {}, file: upload })
    const { embedding } = await world.server.contexts.faces.service.probe(upload)
    const [third] = await capture(device, [{ at: now() - 3 * MINUTE, face: embedding }])
    expect(idsOf(await search(site, { faceId }))).toEqual([third])
  })

  test('finds what was captured since, and nothing that was deleted', async () => {
    const site = await world.addPark()
    const device = await camera(site)
    const face = direction()
    const person = await personWith(site, [face])
    const [first] = await capture(device, [{ at: now() - 3 * MINUTE, face: alike(face, 95) }])
    expect(idsOf(await search(site, { personId: person.id }))).toEqual([first])
    const [second] = await capture(device, [{ at: now() - 2 * MINUTE, face: alike(face, 97) }])
    expect(idsOf(await search(site, { personId: person.id }))).toEqual([second, first])
    await query(world.connectionString, 'DELETE FROM capture WHERE id = $1', [second])
    // Before memory hears of it, too.
    expect(idsOf(await search(site, { personId: person.id }))).toEqual([first])
  })

  test('of identified captures leaves out those that no task identified', async () => {
    const site = await world.addPark()
    const device = await camera(site)
    const face = direction()
    const person = await personWith(site, [face])
    const ids = await capture(device, [
      { at: now() - 3 * MINUTE, face: alike(face, 99) },
      { at: now() - 2 * MINUTE, face: alike(face, 95) },
    ])
    await query(
      world.connectionString,
      `INSERT INTO capture_match (id, capture_id, park_id, captured_at, device_id, task_id, task_name, person_id, person_name, group_id,
        group_name, score) SELECT $1, id, park_id, captured_at, device_id, $1, 'Task', $2, 'Ada', $1, 'Guests', 95
        FROM capture WHERE id = $3`,
      [newId(), person.id, ids[1]],
    )
    const found = await search(site, { personId: person.id }, { identifiedOnly: true })
    expect(idsOf(found)).toEqual([ids[1]])
    expect(found.hits[0]).toMatchObject({ personId: person.id, personName: 'Ada', score: 95 })
    expect(idsOf(await search(site, { personId: person.id }))).toEqual(ids)
  })

  test('of identified captures are the nearest of all, however many others are nearer', async () => {
    const site = await world.addPark()
    const device = await camera(site)
    const face = direction()
    const person = await personWith(site, [face])
    const at = now() - 3 * DAY
    await capture(
      device,
      Array.from({ length: 40 }, (_, i) => ({ at: at + i * 60 * MINUTE, face: alike(face, 99) })),
    )
    const scores = [20, 60, 5, 40, 30, 10, 50, 15, 25, 35, 45, 55]
    const ids = await capture(
      device,
      scores.map((score, i) => ({ at: at + i * 5 * 60 * MINUTE, face: alike(face, score) })),
    )
    await query(
      world.connectionString,
      `INSERT INTO capture_match (id, capture_id, park_id, captured_at, device_id, task_id, task_name, person_id, person_name, group_id,
        group_name, score) SELECT gen_random_uuid(), id, park_id, captured_at, device_id, id, 'Task', $1, 'Ada', id, 'Guests', 95
        FROM capture WHERE id = ANY ($2::uuid[])`,
      [person.id, ids],
    )
    const found = await search(site, { personId: person.id }, { identifiedOnly: true, minScore: 0 })
    const expected = ids.map((id, i) => ({ id, score: scores[i]! })).toSorted((a, b) => b.score - a.score)
    expect(idsOf(found)).toEqual(expected.slice(0, 10).map(({ id }) => id))
    expect(found.searched).toBe(52)
  })

  test('knows how many captures there are of any window and device, also after some were deleted and counts merged', async () => {
    const site = await world.addPark()
    const devices = [await camera(site), await camera(site)]
    const [hour, start] = [60 * MINUTE, Math.floor((now() - 6 * DAY) / DAY) * DAY]
    const moments = [0, 1, hour - 1, hour, hour + 1, 5 * hour - 1, 5 * hour, 23 * hour, DAY - 1, DAY, 2 * DAY + 90 * MINUTE, 4 * DAY]
    const made: { id: string; at: number; deviceId: string; comparable: boolean }[] = []
    for (const device of devices)
      for (const [kind, model] of [
        ['own', undefined],
        ['other', 'another model'],
        ['none', undefined],
      ] as const) {
        const shots = moments.map((moment) => ({ at: start + moment, face: kind === 'none' ? null : direction() }))
        const ids = await capture(device, shots, model)
        made.push(...ids.map((id, i) => ({ id, at: shots[i]!.at, deviceId: device.id, comparable: kind === 'own' })))
      }
    // A camera's clock is set right by some milliseconds; here they must be exact.
    await query(
      world.connectionString,
      `UPDATE capture SET captured_at = to_timestamp(sent.at / 1000.0) FROM unnest($1::uuid[], $2::bigint[]) AS sent (id, at)
       WHERE capture.id = sent.id`,
      [made.map(({ id }) => id), made.map(({ at }) => at)],
    )
    const person = await personWith(site, [direction()])
    const edges = [...moments, 30 * MINUTE, 26 * hour].toSorted((a, b) => a - b).map((moment) => start + moment)
    const windows = edges.flatMap((from, i) => edges.slice(i + 1).map((to) => ({ startTime: from, endTime: to })))
    const check = async () => {
      for (const [i, { startTime, endTime }] of windows.entries()) {
        if (i % 5 > 0) continue
        const deviceIds = i % 2 === 0 ? undefined : [devices[0]!.id]
        const within = made.filter(({ at, deviceId }) => at >= startTime && at <= endTime && deviceIds?.includes(deviceId) !== false)
        const comparable = within.filter((one) => one.comparable).length
        const found = await search(site, { personId: person.id }, { startTime, endTime, deviceIds })
        expect([startTime, endTime, found.searched, found.notComparable]).toEqual([
          startTime,
          endTime,
          comparable,
          within.length - comparable,
        ])
      }
    }
    await check()
    const gone = made
      .splice(4, 1)
      .concat(made.splice(20, 2))
      .map(({ id }) => id)
    await query(world.connectionString, 'DELETE FROM capture WHERE id = ANY ($1::uuid[])', [gone])
    const { platform } = world.server
    await platform.transaction((tx) =>
      platform.events.announce(tx, captureTemplatesChanged, site.park.id, { captureIds: null, days: null }),
    )
    await platform.events.settled()
    await check()
    await runJob(world, 'surveillance.dropCaptures')
    await until('the counts to be merged', async () => {
      const several = 'SELECT 1 AS one FROM capture_count WHERE park_id = $1 GROUP BY hour, device_id, model_id HAVING count(*) > 1 LIMIT 1'
      return (await query(world.connectionString, several, [site.park.id])).length === 0
    })
    await check()
  })

  test('needs one face, a reason and a window that ends after it begins and is no longer than a year', async () => {
    const site = await world.addPark()
    const person = await personWith(site, [direction()])
    const ask = (body: Query) => site.ask(calls.search, { body })
    expect(await ask(bodyOf({}))).toMatchObject({ status: 400, data: { fields: [{ path: 'faceId', rule: 'required' }] } })
    expect(await ask(bodyOf({ personId: person.id, captureId: newId() }))).toMatchObject({ status: 400 })
    expect(await ask({ ...bodyOf({ personId: person.id }), reason: ' ' })).toMatchObject({ status: 400 })
    const refused = { status: 200, code: 900007, data: { fields: [{ path: 'endTime' }] } }
    expect(await ask(bodyOf({ personId: person.id }, { startTime: 5, endTime: 5 }))).toMatchObject(refused)
    expect(await ask(bodyOf({ personId: person.id }, { startTime: now() - 367 * DAY }))).toMatchObject(refused)
    const far = { startTime: 8_639_999_999_999_999, endTime: 8_640_000_000_000_000 }
    expect(await ask(bodyOf({ personId: person.id }, far))).toMatchObject({ code: 0, data: { hits: [] } })
    expect(await ask(bodyOf({ personId: newId() }))).toMatchObject({ status: 404 })
    expect(await ask(bodyOf({ faceId: newId() }))).toMatchObject({ status: 404 })
    expect(await ask(bodyOf({ captureId: newId() }))).toMatchObject({ code: 500015, data: { fields: [{ path: 'captureId' }] } })
    const { id } = await site.person()
    expect(await ask(bodyOf({ personId: id }))).toMatchObject({ code: 500015, data: { fields: [{ path: 'personId' }] } })
    expect(await search(site, { personId: person.id })).toEqual({
      hits: [],
      searched: 0,
      notComparable: 0,
      threshold: expect.any(Number) as number,
    })
  })
})

describe('who sees what', () => {
  test('of devices beyond a limit no capture is found, compared or a probe', async () => {
    const site = await world.addPark()
    const group = await site.deviceGroup()
    const [mine, others] = [await camera(site, { groupId: group.id }), await camera(site)]
    const face = direction()
    const [seen] = await capture(mine, [{ at: now() - 2 * MINUTE, face: alike(face, 95) }])
    const [unseen] = await capture(others, [{ at: now() - MINUTE, face: alike(face, 99) }])
    const limited = await world.session({ park: site.park, roleSign: 'other', permissions: ['trail.search'], deviceGroupIds: [group.id] })
    const found = await search(limited, { captureId: seen! }, { minScore: 0 })
    expect(idsOf(found)).toEqual([seen])
    expect(found.searched).toBe(1)
    expect(await limited.ask(calls.search, { body: bodyOf({ captureId: unseen! }) })).toMatchObject({ code: 500015 })
    expect(await search(limited, { captureId: seen! }, { minScore: 0, deviceIds: [others.id] })).toMatchObject({ hits: [], searched: 0 })
  })

  test('a person of the watch list is no probe, and names no capture, for those who do not see the list', async () => {
    const site = await world.addPark()
    const face = direction()
    const person = await personWith(site, [face])
    await query(world.connectionString, `UPDATE person SET kind = 'special' WHERE id = $1`, [person.id])
    const device = await camera(site)
    const [id] = await capture(device, [{ at: now() - MINUTE, face: alike(face, 95) }])
    await query(
      world.connectionString,
      `INSERT INTO capture_match (id, capture_id, park_id, captured_at, device_id, task_id, task_name, person_id, person_name, group_id,
        group_name, score) SELECT $1, id, park_id, captured_at, device_id, $1, 'Task', $2, 'Wanted', $1, 'Watch list', 95
        FROM capture WHERE id = $3`,
      [newId(), person.id, id],
    )
    const guest = await world.session({ park: site.park, roleSign: 'other', permissions: ['trail.search'] })
    expect(await guest.ask(calls.search, { body: bodyOf({ personId: person.id }) })).toMatchObject({ status: 404 })
    expect(await guest.ask(calls.track, { body: bodyOf({ personId: person.id }) })).toMatchObject({ status: 404 })
    const found = await search(guest, { captureId: id! })
    expect(found.hits).toEqual([expect.objectContaining({ captureId: id, personId: null, personName: '' })])
    expect(idsOf(await search(guest, { captureId: id! }, { identifiedOnly: true }))).toEqual([])
    expect((await guest.call(calls.track, { body: bodyOf({ captureId: id! }) })).person).toBeNull()
    expect((await search(site, { captureId: id! })).hits[0]).toMatchObject({ personId: person.id, personName: 'Wanted' })
  })

  test('the log of reads keeps who searched for whom and why, also where nobody was found', async () => {
    const site = await world.addPark()
    const person = await personWith(site, [direction()])
    const guard = await world.session({ park: site.park, permissions: ['trail.search'] })
    await search(guard, { personId: person.id })
    await guard.call(calls.track, { body: bodyOf({ personId: person.id }, { reason: 'Where was she?' }) })
    const reads = () => site.call(auditCalls.reads, { query: { subject: person.id } })
    const { content } = await until('both reads', async () => ((await reads()).content.length === 2 ? reads() : null))
    expect(content.map(({ url, reason }) => [url, reason]).toSorted()).toEqual(
      [
        [calls.search.url, REASON],
        [calls.track.url, 'Where was she?'],
      ].toSorted(),
    )
    expect(content[0]!.subjects[0]).toEqual(person)
    // An erasure takes the reasons, which may describe the person.
    const { platform } = world.server
    await platform.transaction((tx) => platform.audit.forget(tx, 'person', [person.id]))
    expect((await reads()).content.map(({ reason }) => reason)).toEqual([null, null])
  })

  test('the log shows a reason to nobody for whom a subject does not exist', async () => {
    const site = await world.addPark()
    const face = direction()
    const person = await personWith(site, [face])
    await query(world.connectionString, `UPDATE person SET kind = 'special' WHERE id = $1`, [person.id])
    await search(site, { personId: person.id })
    await until('the read', async () => (await site.call(auditCalls.reads, { query: { subject: person.id } })).total === 1)
    const guest = await world.session({ park: site.park, roleSign: 'other', permissions: ['system.log'] })
    expect(JSON.stringify(await guest.call(auditCalls.reads, { query: {} }))).not.toContain(REASON)
  })
})

describe('the way of a face', () => {
  test('goes over cameras and doors in the order of time', async () => {
    const site = await world.addPark()
    const [hall, yard] = [await camera(site, { name: 'Hall' }), await camera(site, { name: 'Yard' })]
    const door = await site.device({ name: 'Door' })
    const face = direction()
    const person = await personWith(site, [face])
    const at = now() - DAY
    const [h1] = await capture(hall, [
      { at, face: alike(face, 99) },
      { at: at + 20_000, face: alike(face, 95) },
      { at: at + 5 * MINUTE, face: direction() },
    ])
    const [y1] = await capture(yard, [{ at: at + 10 * MINUTE, face: alike(face, 93) }])
    await world.server.contexts.records.ingest(
      { deviceId: door.id, parkId: site.park.id },
      sentBy([passage(1, { personId: person.id, personName: person.name, occurredAt: at + 2 * MINUTE })], { sentAt: now() }),
    )
    const way = await site.call(calls.track, { body: bodyOf({ personId: person.id }) })
    expect(way.person).toEqual(person)
    expect(way).toMatchObject({ more: false, searched: 4, notComparable: 0 })
    expect(way.steps.map(({ kind, deviceName, count, time, until: last }) => [kind, deviceName, count, last - time])).toEqual([
      ['capture', 'Hall', 2, expect.any(Number)],
      ['passage', 'Door', 1, 0],
      ['capture', 'Yard', 1, 0],
    ])
    expect(way.steps.map(({ id }) => id)).toEqual([h1, expect.any(String), y1])
    expect(way.steps[0]!.until - way.steps[0]!.time).toBe(20_000)
    // Without a person there are captures alone, and devices narrow both.
    const [probe] = await capture(hall, [{ at: now() - MINUTE, face }])
    const anonymous = await site.call(calls.track, { body: bodyOf({ captureId: probe! }) })
    expect([anonymous.person, anonymous.steps.map(({ kind }) => kind)]).toEqual([null, ['capture', 'capture', 'capture']])
    const atDoor = await site.call(calls.track, { body: bodyOf({ personId: person.id }, { deviceIds: [door.id] }) })
    expect(atDoor.steps.map(({ kind }) => kind)).toEqual(['passage'])
    const masked = await world.session({ park: site.park, masking: true })
    expect((await masked.call(calls.track, { body: bodyOf({ personId: person.id }) })).person!.name).not.toBe(person.name)
  })
})

test('a way of more steps than an answer has ends with its newest, without a hole, and says so', async () => {
  const site = await world.addPark()
  const [hall, door] = [await camera(site), await site.device()]
  const face = direction()
  const person = await personWith(site, [face])
  const start = now() - DAY
  const passages = Array.from({ length: STEPS_MAX + 50 }, (_, i) =>
    passage(i + 1, { personId: person.id, personName: person.name, occurredAt: start + i * 1000 }),
  )
  for (let i = 0; i < passages.length; i += 100)
    await world.server.contexts.records.ingest(
      { deviceId: door.id, parkId: site.park.id },
      sentBy(passages.slice(i, i + 100), { sentAt: now() }),
    )
  const last = start + passages.length * 1000
  const [, within, newest] = await capture(hall, [
    { at: start + 500, face: alike(face, 95) },
    { at: last - 1_000_500, face: alike(face, 95) },
    { at: last + MINUTE, face: alike(face, 95) },
  ])
  const way = await site.call(calls.track, { body: bodyOf({ personId: person.id }) })
  expect([way.more, way.steps.length, way.steps.at(-1)!.id]).toEqual([true, STEPS_MAX, newest])
  expect(way.steps.filter(({ kind }) => kind === 'capture').map(({ id }) => id)).toEqual([within, newest])
  const passed = way.steps.filter(({ kind }) => kind === 'passage').map(({ time }) => time)
  expect(passed).toEqual(Array.from({ length: STEPS_MAX - 2 }, (_, i) => last - (STEPS_MAX - 2 - i) * 1000))
  const short = await site.call(calls.track, { body: bodyOf({ personId: person.id }, { startTime: last - 100_000 }) })
  expect([short.more, short.steps.length]).toEqual([false, 101])
})

describe('the plan', () => {
  test('shows devices where they were placed, until they are taken away or deleted', async () => {
    const site = await world.addPark()
    const [hall, yard, door] = [await camera(site), await camera(site), await site.device()]
    expect(await site.call(calls.positions, {})).toEqual({ picture: '', pictureMetres: null, devices: [], version: 0 })
    const place = (devices: InputOf<(typeof calls)['savePositions']['body']>['devices']) => ({ body: { devices } })
    const save = (devices: Parameters<typeof place>[0]) => site.call(calls.savePositions, place(devices))
    await save([
      { deviceId: hall.id, x: 0.25, y: 0.5 },
      { deviceId: yard.id, x: 0, y: 1 },
    ])
    const placed = async () => (await site.call(calls.positions, {})).devices.map(({ deviceName, x, y }) => [deviceName, x, y])
    const expectPlaced = async (expected: unknown[]) => expect((await placed()).toSorted()).toEqual(expected.toSorted())
    await expectPlaced([
      [hall.name, 0.25, 0.5],
      [yard.name, 0, 1],
    ])
    expect(
      await save([
        { deviceId: yard.id, x: null, y: null },
        { deviceId: door.id, x: 0.5, y: 0.5 },
        { deviceId: hall.id, x: 0.75, y: 0.5 },
      ]),
    ).toEqual({ version: 2 })
    await expectPlaced([
      [hall.name, 0.75, 0.5],
      [door.name, 0.5, 0.5],
    ])
    const file = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'white' } })
      .png()
      .toBuffer()
    const { url } = await site.call(uploadCalls.uploadImage, { body: { use: 'background' }, file })
    await site.call(mapCalls.change, { body: { picture: url, pictureMetres: 120 } })
    const plan = await site.call(calls.positions, {})
    expect(plan).toMatchObject({ pictureMetres: 120, version: 2 })
    expect((await fetch(world.url + plan.picture)).status).toBe(200)
    await site.call(deviceCalls.delete, { query: { ids: [door.id] } })
    await world.server.platform.events.settled()
    await expectPlaced([[hall.name, 0.75, 0.5]])

    const ask = (devices: Parameters<typeof place>[0]) => site.ask(calls.savePositions, place(devices))
    expect(await ask([{ deviceId: hall.id, x: 0.5, y: null }])).toMatchObject({ status: 400, data: { fields: [{ path: 'devices.0.y' }] } })
    expect(await ask([{ deviceId: hall.id, x: 1.5, y: 0 }])).toMatchObject({ status: 400 })
    const twice = { deviceId: hall.id, x: 0.1, y: 0.1 }
    expect(await ask([twice, twice])).toMatchObject({ status: 400, data: { fields: [{ path: 'devices.1.deviceId' }] } })
    expect(await ask([{ deviceId: (await camera(await world.addPark())).id, x: 0.1, y: 0.1 }])).toMatchObject({ status: 404 })
    const { content } = await site.call(auditCalls.operations, { query: { subject: hall.name } })
    expect(content.some(({ url: written }) => written === calls.savePositions.url)).toBe(true)
  })
})

test('the plan shows, and lets move, only devices that the user may see; others keep their places', async () => {
  const site = await world.addPark()
  const group = await site.deviceGroup()
  const [mine, others] = [await camera(site, { groupId: group.id }), await camera(site)]
  await site.call(calls.savePositions, { body: { devices: [mine, others].map(({ id }) => ({ deviceId: id, x: 0.5, y: 0.5 })) } })
  const limited = await world.session({
    park: site.park,
    roleSign: 'other',
    permissions: ['trail.search', 'surveillance.rule'],
    deviceGroupIds: [group.id],
  })
  expect((await limited.call(calls.positions, {})).devices.map(({ deviceId }) => deviceId)).toEqual([mine.id])
  expect(await limited.ask(calls.savePositions, { body: { devices: [{ deviceId: others.id, x: null, y: null }] } })).toMatchObject({
    status: 404,
  })
  await limited.call(calls.savePositions, { body: { devices: [{ deviceId: mine.id, x: 0.25, y: 0.5 }] } })
  const { devices, version } = await site.call(calls.positions, {})
  expect(version).toBe(2)
  expect(new Map(devices.map(({ deviceId, x }) => [deviceId, x]))).toEqual(
    new Map([
      [mine.id, 0.25],
      [others.id, 0.5],
    ]),
  )
})

test('captures that are kept no longer leave memory too', async () => {
  const site = await world.addPark()
  const device = await camera(site)
  const face = direction()
  const person = await personWith(site, [face])
  await capture(device, [{ at: now() - MINUTE, face: alike(face, 95) }])
  expect((await search(site, { personId: person.id })).searched).toBe(1)
  ahead = (CAPTURE_DAYS + 1) * DAY
  const window = { startTime: now() - (CAPTURE_DAYS + 10) * DAY, endTime: now() }
  await runJob(world, 'surveillance.dropCaptures')
  const later = await world.session({ park: site.park })
  await until('the captures to be gone', async () => (await search(later, { personId: person.id }, window)).searched === 0)
  expect(await search(later, { personId: person.id }, window)).toMatchObject({ hits: [], notComparable: 0 })
})

test('a day of which captures are kept no longer is read again, without them, after one event for many', async () => {
  ahead = 0
  const site = await world.addPark()
  const device = await camera(site)
  const face = direction()
  const person = await personWith(site, [face])
  const at = Math.floor(now() / DAY) * DAY - 12 * 60 * MINUTE
  const ids = await capture(
    device,
    Array.from({ length: 90 }, (_, i) => ({ at: at + i, face: alike(face, 95) })),
  )
  expect((await search(site, { personId: person.id })).searched).toBe(90)
  await query(world.connectionString, `UPDATE capture SET received_at = to_timestamp(0) WHERE id = ANY ($1::uuid[])`, [ids.slice(0, 85)])
  const eventsOf = async () =>
    (
      await query<{ count: string }>(
        world.connectionString,
        `SELECT count(*)::text AS count FROM outbox WHERE name = $1 AND park_id = $2`,
        [captureTemplatesChanged.name, site.park.id],
      )
    )[0]!.count
  const before = Number(await eventsOf())
  await runJob(world, 'surveillance.dropCaptures')
  await until('the old ones to be gone', async () => {
    const left = 'SELECT 1 AS one FROM capture WHERE id = ANY ($1::uuid[])'
    return (await query(world.connectionString, left, [ids])).length === 5
  })
  await world.server.platform.events.settled()
  expect(Number(await eventsOf()) - before).toBe(1)
  expect((await search(site, { personId: person.id })).searched).toBe(5)
})
