/**
 * Every call of the contract and every topic, for a user whose role is limited to some device groups: no other device exists for them. A
 * thing of another device is answered like an unknown id, and no answer names or counts it.
 * @module-tag extended
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERMISSION_CODES, isWrite } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { codesBeyondLimit } from '@gatehouse/contract/identity/role-limits'
import { specialCalls } from '@gatehouse/contract/people/special'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { topics } from '@gatehouse/contract/realtime'
import type { Client } from '@gatehouse/dev-env/client'
import { listen } from '@gatehouse/dev-env/live'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { aiBoxAlarmsChanged, deviceEventsChanged, ruleAlarmsChanged } from '@gatehouse/server/contexts/alarms/events'
import { faceAlarmsChanged } from '@gatehouse/server/contexts/alarms/face-alarms-events'
import { watchListHitNoted } from '@gatehouse/server/contexts/records/events'
import { sql } from '@gatehouse/server/platform/database/database'
import { newId } from '@gatehouse/server/platform/database/ids'
import { ALL_CALLS, ask, codesOf, named } from '../support/all-calls.ts'
import { createFixtures, recordAt, type Fixtures } from '../support/fixtures.ts'
import { insertEvent, outOfReach, withRoles, type OutOfReach } from '../support/out-of-reach.ts'
import {
  WHOLE,
  exportedRecords,
  lasting,
  rowsNaming,
  tellingAnswers,
  textOf,
  revealedByIds,
  wordsAnswered,
  wordsIn,
  type HiddenWalk,
} from '../support/hidden-things.ts'
import { nameOf, namingFieldsOf } from '../support/cases/all.ts'

/** What a role with a limit can grant, and what a user may have in addition by another role without one. */
const LIMITED = PERMISSION_CODES.filter((code) => codesBeyondLimit([code]).length === 0)
const BESIDES = ['own:device.edit', 'own:device.pair', 'own:person.erase']
/**
 * Calls such a session can make: those of a limited code, alone or beside another, and those that require none. Calls of terminals are left
 * out.
 */
const walked = ALL_CALLS.filter(({ permission }) => permission !== 'device').filter(
  (call) =>
    call.permission === 'self' || (codesOf(call).length > 0 && codesOf(call).every((code) => [...LIMITED, ...BESIDES].includes(code))),
)
const reading = walked.filter((call) => !isWrite(call))
const naming = walked.filter((call) => namingFieldsOf(call).length > 0)

let world: World
let things: Fixtures
let hidden: OutOfReach
let walk: HiddenWalk
let limited: Client
/** A user with the same codes for every device. */
let sighted: Client
/** Their answers before there was anything out of reach, and since. */
let [before, after]: { limited: Map<string, string>; sighted: Map<string, string> }[] = []

async function answersOf({ credentials }: Client): Promise<Map<string, string>> {
  const answers = new Map<string, string>()
  // The remaining time of a session differs each time.
  for (const call of reading.filter(({ path }) => !path.startsWith('/token/'))) {
    const { status, code, ...answer } = await ask(world, call, credentials, WHOLE)
    if (status === 200 && code === 0) answers.set(nameOf(call), lasting(textOf({ status, code, ...answer })))
  }
  return answers
}

beforeAll(async () => {
  // A job by the clock that settles something meanwhile would look like a change by somebody who may not.
  world = await startWorld({ jobsAsleep: true })
  things = await createFixtures(world, world)
  await world.call(deviceCalls.move, { body: { ids: [things.device.id], groupId: things.deviceGroup.id } })
  const gone = await world.person()
  const { erasureIds } = await world.call(privacyCalls.erase, { body: { personIds: [gone.id], reason: 'asked for' } })
  limited = await withRoles(world, [
    { permissions: LIMITED, deviceGroupIds: [things.deviceGroup.id], roleSign: 'parkAdmin' },
    { permissions: BESIDES },
  ])
  sighted = await world.session({ permissions: [...LIMITED, ...BESIDES], roleSign: 'parkAdmin' })
  await world.settled()
  before = { limited: await answersOf(limited), sighted: await answersOf(sighted) }
  hidden = await outOfReach(world, things, erasureIds[0]!)
  walk = { world, things, words: hidden.words, limited, sighted, triedIn }
  await world.settled()
  after = { limited: await answersOf(limited), sighted: await answersOf(sighted) }
}, 180_000)
afterAll(() => world?.stop())

describe('without any id of it', () => {
  const revealed = new Set<string>()

  test.each(named(reading))('%s names nothing of a device out of reach', async (_, call) => {
    const answered = await wordsAnswered(walk, call)
    expect(answered.limited).toEqual([])
    if (answered.sighted.length > 0) revealed.add(nameOf(call))
  })

  test('while whoever is shown every device is told of it', () => {
    expect([...revealed].toSorted()).toMatchInlineSnapshot(`
      [
        "GET /bizService/uface/v1/access/correction/list",
        "GET /bizService/uface/v1/access/record/findAccessListByPersonId",
        "GET /bizService/uface/v1/access/record/findDeviceDataByPerson",
        "GET /bizService/uface/v1/device/alert/list",
        "GET /bizService/uface/v1/device/controlDoor/record",
        "GET /bizService/uface/v1/device/controlDoor/state",
        "GET /bizService/uface/v1/device/list",
        "GET /bizService/uface/v1/device/log/record",
        "GET /bizService/uface/v1/device/offline/list",
        "GET /bizService/uface/v1/device/resource/alert/list",
        "GET /bizService/uface/v1/privacy/erasure/list",
        "GET /bizService/uface/v1/system/screen/passages",
        "POST /asService/uface/v1/areaCodes/deviceGroup",
        "POST /asService/uface/v1/areaCodes/deviceTree",
        "POST /bizService/uface/v1/access/question/devices",
        "POST /bizService/uface/v1/access/record/findAccessRecordList",
        "POST /bizService/uface/v1/alert/device/event/list",
        "POST /bizService/uface/v1/areaCodes/deviceAndGroupTree",
      ]
    `)
  })
})

test('no answer is another one since it is there, and no count', () => {
  expect(before!.limited.size).toBeGreaterThan(40)
  expect(Object.fromEntries(after!.limited)).toEqual(Object.fromEntries(before!.limited))
})

test('while whoever is shown every device is answered more', () => {
  const others = [...before!.sighted].filter(([name, answer]) => after!.sighted.get(name) !== answer).map(([name]) => name)
  expect(others.toSorted()).toMatchInlineSnapshot(`
    [
      "GET /bizService/uface/v1/access/correction/list",
      "GET /bizService/uface/v1/access/record/statistics",
      "GET /bizService/uface/v1/access/record/today",
      "GET /bizService/uface/v1/device/alert/list",
      "GET /bizService/uface/v1/device/controlDoor/record",
      "GET /bizService/uface/v1/device/controlDoor/state",
      "GET /bizService/uface/v1/device/list",
      "GET /bizService/uface/v1/device/log/record",
      "GET /bizService/uface/v1/device/offline/list",
      "GET /bizService/uface/v1/device/resource/alert/list",
      "GET /bizService/uface/v1/device/summary",
      "GET /bizService/uface/v1/privacy/erasure/list",
      "GET /bizService/uface/v1/system/screen/passages",
      "POST /asService/uface/v1/areaCodes/deviceGroup",
      "POST /asService/uface/v1/areaCodes/deviceTree",
      "POST /bizService/uface/v1/access/record/findAccessRecordList",
      "POST /bizService/uface/v1/alert/device/event/list",
      "POST /bizService/uface/v1/areaCodes/deviceAndGroupTree",
    ]
  `)
})

/** Return the ids a field is tried with: those of the kind its name says, or all of them. */
function triedIn(field: string): [what: string, id: string][] {
  const { device, group, sibling, ...others } = hidden.ids
  if (/^(person|actualPerson|other|personGroup|timeRule|strategy|accessGroup|organisation)Ids?$/.test(field)) return []
  if (/^deviceIds?$/.test(field)) return [['device', device]]
  if (/^(deviceGroup|group|parent)Ids?$/.test(field)) return Object.entries({ group, sibling })
  if (/^recordIds?$/.test(field)) return [['record', others.record]]
  return Object.entries(hidden.ids)
}

test('whoever is shown every device gets what is its, by calls that read', async () => {
  const revealed = await revealedByIds(
    walk,
    reading.filter((call) => naming.includes(call)),
  )
  expect(revealed).toMatchInlineSnapshot(`
    [
      "GET /bizService/uface/v1/access/correction/list deviceId: device",
      "GET /bizService/uface/v1/access/record/findAccessListByDeviceId deviceId: device",
      "GET /bizService/uface/v1/access/record/statistics deviceGroupId: group",
      "GET /bizService/uface/v1/access/record/{id} id: record",
      "GET /bizService/uface/v1/access/record/{id}/match id: record",
      "GET /bizService/uface/v1/access/record/{id}/why id: record",
      "GET /bizService/uface/v1/alert/device/event/get/video id: event",
      "GET /bizService/uface/v1/device/alert id: alert",
      "GET /bizService/uface/v1/device/alert/list deviceId: device",
      "GET /bizService/uface/v1/device/controlDoor/record deviceId: device",
      "GET /bizService/uface/v1/device/controlDoor/setting deviceId: device",
      "GET /bizService/uface/v1/device/controlDoor/state deviceIds: device",
      "GET /bizService/uface/v1/device/list groupId: group",
      "GET /bizService/uface/v1/device/list groupId: sibling",
      "GET /bizService/uface/v1/device/log/record deviceId: device",
      "GET /bizService/uface/v1/device/offline/list deviceId: device",
      "GET /bizService/uface/v1/device/resource/alert/list deviceId: device",
      "GET /bizService/uface/v1/device/{id} id: device",
      "POST /bizService/uface/v1/access/device/move/effect groupId: group",
      "POST /bizService/uface/v1/access/device/move/effect groupId: sibling",
      "POST /bizService/uface/v1/access/device/move/effect ids: device",
      "POST /bizService/uface/v1/access/device/move/effect/persons groupId: group",
      "POST /bizService/uface/v1/access/device/move/effect/persons groupId: sibling",
      "POST /bizService/uface/v1/access/device/move/effect/persons ids: device",
      "POST /bizService/uface/v1/access/deviceGroup/effect id: group",
      "POST /bizService/uface/v1/access/deviceGroup/effect id: sibling",
      "POST /bizService/uface/v1/access/deviceGroup/effect parentId: group",
      "POST /bizService/uface/v1/access/deviceGroup/effect parentId: sibling",
      "POST /bizService/uface/v1/access/deviceGroup/effect/persons id: group",
      "POST /bizService/uface/v1/access/deviceGroup/effect/persons id: sibling",
      "POST /bizService/uface/v1/access/deviceGroup/effect/persons parentId: group",
      "POST /bizService/uface/v1/access/deviceGroup/effect/persons parentId: sibling",
      "POST /bizService/uface/v1/access/record/findAccessRecordList deviceId: device",
      "POST /bizService/uface/v1/access/record/getAccessRelationUser deviceId: device",
      "POST /bizService/uface/v1/alert/device/event/list deviceId: device",
      "POST /bizService/uface/v1/device/resource deviceId: device",
    ]
  `)
})

describe('with an id of it', () => {
  let rows: Map<string, string>
  beforeAll(async () => {
    await world.settled()
    rows = await rowsNaming(world, Object.values(hidden.ids))
  })

  test.each(named(naming))('%s answers as with one nobody has', async (_, call) => {
    expect(await tellingAnswers(walk, call)).toEqual([])
  })

  test('and nothing of it has changed', async () => {
    await world.settled()
    expect(await rowsNaming(world, Object.values(hidden.ids))).toEqual(rows)
  })

  test('its door is not opened, alone or among others', async () => {
    expect(await limited.ask(doorCalls.controlDoor, { body: { deviceId: hidden.ids.device, operateType: 1 } })).toMatchObject({
      status: 404,
    })
    const many = { deviceIds: [things.device.id, hidden.ids.device], operateType: 1 as const }
    expect(await limited.ask(doorCalls.controlMany, { body: many })).toMatchObject({ status: 404 })
    expect(await sighted.ask(doorCalls.controlDoor, { body: { deviceId: hidden.ids.device, operateType: 1 } })).toMatchObject({
      code: 400205,
    })
  })
})

describe('live', () => {
  let watched: { id: string }
  beforeAll(async () => {
    const { id: groupId } = await world.call(specialCalls.createGroup, { body: { name: 'Wanted' } })
    watched = await world.call(specialCalls.create, { body: { name: 'Irene Adler', workNumber: 'WANTED-1', groupId } })
  })

  let epochs = 0
  const pass = (deviceId: string): Promise<string> =>
    recordAt(world, { site: world, device: { id: deviceId } }, things.person, { epoch: `live ${++epochs}`, revision: 'none' })

  /**
   * Triggers of each topic for a device. The first persons of a device are reported only to users who pair devices, who have no limit;
   * alerts of visits name no device.
   */
  type OfDevices = Exclude<keyof typeof topics, 'deviceFetched' | 'visitorCheckAlert' | 'visitorArriveAlert'>
  const happens: Record<OfDevices, (deviceId: string) => Promise<unknown>> = {
    accessRecord: pass,
    async watchListHits(deviceId) {
      const { platform } = world.server
      const recordId = await pass(deviceId)
      await sql`INSERT INTO watch_list_hit (record_id, park_id, occurred_at, person_id, score, noted_at)
        SELECT id, park_id, occurred_at, ${watched.id}, 99, now() FROM access_record WHERE id = ${recordId}`.execute(platform.db)
      await platform.transaction((tx) => platform.events.announce(tx, watchListHitNoted, world.park.id, { recordId }))
    },
    deviceStatus: (deviceId) =>
      world.server.contexts.devices.service.noteStatus({ parkId: world.park.id }, deviceId, {
        online: true,
        lastSeenAt: world.clock.now(),
      }),
    async aiBoxEvents(deviceId) {
      const { platform } = world.server
      const id = newId()
      await sql`INSERT INTO ai_box_alarm (id, park_id, device_id, device_name, event_id, event_type, event_type_name, event_time,
        received_at, ipc_name, level, status, operator, dealing_record)
        VALUES (${id}, ${world.park.id}, ${deviceId}, '', ${id}, 'fire', '', now(), now(), '', 3, 0, '', '')`.execute(platform.db)
      await platform.transaction((tx) => platform.events.announce(tx, aiBoxAlarmsChanged, world.park.id, { ids: [id] }))
    },
    async ruleAlarms(deviceId) {
      const { platform } = world.server
      const id = newId()
      await sql`INSERT INTO passage_alarm (id, park_id, kind, level, occurred_at, last_occurred_at, raised_at, passages,
        device_id, device_name, record_id, record_at, person_name, status, updated_at)
        VALUES (${id}, ${world.park.id}, 'repeatedRefusals', 2, now(), now(), now(), 5,
        ${deviceId}, '', ${id}, now(), '', 0, now())`.execute(platform.db)
      await platform.transaction((tx) => platform.events.announce(tx, ruleAlarmsChanged, world.park.id, { ids: [id] }))
    },
    async deviceEvents(deviceId) {
      const { platform } = world.server
      const eventId = crypto.randomUUID()
      await insertEvent(world, { site: world, device: { id: deviceId, name: 'A door' } }, eventId)
      await platform.transaction((tx) => platform.events.announce(tx, deviceEventsChanged, world.park.id, { eventIds: [eventId] }))
    },
    deviceAlerts: (deviceId) =>
      world.server.contexts.maintenance.service.resources.note({ parkId: world.park.id }, deviceId, { cpu: 1, memory: 1, disk: 99 }),
    doors: async (deviceId) => world.server.contexts.doors.service.noteState({ deviceId, parkId: world.park.id }, 'opened'),
    async faceAlarms(deviceId) {
      const { platform } = world.server
      const [alarmId, now] = [newId(), new Date(world.clock.now())]
      await sql`INSERT INTO face_alarm (id, park_id, level, status, raised_at, captured_at, last_captured_at, captures, operator,
          dealing_record, person_name, group_name, capture_id, task_id, task_name, device_id, device_name, device_type, sound, version,
          updated_at)
        VALUES (${alarmId}, ${world.park.id}, 2, 1, ${now}, ${now}, ${now}, 1, '', '', '', '', ${newId()}, ${newId()}, 'Gate', ${deviceId},
          '', 1, 1, 1, ${now})`.execute(platform.db)
      await platform.transaction((tx) => platform.events.announce(tx, faceAlarmsChanged, world.park.id, { alarmIds: [alarmId] }))
    },
  }
  const listening = (client: Client, topic: keyof typeof happens) =>
    listen({ url: client.url, bearer: (client.credentials as { bearer: string }).bearer, areaCode: world.park.areaCode }, topics[topic])
  const deviceOf = (row: object): string => (row as { deviceId?: string }).deviceId ?? (row as { id: string }).id

  test.each(Object.keys(happens) as (keyof typeof happens)[])('%s tells nothing of a device out of reach', async (topic) => {
    const [all, some] = await Promise.all([listening(sighted, topic), listening(limited, topic)])
    await happens[topic](hidden.ids.device)
    await all.row('what happened out of reach', (row) => deviceOf(row) === hidden.ids.device)
    await happens[topic](things.device.id)
    await some.row('what happened in reach', (row) => deviceOf(row) === things.device.id)
    expect(wordsIn(JSON.stringify(some.rows), hidden)).toEqual([])
    await Promise.all([all.stop(), some.stop()])
  })
})

test('its passages are in no file of somebody limited', async () => {
  expect(wordsIn(await exportedRecords(sighted), hidden)).not.toEqual([])
  const file = await exportedRecords(limited)
  expect(file).toContain(things.device.name)
  expect(wordsIn(file, hidden)).toEqual([])
})
