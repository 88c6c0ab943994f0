/** The list of devices that need attention, and the counts of the home page. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
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
  const person = await park.person({ permittedAt: [waiting, behind] })
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
    tampered: [],
  })
  // With other filters, and in pages.
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
  // Persons without a photo cannot be synchronised, and the device does not wait for them.
  const principal = { deviceId: behind.id, code: behind.code, parkId: park.park.id }
  const { audience, head: cursor, digest, revision } = world.server.contexts.synchronisation.service.current(principal)!
  const sayFailed = async (reason: string) => {
    const exceptions = [{ personId: person.id, version: '0'.repeat(16), reason }]
    await wire.http.call(deviceProtocolCalls.exceptions, { body: { audience, cursor, exceptions } })
    await wire.say({ held: { revision, audience, cursor, digest, persons: 0, failed: 1 } })
  }
  await sayFailed('noFace')
  await until('the device to be in sync', async () => (await named('notSynced')).length === 0)
  expect((await park.call(deviceCalls.read, { params: { id: behind.id } })).personsWithoutPhoto).toBe(1)
  expect((await park.call(deviceCalls.summary, {})).notSynced).toEqual([])
  await sayFailed('photoRefused')
  await until('the device to be behind', async () => (await named('notSynced')).length === 1)
  // While offline, it is still behind.
  wire.cut()
  await until('the device to be lost', async () => (await park.call(deviceCalls.summary, {})).offline.length === 2)
  expect(await named('notSynced')).toEqual(['Behind'])
  expect((await park.call(deviceCalls.summary, {})).notSynced).toEqual([])
})

test('finds a device by part of its name or code, the one that is exactly meant first', async () => {
  const park = await world.addPark()
  await park.device({ name: 'East gate', code: 'KEY-1' })
  await park.device({ name: 'West gate', code: 'KEY-12' })
  const found = async (keyword: string) => (await park.call(deviceCalls.list, { query: { keyword } })).content.map(({ name }) => name)
  expect(await found('key-1')).toEqual(['East gate', 'West gate'])
  expect([await found('EY-12'), await found('west'), await found(' east gate '), await found('%')]).toEqual([
    ['West gate'],
    ['West gate'],
    ['East gate'],
    [],
  ])
})
