/** The replay of a task: it counts what captures really raise, for who may see it, and only what they may see. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { faceAlarmCalls } from '@gatehouse/contract/alarms/face-alarms'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { alarmHandlingStatus, deviceType } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { replayCalls as calls } from '@gatehouse/contract/surveillance/replay'
import { replayAlarms, summaryOfReplay, type ComparedCapture, type ReplaySettings } from '@gatehouse/contract/surveillance/replay-rules'
import { recordedScore } from '@gatehouse/contract/score'
import type { Client } from '@gatehouse/dev-env/client'
import { ALWAYS_OPEN } from '@gatehouse/dev-env/site'
import { startWorld, type Made, type Site, type World } from '@gatehouse/dev-env/world'
import { BUILTIN_DIMENSIONS, bytesOfEmbedding } from '@gatehouse/face-engine'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { until } from '../../../../../tests/support/until.ts'
import { newId } from '../../platform/database/ids.ts'
import { seedPeople } from '../faces/testing/people.ts'
import { camera, captures, sending, task, templateOf } from './testing/cameras.ts'

type Body = InputOf<(typeof calls)['compare']['body']>

const SECOND = 1000
/** What a replay requires. */
const PLANNING = ['surveillance.rule', 'surveillance.data', 'trail.search']
const DAY = 86_400_000
/** The latest moment that there is. */
const LATEST = 8_640_000_000_000_000
let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const random = randomOf('replay')
const unit = (numbers: Float32Array): Float32Array => {
  const length = Math.hypot(...numbers)
  return numbers.map((number) => number / length)
}
const direction = (): Float32Array =>
  unit(
    Float32Array.from(
      { length: BUILTIN_DIMENSIONS },
      () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next()),
    ),
  )
/** Return a face at about this raw score from another. */
function alike(face: Float32Array, score: number): Float32Array {
  const other = direction()
  const along = face.reduce((sum, number, i) => sum + number * other[i]!, 0)
  const across = unit(other.map((number, i) => number - along * face[i]!))
  const angle = 2 * Math.asin(world.server.contexts.faces.service.distanceOf(score) / 2)
  return face.map((number, i) => Math.cos(angle) * number + Math.sin(angle) * across[i]!)
}
const sent = (face: Float32Array) => Buffer.from(bytesOfEmbedding(face)).toString('base64')

/** Create persons of a group with one synthetic face each. */
async function personsIn(site: Site, group: Made, faces: readonly Float32Array[]): Promise<string[]> {
  const people = faces.map((embedding, at) => ({
    id: newId(),
    name: `Person ${at}`,
    groupId: group.id,
    gender: 1,
    birthday: null,
    faces: [{ id: newId(), embedding }],
  }))
  await seedPeople(world, site, people)
  await world.server.platform.events.settled()
  return people.map(({ id }) => id)
}

const bodyOf = (devices: readonly Made[], groups: readonly { id: string }[], more: Partial<Body> = {}): Body => ({
  deviceIds: devices.map(({ id }) => id),
  personGroupIds: groups.map(({ id }) => id),
  periods: ALWAYS_OPEN,
  ...more,
})
/** Return all parts of a replay together. */
async function compared(client: Pick<Client, 'call'>, body: Body) {
  const first = await client.call(calls.compare, { body })
  const { startTime, endTime } = first
  const [rows, persons] = [[...first.captures], [...first.persons]]
  for (let { next } = first; next !== undefined;) {
    const part = await client.call(calls.compare, { body: { ...body, startTime, endTime, after: next } })
    rows.push(...part.captures)
    persons.push(...part.persons)
    next = part.next
  }
  return { ...first, captures: rows as ComparedCapture[], persons }
}

const SETTINGS: ReplaySettings = { threshold: 75, lowThreshold: 82, highThreshold: 92, strangerAlarm: false, repeatSeconds: 60 }

/** Return a park with two cameras, and a group of three persons. */
async function place() {
  const site = await world.addPark()
  const [devices, group] = [[await camera(site), await camera(site)], await site.personGroup()]
  const faces = Array.from({ length: 3 }, direction)
  return { site, devices, group, faces, personIds: await personsIn(site, group, faces) }
}

describe('a replay', () => {
  test.each<[string, Partial<ReplaySettings>, 'task' | 'person']>([
    ['as tasks usually are', {}, 'person'],
    ['strictly, with strangers', { threshold: 88, strangerAlarm: true, repeatSeconds: 120 }, 'task'],
    ['each time', { threshold: 65, repeatSeconds: 0, lowThreshold: 70 }, 'person'],
  ])('raises the alarms that the same captures really raised: %s', async (_, settings, compareRule) => {
    const { site, devices, group, faces, personIds } = await place()
    const chosen = { ...SETTINGS, ...settings }
    const { threshold, lowThreshold, highThreshold, strangerAlarm, repeatSeconds } = chosen
    await site.call(faceCalls.setThreshold, { params: { id: personIds[0]! }, body: { threshold: 90, loosens: false } })
    await task(world, site, {
      devices,
      groups: [group],
      similarityThreshold: threshold,
      compareRule,
      lowThreshold,
      highThreshold,
      strangerAlarm,
      repeatSeconds,
    })
    await world.server.platform.events.settled()
    const cameras = devices.map((device) => sending(world, device))
    const from = world.clock.now() - 3 * 3600 * SECOND
    let at = from
    for (let round = 0; round < 12; round++) {
      const batch = Array.from({ length: 5 }, () => {
        at += Math.round(random.between(1, 100)) * SECOND
        const face = random.next() < 0.25 ? direction() : alike(faces[Math.floor(random.next() * 3)]!, random.between(60, 98))
        return { capturedAt: at, enteredAt: at, leftAt: at, template: sent(face) }
      })
      const one = cameras[round % 2]!
      expect(await one.send(batch.map((capture) => one.captured(capture)))).toMatchObject({ code: 0 })
    }
    const { content, total } = await site.call(faceAlarmCalls.list, { body: { size: 100 } })
    expect(total).toBe(content.length)
    const found = await compared(site, bodyOf(devices, [group], { compareRule }))
    expect(found).toMatchObject({ total: 60, comparable: 60, looked: 60, emptyDeviceIds: [] })
    const alarms = replayAlarms(found.captures, chosen)
    expect(alarms.length).toBeGreaterThan(5)
    const inOrder = (rows: readonly unknown[][]) => rows.map(String).toSorted()
    expect(
      inOrder(alarms.map((one) => [one.capture.id, one.capture.deviceId, one.personId, one.level, one.captures, one.lastTime])),
    ).toEqual(inOrder(content.map((one) => [one.captureId, one.deviceId, one.personId, one.level, one.captures, one.lastCaptureTime])))
    // The settings as they are: what really was raised is all there is.
    expect(summaryOfReplay(alarms)).toMatchObject({ alarms: content.length, wereRaised: content.length, wereFalse: 0 })
  })

  test('compares photographs, names who was found, and how the alarms were handled there were', async () => {
    const { photographs } = world
    const [one, two] =
      photographs.kind === 'real' ? ['colin_powell', 'hu_jintao'].map((identity) => photographs.person(identity)) : photographs.people
    const site = await world.addPark()
    const group = await site.personGroup()
    const person = await site.person({ groupId: group.id, photo: await one!.photo(1) })
    const gate = await site.deviceGroup()
    const devices = [await site.device({ type: deviceType.captureCamera, model: 1, groupId: gate.id })]
    await task(world, site, { devices, groups: [group], similarityThreshold: 60, repeatSeconds: 0 })
    await world.server.platform.events.settled()
    const from = sending(world, devices[0]!)
    const shot = async (photo: Buffer, secondsAgo: number) => {
      const capturedAt = world.clock.now() - secondsAgo * SECOND
      await from.send([from.captured({ capturedAt, template: await templateOf(world, photo) })])
    }
    await shot(await one!.photo(2), 40)
    await shot(await two!.photo(1), 20)
    const [alarm] = (await site.call(faceAlarmCalls.list, { body: {} })).content
    await site.call(faceAlarmCalls.handle, { body: { id: alarm!.id, status: alarmHandlingStatus.misinformation } })
    const found = await compared(site, bodyOf(devices, [group]))
    expect(found.persons).toEqual([{ id: person.id, name: person.name }])
    expect(found.promised).toEqual(expect.any(Number))
    const alarms = replayAlarms(found.captures, { ...SETTINGS, threshold: 60, repeatSeconds: 0 })
    expect(alarms).toMatchObject([{ personId: person.id, wasRaised: true, wasFalse: true }])
    expect(recordedScore(alarms[0]!.score!)).toBe(alarm!.score)
    // The pictures are those of the captures that the list shows.
    expect(await captures(site, { captureIds: [alarm!.captureId] })).toMatchObject([{ captureId: alarm!.captureId }])
    // What became of alarms is not shown to who may not see them.
    const planner = await world.session({ park: site.park, permissions: PLANNING })
    expect((await compared(planner, bodyOf(devices, [group]))).captures.map(({ alarmStatus }) => alarmStatus)).toEqual([null, null])
    expect(await captures(planner, { captureIds: [alarm!.captureId] })).toMatchObject([{ personId: person.id, alarmId: null }])
    // Nor are those of devices beyond the limits of the role that shows alarms.
    const elsewhere = await site.deviceGroup()
    const alarmsAt = (deviceGroupIds: string[]) => ({ permissions: ['surveillance.alert'], deviceGroupIds })
    const away = await world.session({ park: site.park, permissions: PLANNING, furtherRoles: [alarmsAt([elsewhere.id])] })
    expect((await compared(away, bodyOf(devices, [group]))).captures.map(({ alarmStatus }) => alarmStatus)).toEqual([null, null])
    expect(await captures(away, { captureIds: [alarm!.captureId] })).toMatchObject([{ personId: person.id, alarmId: null }])
    const there = await world.session({ park: site.park, permissions: PLANNING, furtherRoles: [alarmsAt([gate.id])] })
    const { misinformation } = alarmHandlingStatus
    expect((await compared(there, bodyOf(devices, [group]))).captures.map(({ alarmStatus }) => alarmStatus)).toEqual([misinformation, null])
    expect(await captures(there, { captureIds: [alarm!.captureId] })).toMatchObject([{ personId: person.id, alarmId: alarm!.id }])
    const reads = () => site.call(auditCalls.reads, { query: { subject: person.id } })
    await until('the read', async () => (await reads()).content.some(({ url }) => url === calls.compare.url))
  })

  test('answers in parts, with each capture once, and leaves out what is outside the hours or cannot be compared', async () => {
    const { site, devices, group } = await place()
    const [device, idle] = devices
    const start = world.clock.now() - 2 * DAY
    // More than one part; as the camera would have sent them, without the time that takes.
    await query(
      world.connectionString,
      `INSERT INTO capture (id, park_id, device_id, device_name, device_type, entered_at, captured_at, left_at, received_at, quality,
          face_width, model_id, template)
        SELECT gen_random_uuid(), $1, $2, 'Camera', 1, at, at, at, at, 1, 100, CASE WHEN i % 10 = 0 THEN 'another' ELSE $3 END, '\\x00'
        FROM (SELECT i, to_timestamp($4::float8 / 1000 + i / 3) AS at FROM generate_series(1, 6000) AS i) AS made`,
      [site.park.id, device!.id, world.server.contexts.faces.service.modelId, start],
    )
    const weekdayOf = (moment: number) => ((new Date(moment).getUTCDay() + 6) % 7) + 1
    // Four days after they were captured, which is two days from now.
    const periods = [{ weekday: ((weekdayOf(start) + 3) % 7) + 1, start: '00:00', end: '24:00' }]
    const first = await site.call(calls.compare, { body: bodyOf(devices, [group], { periods }) })
    expect(first).toMatchObject({ total: 6000, comparable: 5400, emptyDeviceIds: [idle!.id], looked: 5000 })
    const rest = { startTime: first.startTime, endTime: first.endTime, after: first.next! }
    const second = await site.call(calls.compare, { body: bodyOf(devices, [group], { periods, ...rest }) })
    expect(second.looked).toBe(400)
    expect(second.next).toBeUndefined()
    // Both were looked at on another day than those of the task.
    expect([...first.captures, ...second.captures]).toEqual([])
    const from = sending(world, device!)
    await from.send([from.captured({ template: sent(direction()) })])
    const today = { startTime: world.clock.now() - 3600 * SECOND }
    const [found] = (await compared(site, bodyOf(devices, [group], today))).captures
    expect(found).toMatchObject({ personId: expect.any(String), score: expect.any(Number) })
    expect(await compared(site, bodyOf(devices, [group], { ...today, periods }))).toMatchObject({ captures: [], looked: 1 })
  })

  test('knows nobody of the watch list, and no promise, for who may not see it', async () => {
    const site = await world.addPark()
    const [watched, group] = [await site.call(specialCalls.createGroup, { body: { name: 'Burglars' } }), await site.personGroup()]
    const face = direction()
    const [personId] = await personsIn(site, watched as Made, [face])
    await query(world.connectionString, `UPDATE person SET kind = 'special' WHERE id = $1`, [personId])
    const devices = [await camera(site)]
    const from = sending(world, devices[0]!)
    await from.send([from.captured({ template: sent(alike(face, 95)) })])
    const both = bodyOf(devices, [watched, group])
    expect((await compared(site, both)).captures).toMatchObject([{ personId }])
    const guest = await world.session({ park: site.park, roleSign: 'other', permissions: PLANNING })
    expect(await guest.ask(calls.compare, { body: both })).toMatchObject({ code: 500011 })
    const seen = await compared(guest, bodyOf(devices, [group]))
    expect(seen).toMatchObject({ captures: [{ personId: null, score: null }], persons: [], promised: null })
    // A person of the watch list who is in a group that this caller sees does not exist for them either.
    await query(world.connectionString, 'UPDATE person SET group_id = $2 WHERE id = $1', [personId, group.id])
    expect(await compared(guest, bodyOf(devices, [group]))).toMatchObject({ captures: [{ personId: null }], persons: [] })
  })

  test('masks names, and does not exist for devices that the caller does not see', async () => {
    const { site, devices, group, faces, personIds } = await place()
    const from = sending(world, devices[0]!)
    await from.send([from.captured({ template: sent(alike(faces[0]!, 95)) })])
    const masked = await world.session({ park: site.park, masking: true })
    const { persons } = await compared(masked, bodyOf(devices, [group]))
    expect(persons).toMatchObject([{ id: personIds[0] }])
    expect(persons[0]!.name).not.toBe('Person 0')
    const other = await world.addPark()
    expect(await other.ask(calls.compare, { body: bodyOf(devices, [await other.personGroup()]) })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'deviceIds', rule: 'unknown' }] },
    })
    // It tells what lists of captures and a face search tell.
    for (const missing of PLANNING) {
      const limited = await world.session({ park: site.park, permissions: PLANNING.filter((code) => code !== missing) })
      expect(await limited.ask(calls.compare, { body: bodyOf(devices, [group]) }), missing).toMatchObject({ status: 403 })
    }
  })

  test('refuses a window that is none, and what no task may be', async () => {
    const site = await world.addPark()
    const [devices, group] = [[await camera(site)], await site.personGroup()]
    const now = world.clock.now()
    const ask = (more: Partial<Body>) => site.ask(calls.compare, { body: bodyOf(devices, [group], more) })
    expect(await ask({ startTime: now, endTime: now })).toMatchObject({ code: 900007 })
    expect(await ask({ startTime: now - 31 * DAY - 1, endTime: now })).toMatchObject({ code: 900007 })
    expect(await ask({ startTime: now - 31 * DAY, endTime: now })).toMatchObject({ code: 0 })
    // Later than now nothing was captured, however far the window goes.
    expect(await ask({ endTime: LATEST })).toMatchObject({ code: 0, data: { captures: [] } })
    expect(await ask({ deviceIds: [] })).toMatchObject({ code: 500006 })
    expect(await ask({ personGroupIds: [] })).toMatchObject({ code: 500007 })
    expect(await ask({ periods: [] })).toMatchObject({ code: 500008 })
    expect(await ask({ after: 'elsewhere' })).toMatchObject({ status: 400 })
    const terminal = await site.device()
    expect(await ask({ deviceIds: [terminal.id] })).toMatchObject({ status: 400, data: { fields: [{ rule: 'captureCamera' }] } })
  })

  test('that is cancelled leaves its place to others', async () => {
    const { site, devices, group, faces } = await place()
    const from = sending(world, devices[0]!)
    await from.send([from.captured({ template: sent(alike(faces[0]!, 95)) })])
    const body = bodyOf(devices, [group])
    for (let time = 0; time < 8; time++) await Promise.allSettled([site.call(calls.compare, { body }, AbortSignal.timeout(time))])
    expect((await compared(site, body)).captures).toHaveLength(1)
  })
})
