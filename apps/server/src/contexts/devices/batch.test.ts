/** Several devices added at once: all of them or none. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEVICES_ADDED_AT_ONCE, type InputOf } from '@gatehouse/contract'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { deviceLimitCalls } from '@gatehouse/contract/organisation/limits'
import { secretOf } from '@gatehouse/dev-env/secret'
import { startWorld, type Site, type World } from '@gatehouse/dev-env/world'
import { askToPair, wireClient } from '../../../../../tests/support/wire-device.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

type Row = InputOf<typeof deviceCalls.createMany.body>['devices'][number]
let made = 0
const rows = (count: number, overrides: Partial<Row> = {}): Row[] =>
  Array.from({ length: count }, () => ({ code: `BATCH-${++made}`, name: `Batch ${made}`, ...overrides }))
const add = (site: Site, devices: Row[]) => site.ask(deviceCalls.createMany, { body: { devices } })
const listed = (site: Site) => site.call(deviceCalls.list, { query: { size: 100 } })

test('up to ten come at once, each with a secret of its own that works, and more are refused [VAL-105]', async () => {
  const site = await world.addPark()
  expect(await add(site, rows(DEVICES_ADDED_AT_ONCE + 1))).toMatchObject({
    status: 200,
    code: 400003,
    data: { fields: [{ path: 'devices' }] },
  })
  expect((await listed(site)).total).toBe(0)
  const ten = rows(DEVICES_ADDED_AT_ONCE)
  const answer = await add(site, ten)
  expect(answer.code).toBe(0)
  expect(answer.data.map(({ code }) => code)).toEqual(ten.map(({ code }) => code))
  expect(new Set(answer.data.map(({ secret }) => secret)).size).toBe(10)
  expect((await listed(site)).total).toBe(10)
  for (const one of answer.data.slice(0, 2))
    expect((await askToPair(wireClient(world.url, { ...one, secret: secretOf(one) }))).code).toBe(0)
  expect((await add(site, [])).status).toBe(400)
  await world.server.platform.audit.settled()
  const [entry] = (await site.call(auditCalls.operations, { query: {} })).content
  expect((await site.call(auditCalls.operation, { params: { id: entry!.id } })).changes).toHaveLength(10)
})

test('what is wrong with a row stands at its row, every one of them, and then none is added', async () => {
  const site = await world.addPark()
  const taken = await site.device({ code: 'TAKEN-1', name: 'Taken', digitalCode: '4001' })
  const [first, second, third, fourth, fifth] = rows(5)
  const answer = await add(site, [
    { ...first!, code: taken.code.toLowerCase() },
    { ...second!, name: 'TAKEN' },
    { ...third!, digitalCode: '4001' },
    { ...fourth!, model: 1 },
    { ...fifth!, groupId: (await world.deviceGroup()).id },
  ])
  expect(answer).toMatchObject({
    // A code says more than that a field is wrong: the first one is the code of the answer.
    status: 200,
    code: 400006,
    data: {
      fields: [
        { path: 'devices.0.code', rule: 'code.400006' },
        { path: 'devices.1.name', rule: 'code.400005' },
        { path: 'devices.2.digitalCode', rule: 'code.400006' },
        { path: 'devices.3.model', rule: 'code.400204' },
        { path: 'devices.4.groupId', rule: 'unknown' },
      ],
    },
  })
  expect((await listed(site)).total).toBe(1)
  // If all rows are refused for the same reason, the answer is that refusal.
  expect(await add(site, [{ ...first!, code: taken.code }, second!])).toMatchObject({
    status: 200,
    code: 400006,
    data: { fields: [{ path: 'devices.0.code' }] },
  })
  // A form that does not match its schema names the row too.
  expect(await add(site, [first!, { ...second!, code: 'no code' }])).toMatchObject({
    status: 400,
    data: { fields: [expect.objectContaining({ path: 'devices.1.code', rule: 'deviceCode' })] },
  })
  expect(await add(site, [first!, { ...second!, type: deviceType.nvr, model: 7 }])).toMatchObject({
    status: 400,
    data: {
      fields: ['ip', 'port', 'userName', 'password'].map((field) =>
        expect.objectContaining({ path: `devices.1.${field}`, rule: 'required' }),
      ),
    },
  })
  expect((await listed(site)).total).toBe(1)
})

test('of two rows with the same code, name or digital code the second is wrong', async () => {
  const site = await world.addPark()
  const [one, other] = rows(2)
  expect(await add(site, [one!, { ...other!, code: one!.code.toUpperCase() }])).toMatchObject({
    code: 400006,
    data: { fields: [{ path: 'devices.1.code' }] },
  })
  expect(await add(site, [one!, { ...other!, name: one!.name.toLowerCase() }])).toMatchObject({
    code: 400005,
    data: { fields: [{ path: 'devices.1.name' }] },
  })
  expect(
    await add(site, [
      { ...one!, digitalCode: '5001' },
      { ...other!, digitalCode: '5001' },
    ]),
  ).toMatchObject({ code: 400006, data: { fields: [{ path: 'devices.1.digitalCode' }] } })
  expect((await listed(site)).total).toBe(0)
})

test('the limit of an institution holds for all of them together', async () => {
  const site = await world.addPark({ name: 'Pier' })
  await world.call(deviceLimitCalls.add, { body: { organisationId: site.park.id, limit: 3, deviceType: null } })
  expect(await add(site, rows(4))).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'devices.3.type', rule: 'deviceLimit', params: { organisation: 'Pier', limit: 3, count: 3 } }] },
  })
  expect((await listed(site)).total).toBe(0)
  expect((await add(site, rows(3))).code).toBe(0)
})

test('they take the direction of their group unless it is said', async () => {
  const site = await world.addPark()
  const { id: groupId } = await site.call(deviceCalls.createGroup, { body: { name: 'Exits', defaultDirection: 2 } })
  const [one, other, third] = rows(3)
  await add(site, [{ ...one!, groupId }, { ...other!, groupId, direction: 1 }, third!])
  const { content } = await listed(site)
  const directionOf = (code: string) => content.find((device) => device.code === code)!.direction
  expect([one, other, third].map((row) => directionOf(row!.code))).toEqual([2, 1, 1])
})

test('two who add the same codes at once: one of them is told where it clashes', async () => {
  const site = await world.addPark()
  const same = rows(3)
  const answers = await Promise.all([
    add(site, same),
    add(
      site,
      same.map((row) => ({ ...row, name: `${row.name} again` })),
    ),
  ])
  expect(answers.map(({ code }) => code).toSorted()).toEqual([0, 400006])
  expect((await listed(site)).total).toBe(3)
})
