import { afterAll, beforeAll, expect, test } from 'vitest'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
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
