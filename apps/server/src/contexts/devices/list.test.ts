/** The list of devices by what needs somebody, and the counts of the home page. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { askToPair, startWireDevice, wireClient } from '../../../../../tests/support/wire-device.ts'
import { until } from '../../../../../tests/support/until.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

test('shows what is not paired, not in sync or nearly full, and counts the same for the home page', async () => {
  const park = await world.addPark()
  const [waiting, paired, behind, revoked] = [
    await park.device({ name: 'Waiting' }),
    await park.device({ name: 'Paired' }),
    await park.device({ name: 'Behind' }),
    await park.device({ name: 'Revoked' }),
  ]
  const named = async (attention: 'notPaired' | 'notSynced' | 'nearlyFull') =>
    (await park.call(deviceCalls.list, { query: { attention } })).content.map(({ name }) => name).toSorted()
  for (const device of [paired, revoked]) expect((await askToPair(wireClient(world.url, device))).code).toBe(0)
  await park.call(deviceCalls.revoke, { params: { id: revoked.id } })
  await park.person({ permittedAt: [waiting, behind] })
  await world.settled()
  const wire = await startWireDevice(world.url, behind, { facts: { capacity: 1 } })
  await until('the device to be online with its room', async () => (await named('nearlyFull')).length === 1)

  expect(await named('notPaired')).toEqual(['Revoked', 'Waiting'])
  expect(await named('notSynced')).toEqual(['Behind'])
  expect(await named('nearlyFull')).toEqual(['Behind'])
  expect(await park.call(deviceCalls.summary, {})).toEqual({
    total: 4,
    online: 1,
    neverPaired: 2,
    notReleased: [],
    offline: [{ id: paired.id, name: 'Paired', lastSeenAt: null }],
    notSynced: [{ id: behind.id, name: 'Behind', missing: 1 }],
    nearlyFull: [{ id: behind.id, name: 'Behind', personsDesired: 1, capacity: 1 }],
  })
  // With other filters, and by the page.
  expect(await park.call(deviceCalls.list, { query: { attention: 'notPaired', name: 'wait' } })).toMatchObject({
    total: 1,
    content: [{ name: 'Waiting' }],
  })
  expect(await park.call(deviceCalls.list, { query: { attention: 'notPaired', size: 1, page: 2 } })).toMatchObject({
    total: 2,
    content: [{ name: 'Waiting' }],
  })
  expect(await park.call(deviceCalls.list, { query: { attention: 'notSynced', onlineStatus: 0 } })).toMatchObject({ total: 0 })
  expect((await park.ask(deviceCalls.list, { query: { attention: 'other' as 'notPaired' } })).status).toBe(400)
  // Lost, it is still behind.
  wire.cut()
  await until('the device to be lost', async () => (await park.call(deviceCalls.summary, {})).offline.length === 2)
  expect(await named('notSynced')).toEqual(['Behind'])
  expect((await park.call(deviceCalls.summary, {})).notSynced).toEqual([])
})
