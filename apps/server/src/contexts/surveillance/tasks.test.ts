/** Monitoring tasks: their rules, their states, who may choose what, and what they look out for at a moment. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { deviceType, monitorPrecision } from '@gatehouse/contract/enums'
import { scoreOfTask } from '@gatehouse/contract/faces/precision'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { monitoringTaskCalls as calls } from '@gatehouse/contract/surveillance/tasks'
import { ALWAYS_OPEN, type Made, type Site } from '@gatehouse/dev-env/site'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { until } from '../../../../../tests/support/until.ts'

type Fields = InputOf<(typeof calls)['add']['body']>

const MINUTE = 60_000
let world: World
let ahead = 0
const now = () => world.clock.now()
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + ahead } })
})
afterAll(() => world?.stop())

let made = 0
const camera = (site: Site = world, more: object = {}) => site.device({ type: deviceType.captureCamera, model: 1, ...more })

/** Fields of a task that is in control, at a camera and for a group of its own. */
async function fieldsOf(fields: Partial<Fields> = {}, site: Site = world): Promise<Fields> {
  return {
    name: `Task ${++made}`,
    startTime: now() - MINUTE,
    endTime: now() + 600 * MINUTE,
    periods: ALWAYS_OPEN,
    deviceIds: fields.deviceIds ?? [(await camera(site)).id],
    personGroupIds: fields.personGroupIds ?? [(await site.personGroup()).id],
    ...fields,
  }
}
const add = async (fields: Partial<Fields> = {}, site: Site = world) => site.ask(calls.add, { body: await fieldsOf(fields, site) })
const create = async (fields: Partial<Fields> = {}, site: Site = world) =>
  (await site.call(calls.add, { body: await fieldsOf(fields, site) })).id
const read = (id: string, site: Pick<Site, 'call'> = world) => site.call(calls.read, { query: { id } })
const statusOf = async (id: string) => (await read(id)).status
const base = (id: string, body: object, site: Pick<Site, 'ask'> = world) => site.ask(calls.updateBase, { body: { id, ...body } })
const config = (id: string, body: object, site: Pick<Site, 'ask'> = world) => site.ask(calls.updateConfig, { body: { id, ...body } })
const remove = (id: string) => world.ask(calls.delete, { query: { id } })
const refused = (code: number, path: string) => ({ status: 200, code, data: { fields: [{ path }] } })
const invalid = (path: string, rule: string) => ({ status: 400, data: { fields: [{ path, rule }] } })
const NIGHT = [
  { weekday: 1, start: '22:00', end: '24:00' },
  { weekday: 2, start: '00:00', end: '06:00' },
]

describe('rules', () => {
  test('[VAL-156] the end is after the start, when a task is made and when either changes', async () => {
    const startTime = now()
    expect(await add({ startTime, endTime: startTime })).toMatchObject(refused(900007, 'endTime'))
    const id = await create()
    expect(await base(id, { endTime: 1 })).toMatchObject(refused(900007, 'endTime'))
    expect(await base(id, { startTime: now() + 700 * MINUTE })).toMatchObject(refused(900007, 'endTime'))
    expect(await config(id, { startTime: 5, endTime: 4 })).toMatchObject(refused(900007, 'endTime'))
  })

  test('[VAL-157, VAL-158, VAL-159] a task has a device, a group and hours', async () => {
    expect(await add({ deviceIds: [] })).toMatchObject(refused(500006, 'deviceIds'))
    expect(await add({ personGroupIds: [] })).toMatchObject(refused(500007, 'personGroupIds'))
    expect(await add({ periods: [] })).toMatchObject(refused(500008, 'periods'))
    const id = await create()
    expect(await config(id, { deviceIds: [] })).toMatchObject(refused(500006, 'deviceIds'))
    expect(await config(id, { personGroupIds: [] })).toMatchObject(refused(500007, 'personGroupIds'))
    expect(await config(id, { periods: [] })).toMatchObject(refused(500008, 'periods'))
    const monday = (start: string, end: string) => ({ weekday: 1, start, end })
    expect(await config(id, { periods: [monday('09:00', '12:00'), monday('11:00', '13:00')] })).toMatchObject({ code: 300203 })
    expect(await config(id, { periods: [monday('12:00', '12:00')] })).toMatchObject(refused(900007, 'periods.0.end'))
  })

  test('[VAL-160] a custom precision is a whole number from 0 to 100, and the custom one needs it', async () => {
    const precision = monitorPrecision.custom
    for (const customPrecision of [-1, 100.5, 101, 60.5, null])
      expect(await add({ precision, customPrecision }), String(customPrecision)).toMatchObject(refused(500009, 'customPrecision'))
    for (const customPrecision of [0, 100]) {
      const task = await read(await create({ precision, customPrecision }))
      expect(task).toMatchObject({ customPrecision, score: customPrecision })
    }
  })

  test('[VAL-161] thresholds are whole or decimal numbers from 1 to 100', async () => {
    for (const field of ['similarityThreshold', 'lowThreshold', 'highThreshold'] as const)
      for (const value of [0, 0.99, 100.01])
        expect(await add({ [field]: value }), `${field} ${value}`).toMatchObject(refused(500009, field))
    const thresholds = { similarityThreshold: 72.5, lowThreshold: 1, highThreshold: 100 }
    expect(await read(await create(thresholds))).toMatchObject({ ...thresholds, score: 72.5 })
  })

  test('[VAL-162] the low threshold is below the high one, whichever of them changes', async () => {
    expect(await add({ lowThreshold: 80, highThreshold: 80 })).toMatchObject(refused(500009, 'highThreshold'))
    const id = await create({ lowThreshold: 50, highThreshold: 70 })
    expect(await config(id, { lowThreshold: 70 })).toMatchObject(refused(500009, 'highThreshold'))
    expect(await config(id, { highThreshold: 49.9 })).toMatchObject(refused(500009, 'highThreshold'))
    expect(await config(id, { lowThreshold: 69.9 })).toMatchObject({ code: 0 })
  })

  test('[VAL-163] repeated passages are counted together for 0 to 10000 seconds', async () => {
    expect(await add({ repeatSeconds: -1 })).toMatchObject(invalid('repeatSeconds', 'min.number'))
    expect(await add({ repeatSeconds: 10_001 })).toMatchObject(invalid('repeatSeconds', 'max.number'))
    for (const repeatSeconds of [0, 10_000]) expect(await read(await create({ repeatSeconds }))).toMatchObject({ repeatSeconds })
  })

  test('names are unique within the park, and an unknown task is none', async () => {
    const name = `Gate ${++made}`
    const id = await create({ name })
    expect(await add({ name: name.toUpperCase() })).toMatchObject(refused(500002, 'name'))
    expect(await base(await create(), { name })).toMatchObject(refused(500002, 'name'))
    const elsewhere = await world.addPark()
    await create({ name }, elsewhere)
    expect(await base(id, { name })).toMatchObject({ code: 0 })
    for (const unknown of [(await world.personGroup()).id, await create({}, elsewhere)]) {
      expect(await world.ask(calls.read, { query: { id: unknown } })).toMatchObject({ code: 500001 })
      expect(await base(unknown, { name: 'Any' })).toMatchObject({ code: 500001 })
      expect(await config(unknown, { lowThreshold: 50 })).toMatchObject({ code: 500001 })
      expect(await remove(unknown)).toMatchObject({ code: 500001 })
    }
  })

  test('takes capture cameras and groups of its park only', async () => {
    const elsewhere = await world.addPark()
    expect(await add({ deviceIds: [(await camera(elsewhere)).id] })).toMatchObject(invalid('deviceIds', 'unknown'))
    expect(await add({ deviceIds: [(await world.device()).id] })).toMatchObject(invalid('deviceIds', 'captureCamera'))
    expect(await add({ personGroupIds: [(await elsewhere.personGroup()).id] })).toMatchObject(refused(500011, 'personGroupIds'))
  })
})

describe('two alarms for one passer-by', () => {
  const clash = (task: string, device: Made, path = 'deviceIds') => ({
    code: 500010,
    data: { fields: [{ path, rule: 'watchedByTask', params: { task, device: device.name } }] },
  })

  test('a device looks out for a group in one unfinished task that is switched on at a time, groups below it included', async () => {
    const device = await camera()
    const group = await world.personGroup()
    const below = await world.personGroup({ parentId: group.id })
    const there = { deviceIds: [device.id] }
    const first = await create({ name: 'First', ...there, personGroupIds: [group.id] })
    expect(await add({ ...there, personGroupIds: [below.id] })).toMatchObject(clash('First', device))
    // Another device, another group, other hours, another time, or switched off: no passer-by is reported twice.
    expect(await add({ personGroupIds: [below.id] })).toMatchObject({ code: 0 })
    const other = await create({ ...there })
    const later = { startTime: now() + 600 * MINUTE, endTime: now() + 900 * MINUTE }
    expect(await add({ ...there, ...later, personGroupIds: [below.id] })).toMatchObject({ code: 0 })
    const off = await create({ ...there, personGroupIds: [group.id], enabled: 0 })
    expect(await base(off, { enabled: 1 })).toMatchObject(clash('First', device, 'enabled'))
    expect(await config(other, { personGroupIds: [below.id] })).toMatchObject({ code: 500010 })
    expect(await config(first, { periods: NIGHT })).toMatchObject({ code: 0 })
    expect(await config(other, { personGroupIds: [below.id], periods: [{ weekday: 2, start: '06:00', end: '22:00' }] })).toMatchObject({
      code: 0,
    })
    expect(await base(first, { enabled: 0 })).toMatchObject({ code: 0 })
    expect(await base(off, { enabled: 1 })).toMatchObject({ code: 500010 })
  })

  test('and for strangers in one', async () => {
    const device = await camera()
    await create({ name: 'Strangers', deviceIds: [device.id], strangerAlarm: true })
    const quiet = await create({ deviceIds: [device.id] })
    expect(await config(quiet, { strangerAlarm: true })).toMatchObject({ code: 500010 })
  })

  test('of two that are made at once only the first is saved', async () => {
    const both = await Promise.all([0, 1].map(() => fieldsOf()))
    const { deviceIds, personGroupIds } = both[0]!
    const answers = await Promise.all(both.map((fields) => world.ask(calls.add, { body: { ...fields, deviceIds, personGroupIds } })))
    expect(answers.map(({ code }) => code).toSorted((one, other) => one - other)).toEqual([0, 500010])
  })
})

describe('states', () => {
  const DISABLED = { enabled: 0 as const }

  test('pass with time [STATE:monitoringTask:enabled>in control, STATE:monitoringTask:in control>finished]', async () => {
    const id = await create({ startTime: now() + 5 * MINUTE, endTime: now() + 10 * MINUTE })
    expect(await read(id)).toMatchObject({ status: 'enabled', can: { change: true, enable: false, disable: true, delete: true } })
    ahead += 5 * MINUTE
    expect(await read(id)).toMatchObject({ status: 'inControl', can: { change: true, enable: false, disable: true, delete: false } })
    ahead += 5 * MINUTE
    expect(await read(id)).toMatchObject({ status: 'finished', can: { change: false, enable: false, disable: false, delete: true } })
  })

  test('switched on and off [STATE:monitoringTask:disabled>enabled, STATE:monitoringTask:enabled>disabled]', async () => {
    const id = await create({ startTime: now() + 60 * MINUTE, ...DISABLED })
    expect(await read(id)).toMatchObject({ status: 'disabled', can: { change: false, enable: true, disable: false, delete: true } })
    expect(await base(id, { enabled: 1 })).toMatchObject({ code: 0 })
    expect(await statusOf(id)).toBe('enabled')
    expect(await base(id, { enabled: 0 })).toMatchObject({ code: 0 })
    // Once more changes nothing.
    expect(await base(id, { enabled: 0 })).toMatchObject({ code: 0 })
    expect(await statusOf(id)).toBe('disabled')
  })

  test('switched off while in control, and disabled when its time is over [STATE:monitoringTask:in control>disabled]', async () => {
    const id = await create({ endTime: now() + 2 * MINUTE })
    expect(await statusOf(id)).toBe('inControl')
    expect(await base(id, { enabled: 0 })).toMatchObject({ code: 0 })
    ahead += 2 * MINUTE
    expect(await read(id)).toMatchObject({ status: 'disabled', can: { enable: false } })
    expect(await base(id, { enabled: 1 })).toMatchObject(refused(500014, 'enabled'))
  })

  test('[VAL-164, BEH-185, STATE:monitoringTask:disabled>(gone), STATE:monitoringTask:finished>(gone)] in control it stays', async () => {
    const [off, over] = [await create(), await create({ endTime: now() + MINUTE })]
    for (const id of [off, over]) expect(await remove(id)).toMatchObject({ code: 500003 })
    await base(off, { enabled: 0 })
    ahead += MINUTE
    for (const id of [off, over]) {
      expect(await remove(id)).toMatchObject({ code: 0 })
      expect(await remove(id)).toMatchObject({ code: 500001 })
    }
  })

  test('[VAL-165, BEH-186] a finished or disabled task is not edited [STATE:monitoringTask:enabled>enabled]', async () => {
    const [off, over] = [await create(DISABLED), await create({ endTime: now() + MINUTE })]
    expect(await base(over, { name: `Edited ${++made}` })).toMatchObject({ code: 0 })
    ahead += MINUTE
    for (const id of [off, over]) {
      expect(await base(id, { name: 'Other' })).toMatchObject({ code: 500004 })
      expect(await base(id, { endTime: now() + 10 * MINUTE, enabled: 1 })).toMatchObject({ code: 500004 })
      expect(await config(id, { lowThreshold: 50 })).toMatchObject({ code: 500004 })
    }
    // The switch of a finished one does nothing any more.
    for (const enabled of [0, 1]) expect(await base(over, { enabled })).toMatchObject(refused(500014, 'enabled'))
    const waiting = await create({ startTime: now() + 60 * MINUTE })
    expect(await config(waiting, { lowThreshold: 55, name: `Edited ${++made}` })).toMatchObject({ code: 0 })
    expect(await read(waiting)).toMatchObject({ status: 'enabled', lowThreshold: 55, name: `Edited ${made}` })
  })
})

test('tasks are listed newest first, by name, state and device', async () => {
  const site = await world.addPark()
  const device = await camera(site)
  const waiting = await create({ name: 'Waiting', startTime: now() + 60 * MINUTE }, site)
  const running = await create({ name: 'Running', deviceIds: [device.id] }, site)
  const off = await create({ name: 'Off', enabled: 0 }, site)
  const over = await create({ name: 'Over', startTime: 1, endTime: now() - MINUTE }, site)
  const list = async (body: object) => (await site.call(calls.find, { body })).content.map(({ id }) => id)
  expect(await list({})).toEqual([over, off, running, waiting])
  expect(await list({ status: 'enabled' })).toEqual([waiting])
  expect(await list({ status: 'inControl' })).toEqual([running])
  expect(await list({ status: 'disabled' })).toEqual([off])
  expect(await list({ status: 'finished' })).toEqual([over])
  expect(await list({ name: 'un' })).toEqual([running])
  expect(await list({ deviceId: device.id })).toEqual([running])
  expect(await list({ deviceId: (await camera()).id })).toEqual([])
  expect(await site.call(calls.find, { body: { pageNo: 1, pageSize: 3 } })).toMatchObject({ total: 4, page: 2, content: [{ id: waiting }] })
  expect((await site.call(calls.find, { body: { name: 'Running' } })).content[0]).toMatchObject({ deviceCount: 1, personGroupCount: 1 })
})

test('a change keeps what it leaves out, and is refused where the task has changed since', async () => {
  const id = await create({ similarityThreshold: 80, strangerAlarm: true })
  const before = await read(id)
  expect(await config(id, { similarityThreshold: null, repeatSeconds: 60, version: before.version })).toMatchObject({ code: 0 })
  expect(await read(id)).toMatchObject({
    ...before,
    similarityThreshold: null,
    repeatSeconds: 60,
    version: before.version + 1,
    updatedAt: expect.any(Number),
    score: expect.any(Number),
  })
  expect(await config(id, { repeatSeconds: 61, version: before.version })).toMatchObject({ status: 409 })
})

test('the operation log says what a task was and became', async () => {
  const site = await world.addPark()
  const id = await create({ name: 'Gate' }, site)
  await base(id, { enabled: 0 }, site)
  await world.server.platform.audit.settled()
  const { content } = await site.call(auditCalls.operations, { query: { size: 5 } })
  const entry = content.find(({ url }) => url.includes('updateControlBase'))!
  const { changes } = await site.call(auditCalls.operation, { params: { id: entry.id } })
  expect(changes).toMatchObject([{ entity: 'monitoringTask', label: 'Gate', fields: [{ field: 'enabled', before: true, after: false }] }])
})

describe('who may see what', () => {
  test('groups of the watch list are neither shown to nor chosen nor lost by those who may not see it', async () => {
    const site = await world.addPark()
    const other = await world.session({ park: site.park, roleSign: 'other', permissions: ['surveillance.rule'] })
    const watched = await site.call(specialCalls.createGroup, { body: { name: 'Wanted' } })
    const staff = await site.personGroup()
    const id = await create({ personGroupIds: [watched.id, staff.id] }, site)
    expect((await read(id, site)).personGroupIds.toSorted()).toEqual([watched.id, staff.id].toSorted())
    const seen = await other.call(calls.read, { query: { id } })
    expect(seen).toMatchObject({ personGroupIds: [staff.id], personGroups: [{ id: staff.id }], score: null })
    expect((await other.call(calls.find, { body: {} })).content[0]).toMatchObject({ id, personGroupCount: 1 })
    expect(await other.ask(calls.updateConfig, { body: { id, personGroupIds: [watched.id] } })).toMatchObject(
      refused(500011, 'personGroupIds'),
    )
    expect(await other.ask(calls.updateConfig, { body: { id, personGroupIds: [staff.id] } })).toMatchObject({ code: 0 })
    expect((await read(id, site)).personGroupIds).toHaveLength(2)
  })

  test('devices outside the groups a role is limited to are neither shown nor chosen nor lost', async () => {
    const site = await world.addPark()
    const group = await site.deviceGroup()
    const [within, outside] = [await camera(site, { groupId: group.id }), await camera(site)]
    const limited = await world.session({
      park: site.park,
      roleSign: 'other',
      permissions: ['surveillance.rule'],
      deviceGroupIds: [group.id],
    })
    const id = await create({ deviceIds: [within.id, outside.id] }, site)
    expect(await limited.call(calls.read, { query: { id } })).toMatchObject({ deviceIds: [within.id] })
    expect((await limited.call(calls.find, { body: { deviceId: outside.id } })).total).toBe(0)
    expect(await limited.ask(calls.updateConfig, { body: { id, deviceIds: [outside.id] } })).toMatchObject(invalid('deviceIds', 'unknown'))
    expect(await limited.ask(calls.updateConfig, { body: { id, deviceIds: [within.id] } })).toMatchObject({ code: 0 })
    expect((await read(id, site)).deviceIds).toHaveLength(2)
  })
})

test('a group that a task looks out for is not deleted [VAL-077]', async () => {
  const group = await world.personGroup()
  const id = await create({ personGroupIds: [group.id], enabled: 0 })
  const deleting = () => world.ask(peopleCalls.deleteGroup, { query: { id: group.id } })
  expect(await deleting()).toMatchObject({ code: 200103 })
  await remove(id)
  expect(await deleting()).toMatchObject({ code: 0 })
})

describe('what looks out at a moment', () => {
  const at = (site: Site, device: Made, moment: number) =>
    world.server.contexts.surveillance.watching.at({ parkId: site.park.id }, device.id, moment)
  const names = async (site: Site, device: Made, moment: number) => (await at(site, device, moment)).map(({ name }) => name)

  test('a task in control, within its hours by the clock of the park, at its devices; a night is two periods', async () => {
    const site = await world.addPark({ zone: 'Asia/Shanghai' })
    const device = await camera(site)
    // 2026-03-02 is a Monday.
    const shanghai = (time: string) => Date.parse(`2026-03-${time}+08:00`)
    const [startTime, endTime] = [shanghai('01T00:00'), shanghai('10T23:00')]
    await create({ name: 'Night', startTime, endTime, periods: NIGHT, deviceIds: [device.id] }, site)
    const looks = async (time: string) => (await names(site, device, shanghai(time))).length === 1
    expect(await looks('02T21:59:59.999')).toBe(false)
    expect(await looks('02T22:00')).toBe(true)
    expect(await looks('03T00:00')).toBe(true)
    expect(await looks('03T06:00')).toBe(false)
    expect(await looks('10T05:59')).toBe(true)
    expect(await looks('16T23:00')).toBe(false)
    expect(await names(site, await camera(site), shanghai('02T22:00'))).toEqual([])
  })

  test('follows switches, changes, groups that move, and scores by the promise of the park', async () => {
    const site = await world.addPark()
    const device = await camera(site)
    const [group, later] = [await site.personGroup(), await site.personGroup()]
    const id = await create({ deviceIds: [device.id], personGroupIds: [group.id], compareRule: 'task', strangerAlarm: true }, site)
    const promised = async () => (await world.server.contexts.faces.service.thresholdsOf({ parkId: site.park.id })).watchList
    const [task] = await at(site, device, now())
    expect(task).toMatchObject({ id, ownThresholds: false, strangerAlarm: true, score: await promised() })
    expect([...task!.groupIds]).toEqual([group.id])
    await site.call(peopleCalls.changeGroup, { body: { id: later.id, parentId: group.id } })
    await until('the group below to count', async () => (await at(site, device, now()))[0]?.groupIds.has(later.id) === true)

    await config(id, { precision: monitorPrecision.strict }, site)
    expect((await at(site, device, now()))[0]?.score).toBe((await promised()) + 5)

    await base(id, { enabled: 0 }, site)
    expect(await at(site, device, now())).toEqual([])
  })

  test('a task whose device is deleted stays and looks out nowhere', async () => {
    const device = await camera()
    const id = await create({ deviceIds: [device.id] })
    expect(await names(world, device, now())).toHaveLength(1)
    await world.call(deviceCalls.delete, { query: { ids: [device.id] } })
    await until('the task to be without devices', async () => (await names(world, device, now())).length === 0)
    expect(await read(id)).toMatchObject({ deviceIds: [], devices: [] })
    expect(await config(id, { repeatSeconds: 30 })).toMatchObject({ code: 0 })
  })

  test('presets are relative to what the park promises', () => {
    const score = (precision: 1 | 2 | 3 | 4 | 5 | 6, more: { customPrecision?: number; similarityThreshold?: number } = {}) =>
      scoreOfTask({ precision, customPrecision: null, similarityThreshold: null, ...more }, 97)
    expect(([1, 2, 3, 4, 5] as const).map((precision) => score(precision))).toEqual([107, 102, 97, 92, 87])
    expect(score(6, { customPrecision: 64 })).toBe(64)
    expect(score(6, { customPrecision: 64, similarityThreshold: 71.5 })).toBe(71.5)
    expect(score(3, { similarityThreshold: 71.5 })).toBe(71.5)
  })
})
