/** Approval of forced upgrades: they need no confirmation at the device, so another user of the console has to approve them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { addTask, saveVersion } from '@gatehouse/dev-env/packages'
import { Catalogue } from '@gatehouse/dev-env/simulator/catalogue'
import { createDeviceClock } from '@gatehouse/dev-env/simulator/clock'
import { startSimulatedDevice, type SimulatedDevice } from '@gatehouse/dev-env/simulator/simulated-device'
import { startWorld, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { until } from '../../../../../tests/support/until.ts'

let world: World
/** Another operator, who has confirmed the password, and one who has not. */
let second: Client
let absent: Client
const simulated: SimulatedDevice[] = []
beforeAll(async () => {
  world = await startWorld()
  const root = world.server.contexts.organisation.service.root().id
  second = await world.session({ roleSign: 'operator', organisationId: root })
  absent = await world.session({ roleSign: 'operator', organisationId: root, confirmed: false })
})
afterAll(async () => {
  await Promise.all(simulated.map((one) => one.stop()))
  await world?.stop()
})

let number = 100
const next = () => String(++number)
const FORCED = 1

async function simulate({ code, secret }: MadeDevice): Promise<SimulatedDevice> {
  const device = await startSimulatedDevice({
    server: world.url,
    code,
    secret,
    modelId: 'none',
    version: '1',
    // At noon, because at night no confirmation at the device is needed.
    clock: createDeviceClock({ truth: () => Date.UTC(2026, 10, 22, 12) }),
    retry: { first: 50, limit: 200 },
    store: { catalogue: new Catalogue() },
  })
  simulated.push(device)
  return device
}

const taskOf = (id: string, by: Pick<Client, 'call'> = world) => by.call(upgradeCalls.task, { query: { id } })
const rowsOf = async (id: string) => (await world.call(upgradeCalls.taskDevices, { params: { id }, query: {} })).content
const approve = (id: string, by: Pick<Client, 'ask'> = second) => by.ask(upgradeCalls.approve, { params: { id } })
const decline = (id: string, by: Pick<Client, 'ask'> = second) => by.ask(upgradeCalls.decline, { params: { id } })
const ruleOf = (rule: string) => ({ status: 400, data: { fields: [{ path: '', rule }] } })

/** Create a forced upgrade of one new device, requested by the administrator. */
async function asked(): Promise<{ id: string; device: MadeDevice; versionNumber: string }> {
  const device = await world.device()
  const { id: versionId, versionNumber } = await saveVersion(world.client, { versionNumber: next() })
  return { device, versionNumber, id: await addTask(world.client, { versionId, deviceIds: [device.id], type: FORCED }) }
}

test('nothing is done before somebody else has agreed, with the password; then it begins', async () => {
  const { id, device, versionNumber } = await asked()
  const running = await simulate(device)
  // A running upgrade is not ended by a task that is pending approval.
  const { id: versionId } = await saveVersion(world.client, { versionNumber: next() })
  const other = await addTask(world.client, { versionId, deviceIds: [device.id] })
  await until('the other to be told', async () => (await rowsOf(other))[0]!.step === 'prompt')

  expect(await taskOf(id)).toMatchObject({ status: 'inProgress', approval: 'pending', own: true, approvedBy: '', approvedAt: null })
  expect(await taskOf(id, second)).toMatchObject({ approval: 'pending', own: false, askedBy: expect.stringMatching(/./) })
  expect((await world.call(upgradeCalls.tasks, { query: { approval: 'pending' } })).content.map((task) => task.id)).toContain(id)
  expect(await rowsOf(id)).toMatchObject([{ state: 'inProgress', step: 'approval', startedAt: null }])
  const itself = createClient(world.url, { basic: [device.code, device.secret] })
  const params = { id }
  expect(await itself.ask(upgradeCalls.deviceUpgrade, { params })).toMatchObject({ status: 404 })
  expect(await itself.ask(upgradeCalls.devicePackage, { params })).toMatchObject({ status: 404 })
  const body = { attempt: 1, state: 'success', versionNumber } as const
  expect(await itself.ask(upgradeCalls.deviceReport, { params, body })).toMatchObject({ status: 404 })

  expect(await approve(id, world)).toMatchObject(ruleOf('approvalOwn'))
  expect(await approve(id, absent)).toMatchObject({ status: 403, data: { fields: [{ rule: 'passwordNeeded' }] } })
  const another = await world.addPark()
  const elsewhere = await world.session({ roleSign: 'parkAdmin', park: another.park })
  expect(await approve(id, elsewhere)).toMatchObject({ status: 403 })
  expect([await rowsOf(id), running.installation.version()]).toMatchObject([[{ step: 'approval' }], '1'])

  expect(await approve(id)).toMatchObject({ code: 0, data: { devices: 1 } })
  await until('it to have started again', async () => (await rowsOf(id))[0]!.state === 'restarted')
  expect(running.installation.version()).toBe(versionNumber)
  expect(await taskOf(id)).toMatchObject({ status: 'success', approval: 'given', approvedBy: 'Somebody', approvedAt: expect.any(Number) })
  expect(await rowsOf(other)).toMatchObject([{ state: 'failed', reason: 'superseded' }])
  for (const again of [await approve(id), await decline(id)]) expect(again).toMatchObject(ruleOf('approvalOver'))

  await world.settled()
  const { content } = await world.call(auditCalls.operations, { query: { operator: 'Somebody' } })
  expect(content.filter(({ url }) => url === upgradeCalls.approve.url)).toMatchObject([{ operator: 'Somebody' }])
})

test('one that is declined does nothing, and asks again when it is tried again', async () => {
  const { id, device } = await asked()
  const running = await simulate(device)
  expect(await decline(id)).toMatchObject({ code: 0, data: { devices: 1 } })
  expect([await rowsOf(id), await taskOf(id)]).toMatchObject([
    [{ state: 'failed', reason: 'declined' }],
    { status: 'failed', approval: 'declined', approvedBy: 'Somebody' },
  ])
  expect(await second.call(upgradeCalls.retry, { params: { id }, body: {} })).toEqual({ devices: 1 })
  expect([await rowsOf(id), await taskOf(id, second)]).toMatchObject([
    [{ state: 'inProgress', step: 'approval', attempt: 2 }],
    { approval: 'pending', own: true, approvedBy: '' },
  ])
  // The user who requests it cannot approve it, whoever requested it the first time.
  expect(await approve(id)).toMatchObject(ruleOf('approvalOwn'))
  expect(running.installation.version()).toBe('1')
  expect(await decline(id)).toMatchObject({ code: 0 })
})

test('what was agreed to may be tried again; what is cancelled asks nobody any more', async () => {
  const { id } = await asked()
  await approve(id)
  await world.call(upgradeCalls.cancel, { params: { id }, body: {} })
  expect(await taskOf(id)).toMatchObject({ status: 'failed', approval: 'given' })
  expect(await world.call(upgradeCalls.retry, { params: { id }, body: {} })).toEqual({ devices: 1 })
  expect([await rowsOf(id), await taskOf(id)]).toMatchObject([[{ step: 'waiting' }], { approval: 'given' }])

  const withdrawn = (await asked()).id
  await world.call(upgradeCalls.cancel, { params: { id: withdrawn }, body: {} })
  expect([await rowsOf(withdrawn), await taskOf(withdrawn)]).toMatchObject([[{ reason: 'cancelled' }], { approval: 'declined' }])
  expect(await approve(withdrawn)).toMatchObject(ruleOf('approvalOver'))
})

test('one that asks at the device first needs nobody else', async () => {
  const device = await world.device()
  const { id: versionId } = await saveVersion(world.client, { versionNumber: next(), updateType: FORCED })
  const id = await addTask(world.client, { versionId, deviceIds: [device.id], type: 0 })
  expect([await rowsOf(id), await taskOf(id)]).toMatchObject([[{ step: 'waiting' }], { approval: 'none' }])
  expect(await approve(id)).toMatchObject(ruleOf('approvalOver'))
  // By default, the type is that of the version.
  const forced = await addTask(world.client, { versionId, deviceIds: [device.id] })
  expect(await taskOf(forced)).toMatchObject({ type: FORCED, approval: 'pending' })
})

test('a row says who can agree and what can be taken back or tried again, as the server lets it be done', async () => {
  const { id } = await asked()
  const said = async (by: Pick<Client, 'call'> = second) => (await taskOf(id, by)).can
  expect(await said(world)).toEqual({ approve: false, decline: true, retry: false, cancel: true })
  expect(await said()).toEqual({ approve: true, decline: true, retry: false, cancel: true })
  expect((await second.call(upgradeCalls.tasks, { query: {} })).content.find((task) => task.id === id)?.can).toEqual(await said())
  expect((await rowsOf(id))[0]!.can).toEqual({ retry: false, cancel: false })
  expect(await approve(id, world)).toMatchObject(ruleOf('approvalOwn'))
  expect(await approve(id)).toMatchObject({ code: 0 })

  expect(await said()).toEqual({ approve: false, decline: false, retry: false, cancel: true })
  for (const over of [await approve(id), await decline(id)]) expect(over).toMatchObject(ruleOf('approvalOver'))
  const [row] = await rowsOf(id)
  expect(row!.can).toEqual({ retry: false, cancel: true })
  const one = { params: { id }, body: { rowId: row!.id } }
  expect(await second.ask(upgradeCalls.retry, one)).toMatchObject({ status: 404 })
  expect(await second.call(upgradeCalls.cancel, one)).toEqual({ devices: 1 })

  expect([await said(), (await rowsOf(id))[0]!.can]).toMatchObject([
    { retry: true, cancel: false },
    { retry: true, cancel: false },
  ])
  expect(await second.ask(upgradeCalls.cancel, one)).toMatchObject({ status: 404 })
  await world.call(upgradeCalls.deleteVersion, { query: { id: (await taskOf(id)).versionId! } })
  expect([await said(), (await rowsOf(id))[0]!.can]).toMatchObject([{ retry: false }, { retry: false }])
  expect(await second.ask(upgradeCalls.retry, one)).toMatchObject({ status: 400, data: { fields: [{ rule: 'versionGone' }] } })
})
