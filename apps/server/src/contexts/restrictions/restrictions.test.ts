/** Restriction areas: their definition, who is admitted into and out of them, and the list of people inside. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { failReason } from '@gatehouse/contract/enums'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { restrictionCalls } from '@gatehouse/contract/restrictions/calls'
import { startWorld, type Made, type World } from '@gatehouse/dev-env/world'
import { atDoors, IN, OUT, type TestDoor } from './testing/area.ts'

const MINUTE = 60_000
let world: World
let at: ReturnType<typeof atDoors>
let ahead = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + ahead } })
  at = atDoors(world)
})
afterAll(() => world?.stop())

const INSIDE = { allowed: false, failReason: failReason.cloudRefused, restriction: 'alreadyInside' }
const OUTSIDE = { allowed: false, failReason: failReason.cloudRefused, restriction: 'alreadyOutside' }
const FULL = { allowed: false, failReason: failReason.areaFull, restriction: 'full' }
const now = () => world.clock.now()
const setStatus = (area: Made, persons: readonly Made[], status: 0 | 1 | null) =>
  world.call(restrictionCalls.setStatus, { body: { restrictionId: area.id, personIds: persons.map(({ id }) => id), status } })
const verificationOf = async (door: TestDoor) => (await door.client.call(deviceProtocolCalls.manifest, {})).settings.secondVerification

describe('areas', () => {
  test('are listed by name, filtered, read, changed and deleted', async () => {
    const [one, other] = [
      await at.area({ name: 'Laboratory' }),
      await at.area({
        name: 'Canteen',
        limitType: 'flowLimit',
        antiSneakBack: false,
        flowLimit: true,
        limitCount: 30,
        offlinePolicy: 'allow',
      }),
    ]
    const list = async (body: object) => (await world.call(restrictionCalls.list, { body })).content.map(({ name }) => name)
    expect(await list({})).toEqual(['Canteen', 'Laboratory'])
    expect(await list({ name: 'lab' })).toEqual(['Laboratory'])
    expect(await list({ limitType: 'flowLimit' })).toEqual(['Canteen'])
    expect(await list({ deviceId: one.doors[1].id })).toEqual(['Laboratory'])
    expect(await world.call(restrictionCalls.list, { body: { page: 2, size: 1 } })).toMatchObject({
      total: 2,
      page: 2,
      content: [{ name: 'Laboratory' }],
    })
    const read = await world.call(restrictionCalls.read, { params: { id: other.id } })
    expect(read).toMatchObject({
      limitType: 'flowLimit',
      antiSneakBack: false,
      flowLimit: true,
      limitCount: 30,
      offlinePolicy: 'allow',
      count: 0,
      exitDevices: [],
    })
    expect(read.devices.map(({ id, direction }) => [id, direction])).toEqual(
      expect.arrayContaining([
        [other.doors[0].id, IN],
        [other.doors[1].id, OUT],
      ]),
    )

    const fields = {
      id: other.id,
      name: 'Canteen 2',
      limitType: 'antiSneakBack' as const,
      deviceIds: [other.doors[0].id],
      antiSneakBack: true,
      flowLimit: false,
      limitCount: null,
    }
    await world.call(restrictionCalls.change, { body: { ...fields, version: read.version } })
    expect(await world.call(restrictionCalls.read, { params: { id: other.id } })).toMatchObject({
      name: 'Canteen 2',
      limitCount: null,
      devices: [{ id: other.doors[0].id }],
      version: read.version + 1,
    })
    expect(await world.ask(restrictionCalls.change, { body: { ...fields, version: read.version } })).toMatchObject({ status: 409 })
    for (const { id } of [one, other]) await world.call(restrictionCalls.delete, { params: { id } })
    expect(await list({})).toEqual([])
    expect(await world.ask(restrictionCalls.read, { params: { id: one.id } })).toMatchObject({ status: 404 })
  })

  test('keep every field that a change leaves out, lose what is null or empty, and are checked with what is kept', async () => {
    const exit = await world.device({ direction: OUT })
    const limits = { flowLimit: true, limitCount: 30, offlinePolicy: 'allow' as const, exitDeviceIds: [exit.id] }
    const { id, doors } = await at.area(limits)
    const deviceIds = doors.map((door) => door.id).toSorted()
    const read = async () => {
      const area = await world.call(restrictionCalls.read, { params: { id } })
      return { ...area, deviceIds: area.deviceIds.toSorted() }
    }
    const change = (body: object) => world.ask(restrictionCalls.change, { body: { id, ...body } as never })
    expect(await change({ name: 'Renamed' })).toMatchObject({ code: 0 })
    expect(await read()).toMatchObject({ name: 'Renamed', antiSneakBack: true, deviceIds, ...limits })
    expect(await change(await world.call(restrictionCalls.read, { params: { id } }))).toMatchObject({ code: 0 })
    expect(await change({ limitCount: null })).toMatchObject({ status: 400, data: { fields: [{ path: 'limitCount', rule: 'required' }] } })
    expect(await change({ deviceIds: [exit.id] })).toMatchObject({ status: 400, data: { fields: [{ path: 'exitDeviceIds' }] } })
    expect(await change({ flowLimit: false, limitCount: null, exitDeviceIds: null, offlinePolicy: null })).toMatchObject({ code: 0 })
    expect(await read()).toMatchObject({ deviceIds, flowLimit: false, limitCount: null, exitDeviceIds: [], offlinePolicy: 'refuse' })
    for (const path of ['name', 'deviceIds', 'antiSneakBack'])
      expect(await change({ [path]: null })).toMatchObject({ status: 400, data: { fields: [{ path, rule: 'required' }] } })
    const setFlowLimit = (body: object) => world.ask(restrictionCalls.setFlowLimit, { params: { id }, body: body as never })
    expect(await setFlowLimit({ status: 0, limitCount: 7 })).toMatchObject({ code: 0 })
    expect(await setFlowLimit({ limitCount: 8 })).toMatchObject({ status: 400, data: { fields: [{ path: 'status', rule: 'required' }] } })
    expect(await setFlowLimit({ status: 1, flowLimit: false })).toMatchObject({ status: 400, data: { fields: [{ path: 'flowLimit' }] } })
    expect(await read()).toMatchObject({ flowLimit: false, limitCount: 7 })
    expect(await setFlowLimit({ status: 1 })).toMatchObject({ code: 0 })
    expect(await read()).toMatchObject({ flowLimit: true, limitCount: 7 })
    expect(await setFlowLimit({ status: 0, limitCount: null })).toMatchObject({ code: 0 })
    expect(await read()).toMatchObject({ flowLimit: false, limitCount: null })
    await world.call(restrictionCalls.delete, { params: { id } })
  })

  test('a rule of which nothing is said holds where the area is for it, and a limit needs its number', async () => {
    const create = async (body: object) =>
      world.ask(restrictionCalls.create, { body: { name: 'By its type', deviceIds: [(await at.door(IN)).id], ...body } as never })
    expect(await create({ limitType: 'flowLimit' })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'limitCount', rule: 'required' }] },
    })
    const { data } = await create({ limitType: 'flowLimit', flowLimit: false })
    const { id } = data as { id: string }
    expect(await world.call(restrictionCalls.read, { params: { id } })).toMatchObject({ flowLimit: false, antiSneakBack: false })
    await world.call(restrictionCalls.delete, { params: { id } })
  })

  test('a device is a door of one area only, and the answer names those that are taken [VAL-110]', async () => {
    const { id, doors } = await at.area()
    const other = await at.area()
    const taken = { status: 200, code: 510012, data: { items: [doors[0].name], fields: [{ path: 'deviceIds' }] } }
    const body = { name: 'Twice', limitType: 'antiSneakBack' as const, antiSneakBack: true, flowLimit: false, deviceIds: [doors[0].id] }
    expect(await world.ask(restrictionCalls.create, { body })).toMatchObject(taken)
    expect(await world.ask(restrictionCalls.change, { body: { ...body, id: other.id } })).toMatchObject(taken)
    // Two areas name it at the same time: one of them gets it.
    const free = await at.door(IN)
    const both = await Promise.all(
      ['First', 'Second'].map((name) => world.ask(restrictionCalls.create, { body: { ...body, name, deviceIds: [free.id] } })),
    )
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 510012])
    // An area keeps its own doors, and a door may be the exit of several other areas.
    await world.call(restrictionCalls.change, { body: { ...body, id, deviceIds: [doors[0].id], exitDeviceIds: [other.doors[1].id] } })
    expect(await world.ask(restrictionCalls.change, { body: { ...body, id, exitDeviceIds: [doors[0].id] } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'exitDeviceIds' }] },
    })
  })

  test('are refused with the field that is wrong', async () => {
    const { doors, name } = await at.area()
    const free = (await at.door(IN)).id
    const fields = { name: 'New area', limitType: 'antiSneakBack' as const, antiSneakBack: true, flowLimit: false, deviceIds: [free] }
    const ask = (overrides: object) => world.ask(restrictionCalls.create, { body: { ...fields, ...overrides } })
    expect(await ask({ name })).toMatchObject({ status: 200, code: 900004, data: { fields: [{ path: 'name' }] } })
    const invalid = (path: string) => ({ status: 400, data: { fields: [{ path }] } })
    expect(await ask({ name: '' })).toMatchObject(invalid('name'))
    expect(await ask({ deviceIds: [] })).toMatchObject(invalid('deviceIds'))
    expect(await ask({ deviceIds: ['nothing'] })).toMatchObject(invalid('deviceIds.0'))
    expect(await ask({ exitDeviceIds: [name] })).toMatchObject(invalid('exitDeviceIds.0'))
    const doorsOf = (path: string, count: number) => ask({ [path]: Array.from({ length: count }, () => crypto.randomUUID()) })
    for (const path of ['deviceIds', 'exitDeviceIds']) {
      expect(await doorsOf(path, 200)).toMatchObject({ status: 400, data: { fields: [{ path, rule: 'unknown' }] } })
      expect(await doorsOf(path, 201)).toMatchObject({
        status: 400,
        data: { fields: [{ path, rule: 'max.array', params: { limit: 200 } }] },
      })
    }
    expect(await ask({ flowLimit: true })).toMatchObject(invalid('limitCount'))
    expect(await ask({ flowLimit: true, limitCount: 0 })).toMatchObject(invalid('limitCount'))
    const park = await world.addPark()
    expect(await park.ask(restrictionCalls.create, { body: { ...fields, deviceIds: [doors[0].id] } })).toMatchObject(invalid('deviceIds'))
  })

  test('tell their terminals to ask, and what to do when they cannot', async () => {
    const area = await at.area({ offlinePolicy: 'allow' })
    const [door] = area.doors
    await at.permitted(1, area.doors)
    expect(await verificationOf(door)).toEqual({ timeoutMs: 3000, offline: 'allow' })
    const read = await world.call(restrictionCalls.read, { params: { id: area.id } })
    await world.call(restrictionCalls.change, { body: { ...read, antiSneakBack: false } })
    await at.settled()
    // Neither rule is in force: the door decides alone again.
    expect(await verificationOf(door)).toBeNull()
    await world.call(restrictionCalls.setFlowLimit, { params: { id: area.id }, body: { status: 1, limitCount: 5 } })
    await at.settled()
    expect(await verificationOf(door)).toEqual({ timeoutMs: 3000, offline: 'allow' })
    await world.call(restrictionCalls.delete, { params: { id: area.id } })
    await at.settled()
    expect(await verificationOf(door)).toBeNull()
  })

  test('lose a device that is deleted, and keep the others', async () => {
    const area = await at.area()
    await world.call(deviceCalls.delete, { query: { ids: [area.doors[0].id] } })
    await at.settled()
    expect(await world.call(restrictionCalls.read, { params: { id: area.id } })).toMatchObject({ devices: [{ id: area.doors[1].id }] })
  })
})

describe('anti-sneak-back', () => {
  test('refuses who is inside to enter again, and who is outside to leave again', async () => {
    const area = await at.area()
    const [entry, exit] = area.doors
    const [ann, bob] = await at.permitted(2, area.doors)
    // The location of a person who has not been seen is unknown: either direction is allowed.
    expect(await at.pass(exit, bob!)).toMatchObject({ allowed: true })
    expect(await at.pass(exit, bob!)).toEqual(OUTSIDE)
    expect(await at.pass(entry, ann!)).toMatchObject({ allowed: true })
    expect(await at.pass(entry, ann!)).toEqual(INSIDE)
    expect(await area.count()).toBe(1)
    expect(await at.pass(exit, ann!)).toMatchObject({ allowed: true })
    expect(await at.pass(exit, ann!)).toEqual(OUTSIDE)
    expect(await at.pass(entry, ann!)).toMatchObject({ allowed: true })
    expect(await area.count()).toBe(1)
  })

  test('of one person at two doors at once one is let in', async () => {
    const second = await at.door(IN)
    const first = await at.door(IN)
    const area = await at.area({}, [first, second])
    const [ann] = await at.permitted(1, area.doors)
    const answers = await Promise.all([first, second, first, second].map((door, index) => at.ask(door, ann!, now() + index)))
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(1)
    expect(answers.filter(({ restriction }) => restriction === 'alreadyInside')).toHaveLength(3)
    expect(await area.count()).toBe(1)
  })

  test('a person is set by hand, and that is later than what terminals still have to tell', async () => {
    const area = await at.area()
    const [entry] = area.doors
    const [ann] = await at.permitted(1, area.doors)
    const before = now()
    expect(await at.pass(entry, ann!)).toMatchObject({ allowed: true })
    expect(await setStatus(area, [ann!], 0)).toEqual({ changed: 1 })
    expect(await world.ask(restrictionCalls.setStatus, { body: { restrictionId: area.id, status: 1 } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'personIds', rule: 'required' }] },
    })
    expect(await at.personsOf(area)).toMatchObject([
      { personId: ann!.id, personName: ann!.name, status: 0, source: 'hand', deviceId: null },
    ])
    await at.record(entry, ann!, before - MINUTE)
    expect(await area.count()).toBe(0)
    expect(await at.pass(entry, ann!)).toMatchObject({ allowed: true })
    // The location of Ann is unknown: she is in no list, and may go either way.
    await setStatus(area, [ann!], null)
    expect(await at.personsOf(area)).toEqual([])
    expect(await at.pass(entry, ann!)).toMatchObject({ allowed: true })
    expect(await at.pass(entry, ann!)).toEqual(INSIDE)
    expect(
      await world.ask(restrictionCalls.setStatus, { body: { restrictionId: area.id, personIds: [area.id], status: 1 } }),
    ).toMatchObject({ status: 400, data: { fields: [{ path: 'personIds' }] } })
  })
})

describe('flow limit', () => {
  test('refuses whoever would be one too many, until somebody leaves, is switched off and on', async () => {
    const area = await at.area({ limitType: 'flowLimit', antiSneakBack: false, flowLimit: true, limitCount: 2 })
    const [entry, exit] = area.doors
    const [ann, bob, cid] = await at.permitted(3, area.doors)
    expect(await at.pass(entry, ann!)).toMatchObject({ allowed: true })
    expect(await at.pass(entry, bob!)).toMatchObject({ allowed: true })
    expect(await at.pass(entry, cid!)).toEqual(FULL)
    // A person who is inside already takes up no further place.
    expect(await at.pass(entry, bob!)).toMatchObject({ allowed: true })
    await at.pass(exit, ann!)
    expect(await at.pass(entry, cid!)).toMatchObject({ allowed: true })
    expect(await at.pass(entry, ann!)).toEqual(FULL)
    await world.call(restrictionCalls.setFlowLimit, { params: { id: area.id }, body: { status: 0 } })
    expect(await at.pass(entry, ann!)).toMatchObject({ allowed: true })
    expect(await world.call(restrictionCalls.occupancy, { params: { id: area.id } })).toMatchObject({
      count: 3,
      limitCount: null,
      asked: 0,
    })
    await world.call(restrictionCalls.setFlowLimit, { params: { id: area.id }, body: { status: 1 } })
    expect(await world.call(restrictionCalls.occupancy, { params: { id: area.id } })).toMatchObject({ count: 3, limitCount: 2 })
    const plain = await at.area()
    expect(await world.ask(restrictionCalls.setFlowLimit, { params: { id: plain.id }, body: { status: 1 } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'limitCount' }] },
    })
  })

  test('of many who come at once at many doors as many are let in as may be', async () => {
    const doors = [await at.door(IN), await at.door(IN), await at.door(IN), await at.door(IN)]
    const area = await at.area({ limitType: 'flowLimit', flowLimit: true, limitCount: 5, deviceIds: doors.map(({ id }) => id) }, [
      doors[0]!,
      doors[1]!,
    ])
    const persons = await at.permitted(16, doors)
    const answers = await Promise.all(persons.map((person, index) => at.ask(doors[index % 4]!, person)))
    expect(answers.filter(({ allowed }) => allowed)).toHaveLength(5)
    expect(answers.filter(({ restriction }) => restriction === 'full')).toHaveLength(11)
    expect(await area.count()).toBe(5)
  })
})

describe('what was asked', () => {
  test('counts at once, and no longer when the terminal refused all the same', async () => {
    const area = await at.area()
    const [entry] = area.doors
    const [ann] = await at.permitted(1, area.doors)
    const moment = now()
    expect(await at.ask(entry, ann!, moment)).toMatchObject({ allowed: true })
    expect(await world.call(restrictionCalls.occupancy, { params: { id: area.id } })).toMatchObject({ count: 1, asked: 1 })
    // The same passage again: the answer was lost on its way.
    expect(await at.ask(entry, ann!, moment)).toMatchObject({ allowed: true })
    expect(await at.personsOf(area)).toMatchObject([{ status: 1, source: 'asked' }])
    await at.record(entry, ann!, moment, at.REFUSED)
    expect(await area.count()).toBe(0)
    // After its record it is a repetition, and opens nothing.
    expect(await at.ask(entry, ann!, moment)).toMatchObject({ allowed: false })
    expect(await area.count()).toBe(0)
  })

  test('is restored when no record follows: when the terminal tells of later ones, or after five minutes', async () => {
    const area = await at.area()
    const [entry, exit] = area.doors
    const [ann, bob] = await at.permitted(2, area.doors)
    const moment = now()
    await at.ask(entry, ann!, moment)
    await at.record(entry, bob!, moment + 11_000, {}, moment + 11_000)
    expect(await at.personsOf(area, { status: 1 })).toMatchObject([{ personId: bob!.id }])
    await at.ask(exit, bob!)
    expect(await area.count()).toBe(0)
    ahead += 5 * MINUTE + 1
    expect(await area.count()).toBe(1)
  })

  test('is known to have been all the same when its record comes late', async () => {
    const area = await at.area()
    const [entry] = area.doors
    const [ann] = await at.permitted(1, area.doors)
    const moment = now()
    await at.ask(entry, ann!, moment)
    ahead += 6 * MINUTE
    expect(await area.count()).toBe(0)
    await at.record(entry, ann!, moment)
    expect(await area.count()).toBe(1)
    expect(await at.personsOf(area)).toMatchObject([{ status: 1, source: 'record', deviceId: entry.id, deviceName: entry.name }])
  })

  test('a record that was there before the question refuses it', async () => {
    const area = await at.area()
    const [entry] = area.doors
    const [ann] = await at.permitted(1, area.doors)
    const moment = now()
    await at.record(entry, ann!, moment, at.REFUSED)
    expect(await at.ask(entry, ann!, moment)).toMatchObject({ allowed: false, failReason: failReason.cloudRefused })
    expect(await area.count()).toBe(0)
  })
})

describe('records', () => {
  test('in whatever order and however often they come, the last passage counts', async () => {
    const area = await at.area()
    const [entry, exit] = area.doors
    const [ann, bob] = await at.permitted(2, area.doors)
    const begin = now()
    ahead += MINUTE
    // She went in, out and in while the device was offline; the last record is sent first.
    await at.record(entry, ann!, begin + 3000)
    await at.record(exit, ann!, begin + 2000)
    await at.record(entry, ann!, begin + 1000)
    await at.record(entry, bob!, begin + 1000)
    await at.record(exit, bob!, begin + 2000)
    await at.record(entry, bob!, begin + 1000)
    expect(await at.personsOf(area, { status: 1 })).toMatchObject([{ personId: ann!.id }])
    expect(await area.count()).toBe(1)
  })

  test('stand by the clock of the server, whatever that of the terminal says', async () => {
    const area = await at.area()
    const [entry, exit] = area.doors
    const [ann] = await at.permitted(1, area.doors)
    ahead += MINUTE
    // The clock of the device is an hour ahead: it reports its time with each message.
    await at.record(entry, ann!, now() + 60 * MINUTE - 5000, {}, now() + 60 * MINUTE)
    await at.record(exit, ann!, now() - 1000)
    expect(await area.count()).toBe(0)
  })

  test('of strangers, of other devices and of before the device was of the area change nothing', async () => {
    const area = await at.area()
    const [entry] = area.doors
    const [ann] = await at.permitted(1, area.doors)
    await at.record(entry, ann!, now() - 10 * MINUTE)
    await at.record(entry, { id: null as never, name: '' }, now())
    const elsewhere = await at.door(IN)
    await at.record(elsewhere, ann!, now())
    expect(await at.personsOf(area)).toEqual([])
  })

  test('of a way out elsewhere: whoever leaves there is in the area no longer', async () => {
    const gate = await at.door(OUT)
    const area = await at.area({ exitDeviceIds: [gate.id] })
    const [entry] = area.doors
    const [ann, bob] = await at.permitted(2, [...area.doors, gate])
    expect(await verificationOf(gate)).toBeNull()
    await at.pass(entry, ann!)
    ahead += 1000
    await at.record(gate, ann!, now(), at.REFUSED)
    expect(await area.count()).toBe(1)
    await at.record(gate, ann!, now())
    await at.record(gate, bob!, now())
    expect(await area.count()).toBe(0)
    // A person who was never in the area gets no entry.
    expect(await at.personsOf(area)).toMatchObject([{ personId: ann!.id, status: 0, deviceName: gate.name }])
    expect(await at.pass(entry, ann!)).toMatchObject({ allowed: true })
  })

  test('of passages that were asked about are kept, also where a second one soon after makes none', async () => {
    const area = await at.area()
    const [entry, exit] = area.doors
    const [ann] = await at.permitted(1, area.doors)
    await world.call(parkSettingCalls.saveReentry, { body: { seconds: 60 } })
    const ASKED = { checks: '[[1,1],[19,1,"confirmed"]]' }
    for (const door of [entry, exit, entry]) {
      const moment = now()
      expect(await at.ask(door, ann!, moment)).toMatchObject({ allowed: true })
      await at.record(door, ann!, moment, ASKED)
      ahead += 1000
    }
    await world.call(parkSettingCalls.saveReentry, { body: { seconds: 0 } })
    expect(await at.personsOf(area)).toMatchObject([{ status: 1, source: 'record' }])
  })

  test('say why: the rule that refused is read in the list, with what can be done', async () => {
    const area = await at.area({ flowLimit: true, limitCount: 1 })
    const [entry] = area.doors
    const [ann, bob] = await at.permitted(2, area.doors)
    await at.pass(entry, ann!)
    const refuse = (person: Made, reason: number, restriction: string) =>
      at.record(entry, person, now(), { result: 0, failReason: reason, checks: `[[1,1],[19,0,"refused","${restriction}"]]` })
    await refuse(ann!, failReason.cloudRefused, 'alreadyInside')
    await refuse(bob!, failReason.areaFull, 'full')
    const { content } = await world.call(recordCalls.find, { body: { deviceId: entry.id, result: 0 } })
    expect(content.map((record) => [record.personId, record.failReason, record.restriction])).toEqual(
      expect.arrayContaining([
        [ann!.id, 14, 'alreadyInside'],
        [bob!.id, 903, 'full'],
      ]),
    )
    const why = async (personId: string) =>
      world.call(recordCalls.why, { params: { id: content.find((record) => record.personId === personId)!.id } })
    expect(await why(ann!.id)).toMatchObject({
      checks: [{}, { code: 'secondVerification', ok: false, data: { restriction: 'alreadyInside' } }],
      remedy: [{ code: 'correctState', permission: 'access.restriction', path: `/accessRestriction?deviceId=${entry.id}` }],
    })
    expect(await why(bob!.id)).toMatchObject({ remedy: [{ code: 'raiseLimit' }] })
  })
})

describe('persons of an area', () => {
  test('are listed newest first, paged, by name and by state', async () => {
    const area = await at.area()
    const [entry, exit] = area.doors
    const [ann, bob, cid] = await at.permitted(3, area.doors)
    for (const person of [ann!, bob!, cid!]) {
      await at.pass(entry, person)
      ahead += 1000
    }
    await at.pass(exit, ann!)
    const names = async (overrides: object) => (await at.personsOf(area, overrides)).map(({ personName }) => personName)
    expect(await names({})).toEqual([ann!.name, cid!.name, bob!.name])
    expect(await names({ status: 1 })).toEqual([cid!.name, bob!.name])
    expect(await names({ personName: bob!.workNumber })).toEqual([bob!.name])
    expect(await world.call(restrictionCalls.persons, { body: { restrictionId: area.id, page: 2, size: 2 } })).toMatchObject({
      total: 3,
      content: [{ personName: bob!.name, workNumber: bob!.workNumber }],
    })
  })

  test('stand in the operation log by their ids: no name there is to be masked or erased', async () => {
    const area = await at.area()
    const person = await world.person({ name: 'Loggia Lovelace' })
    await setStatus(area, [person], 1)
    await world.call(restrictionCalls.beginMuster, { body: { restrictionId: area.id } })
    await world.call(restrictionCalls.meet, { body: { restrictionId: area.id, personIds: [person.id], met: true } })
    const { content } = await world.call(auditCalls.operations, { query: { size: 10 } })
    const about = content.filter(({ subjects }) => subjects.some(({ id }) => id === area.id))
    const details = await Promise.all(about.map(({ id }) => world.call(auditCalls.operation, { params: { id } })))
    expect(JSON.stringify(details)).toContain(person.id)
    expect(JSON.stringify(details)).not.toContain('Loggia')
  })

  test('who is deleted is in no area any more', async () => {
    const area = await at.area()
    const [entry] = area.doors
    const [ann] = await at.permitted(1, area.doors)
    await at.pass(entry, ann!)
    await world.call(peopleCalls.delete, { query: { ids: [ann!.id] } })
    await at.settled()
    expect(await area.count()).toBe(0)
    // Not even by a passage that is reported late.
    await at.record(entry, ann!, now())
    expect(await at.personsOf(area)).toEqual([])
  })

  test('nothing of an area is seen from another park', async () => {
    const area = await at.area()
    const park = await world.addPark()
    for (const answer of await Promise.all([
      park.ask(restrictionCalls.read, { params: { id: area.id } }),
      park.ask(restrictionCalls.persons, { body: { restrictionId: area.id } }),
      park.ask(restrictionCalls.muster, { query: { restrictionId: area.id } }),
      park.ask(restrictionCalls.delete, { params: { id: area.id } }),
      park.ask(restrictionCalls.setFlowLimit, { params: { id: area.id }, body: { status: 0 } }),
    ]))
      expect(answer).toMatchObject({ status: 404 })
    expect(await world.ask(restrictionCalls.persons, { body: {} })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'restrictionId' }] },
    })
    const guard = await world.session({ permissions: ['access.record'] })
    expect(await guard.ask(restrictionCalls.list, { body: {} })).toMatchObject({ status: 403 })
  })
})

describe('a muster', () => {
  test('lists everybody inside, who was met and who has left since', async () => {
    const gate = await at.door(OUT)
    const area = await at.area({ exitDeviceIds: [gate.id] })
    const [entry, exit] = area.doors
    const [ann, bob, cid, dot] = await at.permitted(4, area.doors)
    for (const person of [ann!, bob!, cid!, dot!]) await at.pass(entry, person)
    ahead += 1000
    await at.pass(exit, dot!)
    const read = (filter?: 'missing' | 'met' | 'left') =>
      world.call(restrictionCalls.muster, { query: { restrictionId: area.id, ...(filter && { filter }) } })
    expect(await read()).toMatchObject({ muster: null, missing: 3, met: 0, left: 0, total: 3 })
    const meet = (persons: readonly Made[], met = true) => ({
      body: { restrictionId: area.id, personIds: persons.map(({ id }) => id), met },
    })
    expect(await world.ask(restrictionCalls.meet, meet([ann!]))).toMatchObject({ status: 404 })

    ahead += 1000
    const { id } = await world.call(restrictionCalls.beginMuster, { body: { restrictionId: area.id } })
    expect(await world.call(restrictionCalls.beginMuster, { body: { restrictionId: area.id } })).toEqual({ id })
    expect(await world.call(restrictionCalls.meet, meet([ann!]))).toEqual({ changed: 1 })
    expect(await world.call(restrictionCalls.meet, meet([ann!]))).toEqual({ changed: 0 })
    ahead += 1000
    // He leaves by another door.
    await at.record(gate, bob!, now())
    expect(await read()).toMatchObject({ muster: { id }, missing: 1, met: 1, left: 1, total: 3 })
    expect((await read('missing')).content).toMatchObject([{ personId: cid!.id, status: 1, met: false }])
    expect((await read('left')).content).toMatchObject([{ personId: bob!.id, status: 0, deviceName: gate.name }])
    expect((await read('met')).content).toMatchObject([
      { personId: ann!.id, met: true, metBy: expect.stringMatching(/./), metAt: expect.any(Number) },
    ])
    // A person who was met counts as met, wherever they go; if it is taken back, they are missing again.
    expect(await world.call(restrictionCalls.meet, meet([ann!], false))).toEqual({ changed: 1 })
    expect(await read()).toMatchObject({ missing: 2, met: 0, left: 1 })

    await world.call(restrictionCalls.endMuster, { body: { restrictionId: area.id } })
    expect(await read()).toMatchObject({ muster: null, missing: 2, left: 0 })
    expect(await world.ask(restrictionCalls.endMuster, { body: { restrictionId: area.id } })).toMatchObject({ status: 404 })
  })
})
