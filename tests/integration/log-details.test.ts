/**
 * What the operation log shows of changes to persons, devices, access and faces: values before and after, and nothing of deleted persons.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { clinicCalls } from '@gatehouse/contract/clinic/calls'
import { auditCalls, type OperationDetail } from '@gatehouse/contract/audit/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { faceLivenessCalls } from '@gatehouse/contract/faces/liveness'
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import { DEFAULT_PROMISES } from '@gatehouse/contract/faces/promise'
import { faceReportCalls } from '@gatehouse/contract/faces/report'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { sql } from '@gatehouse/server/platform/database/database'
import { portraitVariant } from '@gatehouse/dev-env/portraits'
import { createFixtures, type Fixtures } from '../support/fixtures.ts'
import { openedLog } from '../support/opened-log.ts'
import { until } from '../support/until.ts'

let world: World
let here: Fixtures
let plain: Client
let masking: Client
beforeAll(async () => {
  world = await startWorld()
  here = await createFixtures(world, world)
  plain = await world.session()
  masking = await world.session({ masking: true })
})
afterAll(() => world?.stop())

/** Return the details of the newest log entry, as a user reads them. */
async function newest(client: Pick<Client, 'call'> = plain): Promise<OperationDetail> {
  const { content } = await client.call(auditCalls.operations, { query: { size: 1 } })
  return client.call(auditCalls.operation, { params: { id: content[0]!.id } })
}

/** Return the one change of the newest entry, its fields by name as [before, after]. */
async function changeOf(client?: Client) {
  const { url, changes } = await newest(client)
  expect(changes).toHaveLength(1)
  const { entity, id, label, kind, fields } = changes[0]!
  return { url, entity, id, label, kind, fields: Object.fromEntries(fields.map(({ field, before, after }) => [field, [before, after]])) }
}

describe('persons', () => {
  test('are told with what was registered and changed, an ID number never', async () => {
    const person = await world.person({ name: 'Zoe Quartermain', phone: '13812340000', idNumber: '110101199003070001', remark: 'first' })
    expect(await changeOf()).toMatchObject({
      url: peopleCalls.create.url,
      entity: 'person',
      id: person.id,
      label: 'Zoe Quartermain',
      kind: 'created',
      fields: {
        name: [null, 'Zoe Quartermain'],
        phone: [null, '13812340000'],
        idNumber: [null, '•••'],
        groupName: [null, expect.any(String)],
      },
    })
    await world.call(peopleCalls.change, {
      body: {
        id: person.id,
        name: 'Zoe Quartermain',
        workNumber: person.workNumber,
        groupId: here.group.id,
        phone: '13812349999',
        idNumber: '110101199003070001',
        remark: 'second',
      },
    })
    const { kind, fields } = await changeOf()
    expect({ kind, fields }).toEqual({
      kind: 'changed',
      fields: { phone: ['13812340000', '13812349999'], remark: ['first', 'second'], groupName: [expect.any(String), here.group.name] },
    })
    expect(JSON.stringify(await openedLog(world))).not.toContain('110101199003070001')
  })

  test('are masked in the log for whom everything is', async () => {
    await world.person({ name: 'Zoe Quartermain', phone: '13812340007' })
    expect(await changeOf(masking)).toMatchObject({
      label: 'Z********n',
      fields: { name: [null, 'Z********n'], phone: [null, '138****0007'] },
    })
  })

  test('are told with being disabled and enabled', async () => {
    const person = await world.person()
    await world.call(peopleCalls.status, { body: { ids: [person.id], status: 0 } })
    expect(await changeOf()).toMatchObject({ entity: 'person', label: person.name, kind: 'changed', fields: { enabled: [true, false] } })
  })

  test('who are deleted stand in no entry with anything of theirs; that they were deleted does', async () => {
    const person = await world.person({ name: 'Xerxes Unforgettable', phone: '13955554444', remark: 'left the firm' })
    const other = await world.person({ name: 'Ophelia Remaining' })
    await world.call(peopleCalls.status, { body: { ids: [person.id, other.id], status: 0 } })
    await world.call(peopleCalls.status, { body: { ids: [person.id, other.id], status: 1 } })
    await world.call(faceCalls.setThreshold, { params: { id: person.id }, body: { threshold: 90 } })
    await world.call(peopleCalls.delete, { query: { ids: [person.id] } })
    expect(await changeOf()).toEqual({
      url: peopleCalls.delete.url,
      entity: 'person',
      id: person.id,
      label: '',
      kind: 'deleted',
      fields: {},
    })
    const all = (
      await sql<{
        text: string
        entries: number
      }>`SELECT string_agg(changes::text || labels, '') AS text,
        count(*) FILTER (WHERE changes::text LIKE ${`%${person.id}%`}) AS entries FROM operation_log`.execute(world.server.platform.db)
    ).rows[0]!
    const opened = JSON.stringify(await openedLog(world))
    for (const value of ['Xerxes', '13955554444', 'left the firm']) for (const text of [all.text, opened]) expect(text).not.toContain(value)
    expect(all.text).toContain('Ophelia Remaining')
    expect(Number(all.entries)).toBe(5)
    expect((await plain.call(auditCalls.operations, { query: { subject: 'Xerxes' } })).total).toBe(0)
  })

  test('groups are told with their names and what is above them', async () => {
    const [first, second] = [await world.personGroup({ name: 'First_floor' }), await world.personGroup({ name: 'Second_floor' })]
    expect(await changeOf()).toMatchObject({
      entity: 'personGroup',
      label: 'Second_floor',
      kind: 'created',
      fields: { name: [null, 'Second_floor'] },
    })
    await world.call(peopleCalls.changeGroup, { body: { id: second.id, name: 'Attic', parentId: first.id } })
    expect(await changeOf()).toMatchObject({
      label: 'Attic',
      kind: 'changed',
      fields: { name: ['Second_floor', 'Attic'], parent: [null, 'First_floor'] },
    })
    await world.call(peopleCalls.deleteGroup, { query: { id: second.id } })
    expect(await changeOf()).toMatchObject({ label: 'Attic', kind: 'deleted', fields: { name: ['Attic', null] } })
  })
})

describe('devices', () => {
  test('are told with what was set, and a new secret without the secret', async () => {
    const group = await world.deviceGroup('Gates')
    expect(await changeOf()).toMatchObject({ entity: 'deviceGroup', label: 'Gates', kind: 'created' })
    const device = await world.device({ name: 'North gate', groupId: group.id })
    expect(await changeOf()).toMatchObject({
      entity: 'device',
      label: 'North gate',
      kind: 'created',
      fields: { code: [null, device.code], group: [null, 'Gates'] },
    })
    await world.call(deviceCalls.change, { body: { id: device.id, name: 'South gate', direction: 2 } })
    expect((await changeOf()).fields).toEqual({ name: ['North gate', 'South gate'], direction: [1, 2] })
    const { secret } = await world.call(deviceCalls.resetSecret, { params: { id: device.id }, body: {} })
    expect(await changeOf()).toMatchObject({ label: 'South gate', kind: 'changed', fields: { secret: ['•••', '•••'] } })
    await world.call(deviceCalls.delete, { query: { ids: [device.id] } })
    expect(await changeOf()).toMatchObject({ label: 'South gate', kind: 'deleted', fields: { code: [device.code, null] } })
    const opened = JSON.stringify(await openedLog(world))
    expect(opened).not.toContain(secret)
    expect(opened).not.toContain(device.secret)
  })

  test('a door that was opened is told with who opened which', async () => {
    const terminal = await world.terminal()
    const guard = await world.session({ permissions: ['device.list', 'own:door.open'] })
    await until(
      'the door to be seen online',
      async () => (await guard.call(deviceCalls.read, { params: { id: terminal.device.id } })).onlineStatus === 1,
    )
    expect(await guard.call(doorCalls.controlDoor, { body: { deviceId: terminal.device.id, operateType: 1 } })).toMatchObject({
      isSuccess: true,
    })
    expect(await changeOf()).toMatchObject({
      url: doorCalls.controlDoor.url,
      entity: 'device',
      id: terminal.device.id,
      label: terminal.device.name,
      kind: 'changed',
      fields: { operateType: [null, 1], isSuccess: [null, true] },
    })
    expect((await newest()).account).toMatch(/^user-/)
    await terminal.stop()
  })
})

describe('access', () => {
  test('rules are told with their times', async () => {
    const rule = await world.timeRule({ name: 'Night shift', periods: [{ weekday: 1, start: '20:00', end: '24:00' }] })
    expect(await changeOf()).toMatchObject({
      entity: 'timeRule',
      label: 'Night shift',
      kind: 'created',
      fields: { periods: [null, [{ weekday: 1, start: '20:00', end: '24:00' }]] },
    })
    await world.call(timeRuleCalls.change, {
      body: { id: rule.id, name: 'Night shift', periods: [{ weekday: 2, start: '20:00', end: '24:00' }] },
    })
    expect((await changeOf()).fields).toEqual({
      periods: [[{ weekday: 1, start: '20:00', end: '24:00' }], [{ weekday: 2, start: '20:00', end: '24:00' }]],
    })
    await world.call(timeRuleCalls.delete, { body: { ids: [rule.id] } })
    expect(await changeOf()).toMatchObject({ label: 'Night shift', kind: 'deleted' })
  })

  test('strategies are told with who and what came and left, persons by their ids', async () => {
    const [first, second, device, rule] = [
      await world.person(),
      await world.person(),
      await world.device(),
      await world.timeRule({ name: 'Office hours' }),
    ]
    const strategy = await world.strategy({ name: 'Cleaners', persons: [first], devices: [device], timeRules: [rule] })
    expect(await changeOf()).toMatchObject({
      entity: 'strategy',
      id: strategy.id,
      label: 'Cleaners',
      kind: 'created',
      fields: { personIds: [null, [first.id]], devices: [null, [device.name]], timeRules: [null, ['Office hours']] },
    })
    await world.call(strategyCalls.change, {
      body: {
        id: strategy.id,
        name: 'Cleaners',
        personIds: [first.id, second.id],
        deviceIds: [],
        deviceGroupIds: [here.deviceGroup.id],
        timeRuleIds: [rule.id],
        methods: [1, 4],
      },
    })
    const { fields } = await changeOf()
    expect(fields).toEqual({ personIds: [[], [second.id]], devices: [[device.name], []], deviceGroups: [[], [here.deviceGroup.name]] })
    await world.call(strategyCalls.delete, { query: { id: strategy.id } })
    expect(await changeOf()).toMatchObject({ label: 'Cleaners', kind: 'deleted' })
  })

  test('a correction is told with what it did to the person, and its end', async () => {
    await world.call(clinicCalls.correct, {
      params: { id: here.recordId },
      body: { actualPersonId: here.otherPerson.id, threshold: 88, note: 'twins' },
    })
    expect(await changeOf()).toMatchObject({
      entity: 'person',
      id: here.person.id,
      label: here.person.name,
      fields: {
        wrongMatchAt: [null, here.recordId],
        actualPersonId: [null, here.otherPerson.id],
        threshold: [null, 88],
        note: [null, 'twins'],
      },
    })
    await world.call(clinicCalls.undo, { params: { id: here.recordId } })
    expect(await changeOf()).toMatchObject({
      entity: 'person',
      id: here.person.id,
      fields: { threshold: [88, null], note: ['twins', null] },
    })
  })
})

describe('faces', () => {
  test('the policy is told with the settings that changed', async () => {
    const { margin, lookAlikeMargin, photosWanted } = await world.call(facePolicyCalls.read, {})
    await world.call(facePolicyCalls.change, {
      body: {
        ...DEFAULT_PROMISES,
        strangersPerThousand: 1,
        margin: margin + 1,
        lookAlikeMargin,
        photosWanted,
        liveness: { mode: 'off' },
      },
    })
    expect(await changeOf()).toMatchObject({
      entity: 'facePolicy',
      id: world.park.id,
      kind: 'changed',
      fields: { margin: [margin, margin + 1], doorPromise: [10, 1] },
    })
  })

  test('how somebody is compared is told with the person’s name', async () => {
    const photos = await Promise.all([portraitVariant(31, 0), portraitVariant(31, 1)])
    const [person, other] = [await world.person({ photo: photos }), await world.person()]
    await world.call(faceCalls.setThreshold, { params: { id: person.id }, body: { threshold: 91 } })
    expect(await changeOf()).toMatchObject({
      entity: 'person',
      id: person.id,
      label: person.name,
      kind: 'changed',
      fields: { threshold: [null, 91] },
    })
    await world.call(faceCalls.setAside, { params: { id: person.faceIds[0]! }, body: { setAside: true } })
    expect(await changeOf()).toMatchObject({
      entity: 'person',
      id: person.id,
      label: person.name,
      fields: { setAside: [null, person.faceIds[0]] },
    })
    const { id } = await world.call(faceCalls.addPair, { body: { personId: person.id, otherId: other.id } })
    const details = async () =>
      (await newest()).changes.map(({ label, fields }) => [label, fields.map(({ before, after }) => [before, after])])
    expect(await details()).toEqual([
      [person.name, [[null, other.id]]],
      [other.name, [[null, person.id]]],
    ])
    await world.call(faceCalls.removePair, { params: { id } })
    expect(await details()).toEqual([
      [person.name, [[other.id, null]]],
      [other.name, [[person.id, null]]],
    ])
  })

  test('reports and captures are told', async () => {
    await world.call(faceReportCalls.delete, { params: { id: here.reportId } })
    expect(await changeOf()).toMatchObject({ entity: 'faceReport', id: here.reportId, kind: 'deleted' })
    await world.call(faceLivenessCalls.remove, { body: { ids: [here.captureId] } })
    expect(await changeOf()).toMatchObject({ entity: 'livenessCapture', id: here.captureId, kind: 'deleted' })
  })
})

test('a record that was deleted is told with its door and time, without the person', async () => {
  await world.call(recordCalls.delete, { params: { id: here.recordId } })
  const change = await changeOf()
  expect(change).toMatchObject({
    entity: 'accessRecord',
    id: here.recordId,
    kind: 'deleted',
    fields: { deviceName: [here.device.name, null], time: [expect.any(Number), null] },
  })
  expect(JSON.stringify(change)).not.toContain(here.person.name)
})

test('a call that was refused leaves no entry', async () => {
  const before = await newest()
  expect((await world.ask(peopleCalls.create, { body: { name: 'Nobody', groupId: 'nothing' } })).code).not.toBe(0)
  expect((await world.ask(doorCalls.controlDoor, { body: { deviceId: here.device.id, operateType: 1 } })).code).toBe(400205)
  expect((await newest()).id).toBe(before.id)
})
