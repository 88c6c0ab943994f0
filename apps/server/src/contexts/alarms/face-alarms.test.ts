/** Alarms of faces: what raises them, who is shown them, and how they are dealt with. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { faceAlarmCalls, type FaceAlarm } from '@gatehouse/contract/alarms/face-alarms'
import { alertBubbleType, alertType, alarmHandlingStatus, alarmLevel, alarmMatchType } from '@gatehouse/contract/enums'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { topics } from '@gatehouse/contract/realtime'
import { captureCalls } from '@gatehouse/contract/surveillance/captures'
import type { Client } from '@gatehouse/dev-env/client'
import { listen } from '@gatehouse/dev-env/live'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { runJob } from '../../../../../tests/support/jobs.ts'
import { until } from '../../../../../tests/support/until.ts'
import { camera, sending, task, templateOf } from '../surveillance/testing/cameras.ts'

const { undealt, dealing, confirmed, misinformation, test: tested } = alarmHandlingStatus
const DAY = 86_400_000

let world: World
let ahead = 0
/** A person on file and before cameras, and a stranger: as pictures, and as templates that cameras send. */
let onFile: Buffer
let atCamera: Buffer
let face: string
let stranger: string
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + ahead } })
  const { photographs } = world
  const [one, two] =
    photographs.kind === 'real' ? ['colin_powell', 'hu_jintao'].map((identity) => photographs.person(identity)) : photographs.people
  ;[onFile, atCamera] = await Promise.all([one!.photo(1), one!.photo(2)])
  ;[face, stranger] = await Promise.all([templateOf(world, atCamera), templateOf(world, await two!.photo(1))])
})
afterAll(() => world?.stop())

type TaskFields = Parameters<typeof task>[2]

/** Create a park with a person in a group, whom a task looks out for at a camera. */
async function place({ special = false, ...fields }: Omit<Partial<TaskFields>, 'devices' | 'groups'> & { special?: boolean } = {}) {
  const park = await world.addPark()
  const group = special ? await park.call(specialCalls.createGroup, { body: { name: 'Burglars' } }) : await park.personGroup()
  const person = await park.person({
    groupId: group.id,
    photo: onFile,
    ...(special && { kind: 'special' as const, name: 'James Moriarty', remark: 'Stole a crown', instruction: 'Call the yard' }),
  })
  const device = await camera(park)
  const taskId = await task(world, park, { devices: [device], groups: [group], similarityThreshold: 60, repeatSeconds: 300, ...fields })
  await world.server.platform.events.settled()
  const from = sending(world, device)
  return {
    park,
    person,
    device,
    taskId,
    from,
    /** The camera captures a face some seconds ago. */
    passes: (template: string, secondsAgo = 0) =>
      from.send([from.captured({ template, capturedAt: world.clock.now() - secondsAgo * 1000, hasPicture: true })]),
  }
}

const alarms = async (client: Pick<Client, 'call'>, body: InputOf<(typeof faceAlarmCalls)['list']['body']> = {}): Promise<FaceAlarm[]> =>
  (await client.call(faceAlarmCalls.list, { body })).content
const read = (client: Pick<Client, 'call'>, id: string) => client.call(faceAlarmCalls.read, { query: { id } })
const handle = (client: Pick<Client, 'ask'>, id: string, status: 1 | 2 | 3 | 4 | 5, more: object = {}) =>
  client.ask(faceAlarmCalls.handle, { body: { id, status, ...more } })
/** Raise an alarm in a place and return it. */
async function raised(at: Awaited<ReturnType<typeof place>>): Promise<FaceAlarm> {
  await at.passes(face)
  return (await alarms(at.park, { tab: 'unhandled' }))[0]!
}

describe('an alarm', () => {
  test('is raised by a person a task looks out for, with the level of the score; one who comes by again is counted with it', async () => {
    const { park, person, device, taskId, passes, from } = await place({ lowThreshold: 1, highThreshold: 2, alarmSound: 2 })
    const first = from.captured({ template: face, capturedAt: world.clock.now() - 100_000 })
    await from.send([first])
    await passes(face, 50)
    await passes(stranger, 40)
    const [alarm, ...others] = await alarms(park)
    expect(others).toEqual([])
    expect(alarm).toMatchObject({
      matchType: alarmMatchType.matched,
      level: alarmLevel.high,
      status: undealt,
      captures: 2,
      personId: person.id,
      suspectPerson: person.name,
      taskId,
      deviceId: device.id,
      sound: 2,
      captureFaceImage: '',
      operator: '',
      dealtAt: null,
      can: { deal: true, finish: true },
    })
    expect(alarm!.lastCaptureTime - alarm!.captureTime).toBeGreaterThan(40_000)
    const { content } = await park.call(captureCalls.find, { body: { list: 'identified', matchType: alarmMatchType.matched } })
    expect(content.map(({ alarmId }) => alarmId)).toEqual([alarm!.id, alarm!.id])

    // What is sent once more is not counted once more; what was captured long before is another time.
    expect(await from.send([first])).toMatchObject({ data: { ackSeq: 3 } })
    await passes(face, 900)
    expect((await alarms(park)).map(({ captures }) => captures).toSorted()).toEqual([1, 2])
    expect(await alarms(park, { level: alarmLevel.low })).toEqual([])
    expect(await alarms(park, { personName: person.name, deviceId: device.id, taskId, personId: person.id, matchType: 1 })).toHaveLength(2)
  })

  test('is raised each time where a task counts nobody together, and by strangers where it asks for them', async () => {
    const { park, passes } = await place({ repeatSeconds: 0, strangerAlarm: true, lowThreshold: 98, highThreshold: 99 })
    await passes(stranger, 20)
    await passes(stranger, 10)
    const found = await alarms(park)
    expect(found).toHaveLength(2)
    expect(found[0]).toMatchObject({
      matchType: alarmMatchType.unmatched,
      level: alarmLevel.medium,
      personId: null,
      suspectPerson: '',
      score: null,
    })
    expect(await alarms(park, { matchType: alarmMatchType.matched })).toEqual([])
    const together = await place({ strangerAlarm: true })
    await together.passes(stranger, 20)
    await together.passes(stranger, 10)
    expect(await alarms(together.park)).toMatchObject([{ captures: 2, matchType: alarmMatchType.unmatched }])
  })

  test('that is handled is not opened again: who comes by then raises another', async () => {
    const at = await place()
    const first = await raised(at)
    await handle(at.park, first.id, dealing)
    await at.passes(face)
    expect(await read(at.park, first.id)).toMatchObject({ status: dealing, captures: 2 })
    await handle(at.park, first.id, confirmed)
    await at.passes(face)
    const [second] = await alarms(at.park, { tab: 'unhandled' })
    expect(second).toMatchObject({ status: undealt, captures: 1 })
    expect(await alarms(at.park, { tab: 'handled' })).toMatchObject([{ id: first.id, captures: 2 }])
  })
})

describe('dealing with an alarm', () => {
  test('each step is saved with operator and record [STATE:alarm:1>2, STATE:alarm:2>3, STATE:alarm:2>4, STATE:alarm:2>5]', async () => {
    for (const end of [confirmed, misinformation, tested]) {
      const at = await place()
      const alarm = await raised(at)
      expect(await handle(at.park, alarm.id, dealing, { dealingRecord: 'On my way', version: alarm.version })).toMatchObject({
        code: 0,
        data: { status: dealing, dealingRecord: 'On my way', can: { deal: false, finish: true } },
      })
      expect(await handle(at.park, alarm.id, dealing)).toMatchObject({ code: 500014 })
      expect(await handle(at.park, alarm.id, undealt)).toMatchObject({ code: 500014 })
      expect(await handle(at.park, alarm.id, end, { version: alarm.version })).toMatchObject({ status: 409 })
      expect(await handle(at.park, alarm.id, end, { dealingRecord: 'Seen to' })).toMatchObject({
        code: 0,
        data: { status: end, can: { deal: false, finish: false } },
      })
      expect(await handle(at.park, alarm.id, confirmed)).toMatchObject({ code: 500013 })
      const { steps, operator, dealtAt } = await read(at.park, alarm.id)
      expect(operator).not.toBe('')
      expect(dealtAt).not.toBeNull()
      expect(steps).toMatchObject([
        { status: dealing, operator, record: 'On my way' },
        { status: end, operator, record: 'Seen to' },
      ])
    }
  })

  test('[BEH-157] ending an undealt one makes both steps, each with operator and record, and is logged', async () => {
    const at = await place()
    const alarm = await raised(at)
    expect(await handle(at.park, alarm.id, misinformation, { dealingRecord: 'A twin' })).toMatchObject({ code: 0 })
    const { steps } = await read(at.park, alarm.id)
    expect(steps).toMatchObject([
      { status: dealing, record: 'A twin', operator: expect.stringMatching(/./) },
      { status: misinformation, record: 'A twin', operator: expect.stringMatching(/./) },
    ])
    const { content } = await at.park.call(auditCalls.operations, { query: {} })
    const entry = content.find(({ url }) => url === faceAlarmCalls.handle.url)
    expect(entry).toBeDefined()
  })

  test('[BEH-127] takes the code of handling, and an alarm that exists there', async () => {
    const at = await place()
    const alarm = await raised(at)
    const viewer = await world.session({ park: at.park.park, permissions: ['surveillance.alert'] })
    expect(await handle(viewer, alarm.id, dealing)).toMatchObject({ status: 403 })
    expect(await read(viewer, alarm.id)).toMatchObject({ id: alarm.id, steps: [] })
    const elsewhere = await world.addPark()
    for (const [site, id] of [
      [at.park, crypto.randomUUID()],
      [elsewhere, alarm.id],
    ] as const) {
      expect(await handle(site, id, dealing)).toMatchObject({ code: 500012 })
      expect(await site.ask(faceAlarmCalls.read, { query: { id } })).toMatchObject({ code: 500012 })
    }
    expect(await at.park.ask(faceAlarmCalls.list, { body: { startTime: 2, endTime: 1 } })).toMatchObject({ code: 900007 })
  })

  test('of two users who end it at once, one does', async () => {
    const at = await place()
    const alarm = await raised(at)
    const answers = await Promise.all([confirmed, tested].map((end) => handle(at.park, alarm.id, end)))
    expect(answers.map(({ code }) => code).toSorted((one, two) => one - two)).toEqual([0, 500013])
    expect((await read(at.park, alarm.id)).steps).toHaveLength(2)
  })
})

describe('live', () => {
  const listening = ({ url, credentials }: Client, { park }: Site) =>
    listen({ url, bearer: (credentials as { bearer: string }).bearer, areaCode: park.areaCode }, topics.faceAlarms)

  test('[CALL-328] an alarm is sent when it is raised, when its picture has arrived, and when it is handled', async () => {
    const at = await place({ strangerAlarm: true })
    const live = await listening(at.park.client, at.park)
    const alarm = await raised(at)
    const bubble = await live.row('the alarm', (row) => row.id === alarm.id)
    expect(bubble).toMatchObject({
      bubbleType: alertBubbleType.alarm,
      alertType: alertType.blacklist,
      personName: at.person.name,
      surveillanceId: at.taskId,
      captureFaceImage: '',
      status: undealt,
      version: alarm.version,
    })
    await at.from.picture(1, atCamera)
    const { captureFaceImage } = await live.row('its picture', (row) => row.captureFaceImage !== '')
    expect((await fetch(world.url + captureFaceImage)).status).toBe(200)
    await handle(at.park, alarm.id, confirmed)
    await live.row('its end', (row) => row.status === confirmed)
    await at.passes(stranger)
    expect(await live.row('a stranger', (row) => row.personId === null)).toMatchObject({ alertType: alertType.stranger, personName: '' })
    await live.stop()
  })

  test('who is on the watch list is shown only to those who may see it', async () => {
    const at = await place({ special: true, strangerAlarm: true })
    const [sighted, limited] = await Promise.all(['parkAdmin', 'other'].map((roleSign) => world.session({ park: at.park.park, roleSign })))
    const [all, some] = await Promise.all([listening(sighted!, at.park), listening(limited!, at.park)])
    await at.passes(face)
    await all.row('the person', (row) => row.personId === at.person.id)
    await at.passes(stranger)
    await some.row('a stranger', (row) => row.personId === null)
    expect(JSON.stringify(some.rows)).not.toContain(at.person.id)
    expect(JSON.stringify(some.rows)).not.toContain('Moriarty')
    const [hit] = await alarms(sighted!, { personId: at.person.id })
    expect(hit).toMatchObject({ suspectPerson: 'James Moriarty', reason: 'Stole a crown', instruction: 'Call the yard' })
    expect(await limited!.call(faceAlarmCalls.list, { body: {} })).toMatchObject({ total: 1, content: [{ personId: null }] })
    expect(await limited!.call(faceAlarmCalls.list, { body: { personName: 'Moriarty' } })).toMatchObject({ total: 0 })
    expect(await limited!.ask(faceAlarmCalls.read, { query: { id: hit!.id } })).toMatchObject({ code: 500012 })
    expect(await handle(limited!, hit!.id, dealing)).toMatchObject({ code: 500012 })
    await Promise.all([all.stop(), some.stop()])
  })
})

describe('what is kept', () => {
  const stored = async (table: string, { park }: Site) =>
    Number(
      (await query<{ count: string }>(world.connectionString, `SELECT count(*) FROM ${table} WHERE park_id = $1`, [park.id]))[0]!.count,
    )

  test('of an erased person no alarm is; of a deleted one the alarm stays, without the captures', async () => {
    const at = await place()
    const alarm = await raised(at)
    await handle(at.park, alarm.id, confirmed, { dealingRecord: `It was ${at.person.name}` })
    const { erasureIds } = await at.park.call(privacyCalls.erase, { body: { personIds: [at.person.id], reason: 'Asked for' } })
    const receipt = await at.park.call(privacyCalls.read, { params: { id: erasureIds[0]! } })
    expect(receipt.places.find(({ place: name }) => name === 'alarms')).toMatchObject({ count: 1, state: 'done' })
    for (const table of ['face_alarm', 'face_alarm_step', 'face_alarm_capture', 'capture']) expect(await stored(table, at.park)).toBe(0)
    expect(JSON.stringify(await at.park.call(auditCalls.operations, { query: {} }))).not.toContain(`It was ${at.person.name}`)

    const other = await place()
    const kept = await raised(other)
    await other.park.call(peopleCalls.delete, { query: { ids: [other.person.id] } })
    await until('the captures to be deleted', async () => ((await stored('capture', other.park)) === 0 ? true : null))
    expect(await read(other.park, kept.id)).toMatchObject({ suspectPerson: other.person.name, captureFaceImage: '' })
  })

  test('is dropped after a year', async () => {
    const at = await place()
    await raised(at)
    try {
      ahead = 367 * DAY
      await runJob(world, 'alarms.dropOldFaceAlarms')
      await until('the old alarm to be deleted', async () => ((await stored('face_alarm', at.park)) === 0 ? true : null))
    } finally {
      ahead = 0
    }
  })
})
