import { afterAll, beforeAll, expect, test } from 'vitest'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { ALARM_CONFIG_DEFAULT } from '@gatehouse/contract/alarms/config'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { monitoringTaskCalls } from '@gatehouse/contract/surveillance/tasks'
import { ALWAYS_OPEN } from '@gatehouse/dev-env/site'
import { startWorld, type World } from '@gatehouse/dev-env/world'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const switches = {
  visitCheck: true,
  visitArrive: true,
  sendExpiredCustomers: true,
  deviceSystemResourceAlert: true,
  deviceEvent: true,
  aiBoxEvent: true,
  watchListHit: true,
  deviceOffline: true,
}

test('whoever has set nothing is shown everything', async () => {
  const client = await world.session({ permissions: [] })
  expect(await client.call(alarmsCalls.accountAlertList, {})).toEqual({ ...switches, surveillances: [] })
})

test('a switch turned off stays off, and those not sent stay as they were', async () => {
  const [one, two] = [crypto.randomUUID(), crypto.randomUUID()]
  const client = await world.session({ permissions: [] })
  await client.call(alarmsCalls.saveAccountAlert, {
    body: { visitCheck: false, watchListHit: false, surveillances: [one, two, one] },
  })
  const answer = await client.call(alarmsCalls.saveAccountAlert, { body: { sendExpiredCustomers: false, deviceOffline: false } })
  expect(answer).toEqual({
    ...switches,
    visitCheck: false,
    sendExpiredCustomers: false,
    watchListHit: false,
    deviceOffline: false,
    surveillances: [one, two],
  })
  expect(await client.call(alarmsCalls.accountAlertList, {})).toEqual(answer)
})

test('they are the user’s own and the park’s own', async () => {
  const user = await world.as({ account: 'admin', password: 'Gate-house-7', areaCode: world.park.areaCode })
  await user.call(alarmsCalls.saveAccountAlert, { body: { deviceEvent: false } })
  const elsewhere = await world.addPark()
  expect(await (await world.session()).call(alarmsCalls.accountAlertList, {})).toMatchObject({ deviceEvent: true })
  expect(await elsewhere.call(alarmsCalls.accountAlertList, {})).toMatchObject({ deviceEvent: true })
  expect(await world.call(alarmsCalls.accountAlertList, {})).toMatchObject({ deviceEvent: false })
})

test('what is no switch is refused by its field', async () => {
  const answer = await world.ask(alarmsCalls.saveAccountAlert, { body: { aiBoxEvent: 'yes' } as never })
  expect(answer).toMatchObject({ status: 400, code: 400, data: { fields: [{ path: 'aiBoxEvent' }] } })
})

test('how long bubbles stay is the park’s own, and changed by whoever has the alarm centre of the whole park', async () => {
  const park = await world.addPark()
  const reader = await world.session({ park: park.park, permissions: [] })
  expect(await reader.call(alarmsCalls.config, {})).toEqual({ ...ALARM_CONFIG_DEFAULT, version: 0 })
  expect(await reader.ask(alarmsCalls.saveConfig, { body: { stay_time: 5 } })).toMatchObject({ code: 100510 })
  const keeper = await world.session({ park: park.park, permissions: ['alert'] })
  expect(await keeper.call(alarmsCalls.saveConfig, { body: { stay_time: 5, version: 0 } })).toEqual({
    ...ALARM_CONFIG_DEFAULT,
    stay_time: 5,
    version: 1,
  })
  expect(await reader.call(alarmsCalls.config, {})).toMatchObject({ stay_time: 5 })
  expect(await world.call(alarmsCalls.config, {})).toMatchObject(ALARM_CONFIG_DEFAULT)
  expect(await keeper.ask(alarmsCalls.saveConfig, { body: { stay_time: 30, version: 0 } })).toMatchObject({ status: 409 })
  const { id } = await park.deviceGroup()
  const limited = await world.session({ park: park.park, permissions: ['alert'], deviceGroupIds: [id] })
  expect(await limited.ask(alarmsCalls.saveConfig, { body: { stay_time: 30 } })).toMatchObject({ status: 403, code: 100510 })
  expect(await keeper.ask(alarmsCalls.saveConfig, { body: { stay_time: 7 as never } })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'stay_time', rule: 'oneOf' }] },
  })
})

test('there are two sounds', async () => {
  const client = await world.session({ permissions: [] })
  expect(await client.call(alarmsCalls.sounds, {})).toEqual([
    { value: 1, name: 'Sound 1' },
    { value: 2, name: 'Sound 2' },
  ])
})

test('monitoring tasks to choose from are those of the park, of visible cameras, for users who are shown alarms of faces', async () => {
  const site = await world.addPark()
  const taskAt = async (name: string, group?: { id: string }) => {
    const camera = await site.device({ type: deviceType.captureCamera, model: 1, ...(group && { groupId: group.id }) })
    const [startTime, endTime] = [world.clock.now(), world.clock.now() + 3_600_000]
    const members = { deviceIds: [camera.id], personGroupIds: [(await site.personGroup()).id] }
    return site.call(monitoringTaskCalls.add, { body: { name, startTime, endTime, periods: ALWAYS_OPEN, ...members } })
  }
  const group = await site.deviceGroup()
  const [{ id: south }, { id: north }] = [await taskAt('South', group), await taskAt('North')]
  const asked = async (permissions: string[], limits: object = {}) =>
    (await world.session({ park: site.park, permissions, ...limits })).call(alarmsCalls.surveillanceList, {})
  expect(await asked(['surveillance.alert'])).toEqual([
    { id: north, name: 'North' },
    { id: south, name: 'South' },
  ])
  expect(await asked(['surveillance.alert'], { deviceGroupIds: [group.id], roleSign: 'other' })).toEqual([{ id: south, name: 'South' }])
  expect(await asked(['alert'])).toEqual([])
  expect(await (await world.addPark()).call(alarmsCalls.surveillanceList, {})).toEqual([])
})
