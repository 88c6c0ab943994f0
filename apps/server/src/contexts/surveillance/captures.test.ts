/** Faces that cameras capture: stored once, compared with whom tasks look out for, listed, exported, and kept no longer than they may. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { alarmMatchType, deviceType, resultOrder } from '@gatehouse/contract/enums'
import { exportCalls } from '@gatehouse/contract/exports/calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { areaCalls } from '@gatehouse/contract/organisation/areas'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { captureCalls } from '@gatehouse/contract/surveillance/captures'
import { monitoringTaskCalls } from '@gatehouse/contract/surveillance/tasks'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { runJob } from '../../../../../tests/support/jobs.ts'
import { until } from '../../../../../tests/support/until.ts'
import { fetchExport, isAt, partsOfZip } from '../exports/testing/exports.ts'
import { camera, captures, identified, sending, task, templateOf } from './testing/cameras.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const { matched, unmatched } = alarmMatchType

let world: World
let ahead = 0
/** A person on file and before cameras, and two others. */
let onFile: Buffer
let atCamera: Buffer
let other: Buffer
let otherAtCamera: Buffer
let stranger: Buffer
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + ahead } })
  const { photographs } = world
  const isReal = photographs.kind === 'real'
  if (!isReal) console.log('Captures are tried with drawn people: the photographs of real ones are not there.')
  const [one, two, three] = isReal
    ? ['colin_powell', 'hu_jintao', 'george_w_bush'].map((identity) => photographs.person(identity))
    : photographs.people
  ;[onFile, atCamera, other, otherAtCamera, stranger] = await Promise.all([
    one!.photo(1),
    one!.photo(2),
    two!.photo(1),
    two!.photo(2),
    three!.photo(1),
  ])
})
afterAll(() => world?.stop())

/** Return a picture that shows both. */
async function together(left: Buffer, right: Buffer): Promise<Buffer> {
  const [one, two] = await Promise.all(
    [left, right].map((picture) => sharp(picture).resize({ height: 400 }).png().toBuffer({ resolveWithObject: true })),
  )
  const width = one!.info.width + two!.info.width
  return sharp({ create: { width, height: 400, channels: 3, background: 'grey' } })
    .composite([
      { input: one!.data, left: 0, top: 0 },
      { input: two!.data, left: one!.info.width, top: 0 },
    ])
    .jpeg({ quality: 95 })
    .toBuffer()
}
const flat = (): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 320, channels: 3, background: 'grey' } })
    .jpeg()
    .toBuffer()
const count = async (table: string, park: Site): Promise<number> =>
  Number(
    (await query<{ count: string }>(world.connectionString, `SELECT count(*) FROM ${table} WHERE park_id = $1`, [park.park.id]))[0]!.count,
  )

/** Create a park with a person in a group, and a task that looks out for the group at a camera. */
async function place(fields: { compareRule?: 'task' | 'person' } = {}) {
  const park = await world.addPark()
  const group = await park.personGroup()
  const person = await park.person({ groupId: group.id, photo: onFile })
  const device = await camera(park)
  const taskId = await task(world, park, { devices: [device], groups: [group], similarityThreshold: 60, ...fields })
  await world.server.platform.events.settled()
  return { park, group, person, device, taskId, from: sending(world, device) }
}

describe('a camera that sends pictures', () => {
  test('of two people makes a capture of each, and the one looked out for is identified', async () => {
    const { park, group, person, device, taskId, from } = await place()
    const before = world.clock.now()
    expect(await from.post(await together(atCamera, stranger), { eventId: 'first' })).toMatchObject({ code: 0, data: { captures: 2 } })
    const rows = await identified(park)
    expect(rows.map(({ matchType, personId }) => [matchType, personId])).toEqual(
      expect.arrayContaining([
        [matched, person.id],
        [unmatched, null],
      ]),
    )
    const hit = rows.find(({ personId }) => personId === person.id)!
    expect(hit).toMatchObject({
      personName: person.name,
      groupName: group.name,
      taskId,
      deviceId: device.id,
      deviceName: device.name,
      deviceType: deviceType.captureCamera,
      score: expect.any(Number),
      hitFaceImage: expect.stringMatching(/^\/files\//),
    })
    expect(hit.score).toBeGreaterThanOrEqual(60)
    expect(hit.captureTime).toBeGreaterThanOrEqual(before)
    for (const { captureFaceImage, captureThumbnail } of rows)
      for (const address of [captureFaceImage, captureThumbnail]) expect((await fetch(world.url + address)).status).toBe(200)

    // The camera heard no answer, and sends the event again.
    expect(await from.post(await together(atCamera, stranger), { eventId: 'first' })).toMatchObject({ data: { captures: 2 } })
    expect(await identified(park)).toHaveLength(2)
    expect(await from.post(await flat())).toMatchObject({ data: { captures: 0 } })
    expect(await from.post(Buffer.from('no picture at all'))).toMatchObject({ code: 200205 })
  })

  test('of a moment that is not over yet has captured it now', async () => {
    const { park, from } = await place()
    await from.post(stranger, { occurredAt: world.clock.now() + DAY })
    await from.post(stranger, { occurredAt: world.clock.now() - MINUTE })
    const times = (await captures(park)).map(({ captureTime }) => captureTime)
    expect(times).toHaveLength(2)
    expect(Math.max(...times)).toBeLessThanOrEqual(world.clock.now())
    expect(Math.abs(times[1]! - (world.clock.now() - MINUTE))).toBeLessThan(MINUTE / 2)
  })
})

describe('a camera that numbers what it captures', () => {
  test('is heard once, whatever it repeats after a cut, with its clock set right', async () => {
    const { park, person, from } = await place()
    const [mine, others] = await Promise.all([templateOf(world, atCamera), templateOf(world, stranger)])
    const behind = 60 * MINUTE
    const at = world.clock.now() - behind - 5_000
    const first = [
      from.captured({ template: mine, capturedAt: at, enteredAt: at - 1_000, leftAt: at + 1_000 }),
      from.captured({ template: others }),
    ]
    expect(await from.send([first[0]!], { sentAt: world.clock.now() - behind })).toMatchObject({ code: 0, data: { ackSeq: 1 } })
    // What comes again is stored already; what comes before it was sent for the first time waits for what is missing.
    const [third, fourth] = [from.captured({ template: others }), from.captured({ template: others })]
    expect(await from.send([fourth])).toMatchObject({ data: { ackSeq: 1 } })
    const both = await Promise.all([from.send([...first, third]), from.send([...first, third])])
    expect(both.map(({ data }) => data)).toEqual([{ ackSeq: 3 }, { ackSeq: 3 }])
    expect(await from.send([])).toMatchObject({ data: { ackSeq: 3 } })
    expect(await from.send([fourth])).toMatchObject({ data: { ackSeq: 4 } })
    const rows = await captures(park)
    expect(rows).toHaveLength(4)
    const [hit] = rows.filter(({ personId }) => personId === person.id)
    expect(Math.abs(hit!.captureTime - (world.clock.now() - 5_000))).toBeLessThan(MINUTE / 2)
    expect(hit!.captureTime - hit!.enteredAt).toBe(1_000)
    expect(hit).toMatchObject({ matchType: matched, captureFaceImage: '' })

    expect(await from.picture(1, atCamera)).toMatchObject({ status: 200, code: 0 })
    expect(await from.picture(1, stranger)).toMatchObject({ status: 200, code: 0 })
    expect((await identified(park, { personId: person.id }))[0]!.captureFaceImage).not.toBe('')
    expect(await from.picture(9, atCamera)).toMatchObject({ status: 404 })
    expect(await from.picture(2, Buffer.from('no picture'))).toMatchObject({ code: 200205 })
  })

  test('is heard once after a year too, when the epochs that others have replaced are let go of', async () => {
    const { park, device, from } = await place()
    const later = sending(world, device, 'boot-2')
    const [first, second] = [from.captured(), from.captured()]
    const newest = later.captured()
    expect(await from.send([first, second])).toMatchObject({ data: { ackSeq: 2 } })
    expect(await later.send([newest])).toMatchObject({ data: { ackSeq: 1 } })
    const job = world.server.contexts.devices.jobs!.find(({ name }) => name === 'devices.endEpochs')!
    const epochs = async () =>
      (
        await query<{ epoch: string }>(world.connectionString, 'SELECT epoch FROM device_numbered WHERE device_id = $1 ORDER BY epoch', [
          device.id,
        ])
      ).map(({ epoch }) => epoch)
    const age = (days: number) =>
      query(world.connectionString, `UPDATE device_numbered SET updated_at = updated_at - interval '${days} days' WHERE device_id = $1`, [
        device.id,
      ])
    await age(200)
    // The device still has some of the old epoch, and asks how far the server has it.
    expect(await from.send([])).toMatchObject({ data: { ackSeq: 2 } })
    expect(await later.send([])).toMatchObject({ data: { ackSeq: 1 } })
    await age(200)
    expect(await job.run()).toMatchObject({ outcome: 'success', counts: { epochsEnded: 0 } })
    await age(200)
    expect(await job.run()).toMatchObject({ outcome: 'success', counts: { epochsEnded: 1 } })
    expect(await epochs()).toEqual(['boot-2'])

    // What the newest repeats is stored already, and it goes on.
    expect(await later.send([newest, later.captured()])).toMatchObject({ data: { ackSeq: 2 } })
    // Somebody sets the device back to a backup of the first epoch: what it repeats is stored already, too.
    expect(await from.send([first, second])).toMatchObject({ data: { ackSeq: 2 } })
    expect(await captures(park)).toHaveLength(4)
  })

  test('without a template, or with one of another model, is compared once its picture is there', async () => {
    const { park, person, from } = await place()
    await from.send([from.captured({ hasPicture: true })])
    await from.send([from.captured({ hasPicture: true, template: Buffer.alloc(2048).toString('base64') })], { modelId: 'another' })
    await from.send([from.captured({ hasPicture: true, template: Buffer.from('short').toString('base64') })])
    expect((await captures(park)).map(({ matchType }) => matchType)).toEqual([null, null, null])
    expect(await identified(park)).toEqual([])
    await from.picture(1, atCamera)
    await from.picture(2, stranger)
    await from.picture(3, await flat())
    const rows = (await captures(park, { order: resultOrder.oldestFirst })).map(({ matchType, personId }) => [matchType, personId])
    expect(rows).toEqual(
      expect.arrayContaining([
        [matched, person.id],
        [unmatched, null],
        [null, null],
      ]),
    )
  })

  test('and others at the same moment are stored each once, also beside one whose message is refused', async () => {
    const { park, group, person, from } = await place()
    const mine = await templateOf(world, atCamera)
    const devices = await Promise.all(Array.from({ length: 4 }, () => camera(park)))
    await task(world, park, { devices, groups: [group], similarityThreshold: 60 })
    await world.server.platform.events.settled()
    const cameras = [from, ...devices.map((device) => sending(world, device))]
    const door = sending(world, await park.device())
    const unreadable = sending(world, await camera(park), 'boot\u0000')
    const answers = await Promise.all([
      ...cameras.flatMap((one) => [one.send([one.captured({ template: mine })]), one.send([])]),
      door.send([door.captured()]),
      unreadable.send([unreadable.captured()]),
    ])
    expect(answers.slice(0, -2).every(({ status, code }) => status === 200 && code === 0)).toBe(true)
    expect(answers.slice(-2).map(({ status }) => status)).toEqual([404, 400])
    expect((await Promise.all(cameras.map((one) => one.send([])))).map(({ data }) => data)).toEqual(cameras.map(() => ({ ackSeq: 1 })))
    const rows = await identified(park, { personId: person.id })
    expect(new Set(rows.map(({ deviceId }) => deviceId)).size).toBe(cameras.length)
    expect(rows).toHaveLength(cameras.length)
    expect(await captures(park)).toHaveLength(cameras.length)
  })

  test('is a camera: to other devices, and with pictures of other cameras, the calls answer 404', async () => {
    const { park, from } = await place()
    await from.send([from.captured()])
    const door = sending(world, await park.device())
    const another = sending(world, await camera(park))
    expect(await door.send([door.captured()])).toMatchObject({ status: 404 })
    expect(await door.post(stranger)).toMatchObject({ status: 404 })
    expect(await door.picture(1, stranger)).toMatchObject({ status: 404 })
    expect(await another.picture(1, stranger)).toMatchObject({ status: 404 })
  })
})

describe('matching', () => {
  test('finds for each task the nearest of its own groups, and shows the best of them', async () => {
    const { park, group, person, device, taskId, from } = await place()
    const another = await park.personGroup()
    const twin = await park.person({ groupId: another.id, photo: atCamera })
    const twinTask = await task(world, park, { devices: [device], groups: [another], similarityThreshold: 60 })
    const elsewhere = await task(world, park, { devices: [await camera(park)], groups: [group] })
    await world.server.platform.events.settled()
    await from.post(atCamera)
    const rows = await identified(park)
    expect(new Map(rows.map((row) => [row.taskId, row.personId]))).toEqual(
      new Map([
        [taskId, person.id],
        [twinTask, twin.id],
      ]),
    )
    expect(rows.some((row) => row.taskId === elsewhere)).toBe(false)
    // One row for the capture: a nearer match is not shown behind a farther one.
    const [row, ...more] = await captures(park)
    expect(more).toEqual([])
    expect(row!.score).toBe(Math.max(...rows.map(({ score }) => score!)))
    expect(await captures(park, { taskId })).toMatchObject([{ personId: person.id, taskId }])
    expect(await captures(park, { taskId: elsewhere })).toEqual([])
  })

  test('heeds a person’s own threshold where the task does, and only where it is higher', async () => {
    const { park, person, taskId, from } = await place({ compareRule: 'task' })
    const found = async () => {
      await world.server.platform.events.settled()
      await from.post(atCamera)
      return (await identified(park))[0]!
    }
    const own = (threshold: number) => park.call(faceCalls.setThreshold, { params: { id: person.id }, body: { threshold, loosens: true } })
    await own(140)
    expect(await found()).toMatchObject({ personId: person.id })
    await park.call(monitoringTaskCalls.updateConfig, { body: { id: taskId, compareRule: 'person' } })
    expect(await found()).toMatchObject({ personId: null, matchType: unmatched })
    await own(1)
    expect(await found()).toMatchObject({ personId: person.id })
    await park.call(monitoringTaskCalls.updateConfig, { body: { id: taskId, similarityThreshold: 100 } })
    const { personId, score } = await found()
    expect(personId === null || score === 100).toBe(true)
  })

  test('follows people into groups and out of them, and looks out for disabled people too', async () => {
    const { park, group, person, from } = await place()
    const late = await park.person({ groupId: group.id, photo: other })
    await world.server.platform.events.settled()
    await from.post(otherAtCamera)
    expect((await identified(park)).map(({ personId }) => personId)).toEqual([late.id])
    await park.call(peopleCalls.status, { body: { ids: [late.id], status: 0 } })
    await park.call(peopleCalls.move, { body: { ids: [person.id], groupId: (await park.personGroup()).id } })
    await world.server.platform.events.settled()
    await from.post(atCamera)
    await from.post(otherAtCamera)
    const rows = await identified(park, { order: resultOrder.oldestFirst })
    expect(rows.map(({ personId }) => personId)).toEqual([late.id, null, late.id])
  })
})

describe('the lists', () => {
  test('are filtered, ordered and paged', async () => {
    const { park, group, person, device, from } = await place()
    const second = await camera(park)
    const at = sending(world, second)
    const start = world.clock.now() - 10 * MINUTE
    for (let index = 0; index < 3; index++) await from.post(index === 1 ? atCamera : stranger, { occurredAt: start + index * MINUTE })
    await at.post(stranger, { occurredAt: start + 3 * MINUTE })
    const devicesOf = async (body: object) => (await captures(park, body)).map(({ deviceId }) => deviceId)
    expect(await devicesOf({})).toEqual([second.id, device.id, device.id, device.id])
    expect(await devicesOf({ order: resultOrder.oldestFirst })).toEqual([device.id, device.id, device.id, second.id])
    expect(await devicesOf({ deviceIds: [second.id] })).toEqual([second.id])
    expect((await captures(park, { order: resultOrder.similarity }))[0]).toMatchObject({ personId: person.id })
    for (const body of [
      { personId: person.id },
      { personName: person.name.toUpperCase() },
      { personGroupId: group.id },
      { minScore: 50 },
      { matchType: matched },
    ]) {
      expect(await captures(park, body)).toMatchObject([{ personId: person.id }])
      expect(await identified(park, body)).toMatchObject([{ personId: person.id }])
      expect((await park.call(captureCalls.find, { body })).total).toBe(1)
    }
    expect(await captures(park, { matchType: unmatched })).toHaveLength(2)
    expect(await identified(park, { matchType: unmatched })).toHaveLength(2)
    expect(await captures(park, { personName: '%' })).toEqual([])
    expect(await captures(park, { endTime: start + MINUTE, startTime: start })).toHaveLength(2)

    const pages: string[] = []
    for (let after: string | undefined, turn = 0; turn < 5; turn++) {
      const page = await park.call(captureCalls.find, {
        body: { size: 2, order: resultOrder.oldestFirst, ...(after !== undefined && { after }) },
      })
      expect(page).toMatchObject({ total: 4, totalExact: true })
      pages.push(...page.content.map(({ id }) => id))
      after = page.next
      if (after === undefined) break
    }
    expect(pages).toEqual((await captures(park, { order: resultOrder.oldestFirst })).map(({ id }) => id))
    expect(await park.ask(captureCalls.find, { body: { startTime: 0, endTime: 367 * DAY } })).toMatchObject({ code: 900007 })
    expect(await park.ask(captureCalls.find, { body: { startTime: 2, endTime: 1 } })).toMatchObject({ code: 900007 })
    expect(await park.ask(captureCalls.find, { body: { after: 'x' } })).toMatchObject({ status: 400 })
    expect(await park.ask(captureCalls.find, { body: { after: `1_${person.id}`, order: resultOrder.similarity } })).toMatchObject({
      status: 400,
    })
  })

  test('show who is on the watch list only to those who may see it; to others they passed like anybody', async () => {
    const { park, device, from } = await place()
    const { id: groupId } = await park.call(specialCalls.createGroup, { body: { name: 'Burglars' } })
    const watched = await park.person({ name: 'James Moriarty', kind: 'special', groupId, photo: other })
    const taskId = await task(world, park, { devices: [device], groups: [{ id: groupId }], similarityThreshold: 60, strangerAlarm: true })
    await world.server.platform.events.settled()
    await from.post(otherAtCamera)
    const [sighted, limited] = await Promise.all(['parkAdmin', 'other'].map((roleSign) => world.session({ park: park.park, roleSign })))
    expect(await identified(sighted!, { taskId })).toMatchObject([{ personId: watched.id, alarmId: expect.any(String) }])
    expect(await captures(sighted!)).toMatchObject([{ personId: watched.id }])
    const nobody = { personId: null, personName: '', groupName: '', score: null, matchType: unmatched, hitFaceImage: '', alarmId: null }
    expect(await identified(limited!, { taskId })).toMatchObject([nobody])
    expect(await captures(limited!)).toMatchObject([nobody])
    for (const body of [
      { personId: watched.id },
      { personName: 'Moriarty' },
      { personGroupId: groupId },
      { minScore: 1 },
      { matchType: matched },
    ])
      for (const list of ['captured', 'identified'] as const)
        expect(await limited!.call(captureCalls.find, { body: { ...body, list } })).toMatchObject({ total: 0, content: [] })
    expect(await captures(limited!, { matchType: unmatched })).toHaveLength(1)
    expect(JSON.stringify(await identified(limited!))).not.toContain(watched.id)
  })

  test('[CALL-219] are exported with the pictures', async () => {
    const { park, person, from } = await place()
    await from.post(atCamera)
    await from.post(stranger)
    const { id } = await park.call(captureCalls.export, { body: { list: 'identified', format: 'zip' } })
    await isAt(park, id, 'exported')
    const parts = await partsOfZip(Buffer.from(await (await fetchExport(park.client, id)).arrayBuffer()))
    expect([...parts.keys()].filter((name) => /\.(webp|jpe?g)$/.test(name))).toHaveLength(2)
    const csv = await park.call(captureCalls.export, { body: { list: 'identified', matchType: matched, format: 'csv' } })
    await isAt(park, csv.id, 'exported')
    const text = await (await fetchExport(park.client, csv.id)).text()
    expect(text).toContain(person.name)
    expect(text.trim().split('\n')).toHaveLength(2)
    expect((await park.call(exportCalls.list, { query: {} })).content.map(({ kind }) => kind)).toEqual(['controlRecord', 'controlRecord'])
  })
})

describe('what is kept no longer', () => {
  test('is what shows a person who is erased, or deleted', async () => {
    const { park, person, group, from } = await place()
    const second = await park.person({ groupId: group.id, photo: other })
    await world.server.platform.events.settled()
    for (const picture of [atCamera, stranger, otherAtCamera]) await from.post(picture)
    const files = () => count('file', park)
    const before = await files()
    const { erasureIds } = await park.call(privacyCalls.erase, { body: { personIds: [person.id], reason: 'Asked for' } })
    const receipt = await until('the receipt to be complete', async () => {
      const read = await park.call(privacyCalls.read, { params: { id: erasureIds[0]! } })
      return read.places.some(({ state }) => state === 'pending') ? null : read
    })
    expect(receipt.places.find(({ place: name }) => name === 'surveillance')).toMatchObject({ count: 1, state: 'done' })
    expect(await identified(park)).toHaveLength(2)
    expect(await files()).toBeLessThan(before)
    await park.call(peopleCalls.delete, { query: { ids: [second.id] } })
    await until('the captures of a deleted person to be deleted', async () => ((await count('capture', park)) === 1 ? true : null))
    expect(await identified(park)).toMatchObject([{ personId: null }])
  })

  test('is what is older than thirty days, and all of a park that is removed', async () => {
    const { park, device, from } = await place()
    await from.post(atCamera)
    try {
      ahead = 31 * DAY
      await from.send([from.captured({ template: await templateOf(world, stranger) })])
      await runJob(world, 'surveillance.dropCaptures')
      await until('the old capture to be deleted', async () => ((await count('capture', park)) === 1 ? true : null))
      await until('the old event to be forgotten', async () => ((await count('posted_capture', park)) === 0 ? true : null))
    } finally {
      ahead = 0
    }
    await park.call(deviceCalls.delete, { query: { ids: [device.id] } })
    expect(await count('capture', park)).toBe(1)
    await world.call(areaCalls.delete, { params: { id: park.park.id } })
    expect(await count('capture', park)).toBe(0)
    expect(await count('capture_match', park)).toBe(0)
  })
})
