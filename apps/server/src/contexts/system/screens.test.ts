import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mapCalls, type MapSettings } from '@gatehouse/contract/system/map'
import { screenCalls, type ScreenSettings } from '@gatehouse/contract/system/screens'
import { uploadCalls } from '@gatehouse/contract/system/upload'
import type { Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'

let now = Date.now()
let world: World
let picture: Uint8Array
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } })
  picture = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#357' } })
    .png()
    .toBuffer()
})
afterAll(() => world?.stop())

const upload = async (client: Pick<Client, 'call'>): Promise<string> =>
  (await client.call(uploadCalls.uploadImage, { body: { use: 'background' }, file: picture })).url
const isThere = async (address: string): Promise<boolean> => (await fetch(world.url + address)).status === 200
const screen = ({ version: _version, ...fields }: ScreenSettings) => fields
const map = ({ version: _version, ...fields }: MapSettings) => fields

test('a park’s data screen shows everything until somebody says otherwise, and each park has its own', async () => {
  const [here, there] = [await world.addPark(), await world.addPark()]
  const first = await here.call(screenCalls.read, {})
  expect(first).toMatchObject({
    title: '',
    blocks: ['figures', 'curve', 'people', 'devices', 'latest'],
    theme: 'night',
    background: '',
    version: 0,
  })
  const changed = await here.call(screenCalls.change, {
    body: { ...screen(first), title: 'Gate 1', blocks: ['curve', 'curve'], theme: 'ink', refreshSeconds: 5, version: 0 },
  })
  expect(changed).toMatchObject({ title: 'Gate 1', blocks: ['curve'], theme: 'ink', refreshSeconds: 5, version: 1 })
  expect(await here.ask(screenCalls.change, { body: { ...screen(first), version: 0 } })).toMatchObject({ status: 409 })
  expect(await there.call(screenCalls.read, {})).toEqual(first)
})

test('a wall reads the settings of its park, and only who may set screens changes them', async () => {
  const wall = await world.session({ permissions: ['screen'] })
  const settings = await wall.call(screenCalls.read, {})
  expect(await wall.ask(screenCalls.change, { body: screen(settings) })).toMatchObject({ status: 403, code: 100510 })
  expect(await wall.ask(mapCalls.read, {})).toMatchObject({ status: 403, code: 100510 })
})

test('a screen that shows nothing, or is read too often, is refused', async () => {
  const settings = screen(await world.call(screenCalls.read, {}))
  expect(await world.ask(screenCalls.change, { body: { ...settings, blocks: [] } })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'blocks' }] },
  })
  expect(await world.ask(screenCalls.change, { body: { ...settings, refreshSeconds: 4 } })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'refreshSeconds' }] },
  })
})

test('a background stays as long as the settings name it, and goes with the next one', async () => {
  const begin = now
  const site = await world.addPark()
  const settings = screen(await site.call(screenCalls.read, {}))
  const first = await site.call(screenCalls.change, { body: { ...settings, background: await upload(site) } })
  expect(await isThere(first.background)).toBe(true)
  now += 2 * 86_400_000
  await world.server.platform.storage.sweep()
  const client = await world.session({ park: site.park })
  const later = await client.call(screenCalls.read, {})
  expect(await isThere(later.background)).toBe(true)
  // Sent back as it was shown, it is the same picture.
  const kept = await client.call(screenCalls.change, { body: { ...screen(later), title: 'Kept' } })
  expect(kept.background.split('?')[0]).toBe(first.background.split('?')[0])
  const none = await client.call(screenCalls.change, { body: { ...screen(kept), background: '' } })
  expect(none.background).toBe('')
  await world.server.platform.storage.sweep()
  expect(await isThere(kept.background)).toBe(false)
  now = begin
})

test('no picture of another park, and nothing that is no upload, becomes a background', async () => {
  const [here, there] = [await world.addPark(), await world.addPark()]
  const settings = screen(await here.call(screenCalls.read, {}))
  for (const background of [await upload(there), 'https://example.org/picture.png', '/files/x'])
    expect(await here.ask(screenCalls.change, { body: { ...settings, background } })).toMatchObject({
      status: 400,
      data: { fields: [{ path: 'background', rule: 'picture' }] },
    })
})

test('a map has a plan with its entrance, a centre with zoom, and units', async () => {
  const site = await world.addPark()
  const settings = map(await site.call(mapCalls.read, {}))
  expect(settings).toMatchObject({ picture: '', latitude: null, longitude: null, marker: null, units: 'metric' })
  const saved = await site.call(mapCalls.change, {
    body: {
      ...settings,
      picture: await upload(site),
      pictureMetres: 400,
      latitude: 31.2304,
      longitude: 121.4737,
      zoom: 17,
      units: 'imperial',
      marker: { x: 0.25, y: 0.75 },
    },
  })
  expect(await isThere(saved.picture)).toBe(true)
  expect(await site.call(mapCalls.read, {})).toMatchObject({
    latitude: 31.2304,
    longitude: 121.4737,
    zoom: 17,
    units: 'imperial',
    pictureMetres: 400,
    marker: { x: 0.25, y: 0.75 },
  })
  // Without its plan the entrance has no place.
  expect(await site.call(mapCalls.change, { body: { ...map(saved), picture: '' } })).toMatchObject({
    picture: '',
    marker: null,
    latitude: 31.2304,
  })
})

test('half a centre, or one off the Earth, is refused', async () => {
  const settings = map(await world.call(mapCalls.read, {}))
  const ask = (part: object) => world.ask(mapCalls.change, { body: { ...settings, ...part } })
  expect(await ask({ latitude: 31, longitude: null })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'longitude', rule: 'required' }] },
  })
  expect(await ask({ latitude: null, longitude: 121 })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'latitude', rule: 'required' }] },
  })
  expect(await ask({ latitude: 91, longitude: 0 })).toMatchObject({ status: 400, data: { fields: [{ path: 'latitude' }] } })
})
