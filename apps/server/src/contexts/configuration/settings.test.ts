/** Settings of terminals: their own, those of the park and the defaults, requested as a terminal does. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { accessMethod } from '@gatehouse/contract/enums'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { BUILT_IN_SETTINGS, type SettingName, type SomeSettings } from '@gatehouse/contract/configuration/settings'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import { DEFAULT_PROMISES } from '@gatehouse/contract/faces/promise'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { createClient, type Answer } from '@gatehouse/dev-env/client'
import { startWorld, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import { type FacePool } from '@gatehouse/face-engine'
import { flatPng } from '../../../../../tests/support/pictures.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { openedLog } from '../../../../../tests/support/opened-log.ts'
import { sound } from './testing/files.ts'

let world: World
let pool: FacePool
beforeAll(async () => {
  pool = testingFacePool({ workers: 1 })
  // The built-in engine, which here claims to have a liveness model.
  Object.defineProperty(pool, 'description', { value: { ...pool.description, livenessModelId: 'testing' } })
  world = await startWorld({ facePool: pool })
})
afterAll(async () => {
  await world?.stop()
  await pool?.close()
})

const { park, changePark, display, changeDisplay, add, detail, effective, list, secrets } = configurationCalls
const as = ({ code, secret }: MadeDevice) => createClient(world.url, { basic: [code, secret] })
const issuesOf = (answer: Answer) =>
  (answer.data as { fields?: { path: string; rule: string; params?: object }[] } | undefined)?.fields ?? []

/** Return the settings in a device's manifest, once all events are handled. */
async function manifestSettings(device: MadeDevice) {
  await world.settled()
  const { settings, revision } = await as(device).call(deviceProtocolCalls.manifest, {})
  return { ...settings, revision }
}
const set = (site: Site, device: MadeDevice, settings: SomeSettings, more: object = {}) =>
  site.call(add, { body: { deviceId: device.id, settings, ...more } as InputOf<typeof add.body> })
const setPark = (site: Site, settings: object, more: object = {}) =>
  site.call(changePark, { body: { settings, ...more } as InputOf<typeof changePark.body> })

/** Set the liveness threshold of the park, by default without requiring it. */
async function livenessThreshold(site: Site, threshold: number, mode: 'off' | 'on' = 'off'): Promise<void> {
  await site.call(facePolicyCalls.change, {
    body: { ...DEFAULT_PROMISES, margin: 5, lookAlikeMargin: 10, photosWanted: 2, liveness: { mode, threshold } },
  })
}

describe('each setting of a device reaches it', () => {
  let device: MadeDevice
  beforeAll(async () => {
    device = await world.device()
    await livenessThreshold(world, 0.6)
  })

  const values: [SettingName, SomeSettings][] = [
    ['verificationMode', { verificationMode: [accessMethod.face, accessMethod.card] }],
    ['threshold', { threshold: 77.5 }],
    ['lowThreshold', { lowThreshold: 40 }],
    ['livenessSwitch', { livenessSwitch: 1 }],
    ['recognitionDistance', { recognitionDistance: 1.2 }],
    ['successInterval', { successInterval: 2.5 }],
    ['failureInterval', { failureInterval: 0.5 }],
    ['restartInterval', { restartInterval: 7 }],
    ['promptText', { promptText: '请出示证件' }],
    ['voicePromptText', { voicePromptText: '欢迎' }],
    ['temperatureCheck', { temperatureCheck: 1 }],
    ['temperatureMaximum', { temperatureMaximum: 37.8 }],
    ['temperatureMinimum', { temperatureMinimum: 34.5 }],
    ['temperatureUnit', { temperatureUnit: 'F' }],
    ['maskRule', { maskRule: 'refuse' }],
    ['helmetRule', { helmetRule: 'prompt' }],
    ['gpioTypes', { gpioTypes: ['doorLock', 'exitButton'] }],
    ['alarmRecordingTypes', { alarmRecordingTypes: [2] }],
    ['volume', { volume: 0 }],
    ['screenSaverAfter', { screenSaverAfter: 120 }],
    ['timeZone', { timeZone: 345 }],
    ['ntpServer', { ntpServer: 'time.example.org' }],
    ['networkMode', { networkMode: 1 }],
    ['ip', { ip: '192.168.1.20' }],
    ['subnetMask', { subnetMask: '255.255.255.0' }],
    ['gateway', { gateway: '192.168.1.1' }],
    ['dns', { dns: '192.168.1.2' }],
    ['serverAddress', { serverAddress: 'gate.example.org' }],
    ['port', { port: 8443 }],
    ['cardNumberFormat', { cardNumberFormat: 'hex' }],
    ['consoleAccount', { consoleAccount: 'guard7' }],
  ]
  test.each(values)('%s', async (_, settings) => {
    const before = await manifestSettings(device)
    await set(world, device, settings)
    const after = await manifestSettings(device)
    expect(after.configuration).toEqual({ ...BUILT_IN_SETTINGS, ...settings })
    expect(after.revision).not.toBe(before.revision)
    expect((await world.call(effective, { query: { id: device.id } })).settings).toEqual(after.configuration)
  })

  test('voice and screen saver, which it fetches; nobody else’s', async () => {
    const [voiceFile, screenSaver] = [
      (await world.call(configurationCalls.upload, { body: { kind: 'voice' }, file: sound() })).id,
      (await world.call(configurationCalls.upload, { body: { kind: 'screenSaver' }, file: flatPng(64, 36) })).id,
    ]
    await set(world, device, { voiceFile, screenSaver })
    expect((await manifestSettings(device)).configuration).toEqual({ ...BUILT_IN_SETTINGS, voiceFile, screenSaver })
    const fetched = async (by: MadeDevice, id: string) => {
      const response = await fetch(`${world.url}/deviceService/uface/v1/setting/file/${id}`, {
        headers: { authorization: `Basic ${Buffer.from(`${by.code}:${by.secret}`).toString('base64')}` },
      })
      return response.status === 200
        ? { type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) }
        : response.status
    }
    expect(await fetched(device, voiceFile)).toEqual({ type: 'audio/mpeg', bytes: sound() })
    expect(await fetched(device, screenSaver)).toEqual({ type: 'image/png', bytes: flatPng(64, 36) })
    expect(await fetched(await world.device(), screenSaver)).toBe(404)
    await set(world, device, {})
    expect(await fetched(device, screenSaver)).toBe(404)
  })

  test('and a file that is not there, of another park or of the other kind is refused', async () => {
    const elsewhere = await world.addPark()
    const { id } = await elsewhere.call(configurationCalls.upload, { body: { kind: 'voice' }, file: sound() })
    const png = await world.call(configurationCalls.upload, { body: { kind: 'screenSaver' }, file: flatPng(8, 8) })
    for (const voiceFile of [id, png.id, 'none', crypto.randomUUID()])
      expect(issuesOf(await world.ask(add, { body: { deviceId: device.id, settings: { voiceFile } } }))).toEqual([
        { path: 'voiceFile', rule: 'unknown' },
      ])
  })
})

describe('what wins', () => {
  test('built in, before it the park, before it the device; a field given back follows again', async () => {
    const site = await world.addPark()
    const [one, other] = [await site.device(), await site.device()]
    expect((await manifestSettings(one)).configuration).toBeUndefined()
    await setPark(site, { volume: 30, promptText: 'Slow down' })
    await set(site, one, { volume: 90 })
    expect((await manifestSettings(one)).configuration).toEqual({ ...BUILT_IN_SETTINGS, volume: 90, promptText: 'Slow down' })
    expect((await manifestSettings(other)).configuration).toEqual({ ...BUILT_IN_SETTINGS, volume: 30, promptText: 'Slow down' })
    expect(await site.call(detail, { query: { id: one.id } })).toMatchObject({
      own: { volume: 90 },
      park: { volume: 30, promptText: 'Slow down' },
      version: 1,
    })
    await set(site, one, {})
    await setPark(site, { promptText: 'Slow down' })
    expect((await manifestSettings(one)).configuration).toEqual({ ...BUILT_IN_SETTINGS, promptText: 'Slow down' })
    await setPark(site, {})
    expect((await manifestSettings(one)).configuration).toBeUndefined()
  })

  test('a device that comes later begins with the park’s defaults', async () => {
    const site = await world.addPark()
    expect(await site.call(park, {})).toMatchObject({ settings: {}, secretsSet: [], version: 0 })
    await setPark(site, { volume: 15 })
    expect((await manifestSettings(await site.device())).configuration).toEqual({ ...BUILT_IN_SETTINGS, volume: 15 })
  })

  test('what terminals show is chosen for the park and reaches all of them', async () => {
    const site = await world.addPark()
    const device = await site.device()
    expect(await site.call(display, {})).toEqual({ displayFields: BUILT_IN_SETTINGS.displayFields, version: 0 })
    expect(await site.call(changeDisplay, { body: { displayFields: ['name'], version: 0 } })).toEqual({
      displayFields: ['name'],
      version: 1,
    })
    expect((await manifestSettings(device)).configuration?.displayFields).toEqual(['name'])
    expect(await site.ask(changeDisplay, { body: { displayFields: [], version: 0 } })).toMatchObject({
      status: 409,
      data: { fields: [{ path: 'displayFields' }] },
    })
    expect((await site.ask(add, { body: { deviceId: device.id, settings: { displayFields: [] } as object } })).status).toBe(400)
  })

  test('the device’s threshold, liveness and zone win over the park’s policy and zone', async () => {
    const site = await world.addPark({ zone: 'Asia/Shanghai' })
    const device = await site.device()
    await livenessThreshold(site, 0.7)
    const before = await manifestSettings(device)
    expect(before).toMatchObject({ zone: 'Asia/Shanghai', liveness: null })
    await set(site, device, { threshold: 91, livenessSwitch: 1, timeZone: -210 })
    expect(await manifestSettings(device)).toMatchObject({ threshold: 91, liveness: { refuses: true, threshold: 0.7 }, zone: '-03:30' })
    await set(site, device, { livenessSwitch: 0 })
    expect(await manifestSettings(device)).toMatchObject({ threshold: before.threshold, liveness: null, zone: 'Asia/Shanghai' })
    // Off at the device leaves it to the policy of the park.
    await livenessThreshold(site, 0.7, 'on')
    expect((await manifestSettings(device)).liveness).toEqual({ refuses: true, threshold: 0.7 })
  })

  test('liveness is refused where the park has no score for it: nobody could pass', async () => {
    const site = await world.addPark()
    const device = await site.device()
    expect(await site.ask(add, { body: { deviceId: device.id, settings: { livenessSwitch: 1 } } })).toMatchObject({
      status: 200,
      code: 500009,
      data: { fields: [{ path: 'livenessSwitch' }] },
    })
    expect((await site.ask(changePark, { body: { settings: { livenessSwitch: 1 } } })).code).toBe(500009)
  })
})

describe('a change', () => {
  test('is announced for the devices it touches, and for no others', async () => {
    const site = await world.addPark()
    const devices = await Promise.all([site.device(), site.device(), site.device()])
    await set(site, devices[0]!, { volume: 20 })
    const announced = async (): Promise<string[][]> => {
      const rows = await query<{ payload: { deviceIds: string[] } }>(
        world.connectionString,
        `SELECT payload FROM outbox WHERE park_id = '${site.park.id}' AND name = 'devices.changed' ORDER BY created_at, id`,
      )
      return rows.map(({ payload }) => payload.deviceIds.toSorted())
    }
    const known = (await announced()).length
    const since = async () => (await announced()).slice(known)
    const ids = (...which: number[]) => which.map((place) => devices[place]!.id).toSorted()
    // The first has a volume of its own.
    await setPark(site, { volume: 30 })
    expect(await since()).toEqual([ids(1, 2)])
    await set(site, devices[1]!, { volume: 30 })
    await set(site, devices[2]!, { promptText: 'Mind the step' })
    expect(await since()).toEqual([ids(1, 2), ids(2)])
    await setPark(site, { volume: 30, promptText: 'Hello' })
    expect(await since()).toEqual([ids(1, 2), ids(2), ids(0, 1)])
    await site.call(changeDisplay, { body: { displayFields: ['photo'] } })
    expect((await since()).at(-1)).toEqual(ids(0, 1, 2))
  })

  test('of a version that was changed meanwhile is a conflict that names the fields', async () => {
    const site = await world.addPark()
    const device = await site.device()
    await set(site, device, { volume: 10, promptText: 'a' }, { version: 0 })
    expect(await site.ask(add, { body: { deviceId: device.id, settings: { volume: 20, promptText: 'a' }, version: 0 } })).toMatchObject({
      status: 409,
      data: { fields: [{ path: 'volume', rule: 'conflict' }] },
    })
    await setPark(site, { volume: 1 }, { version: 0 })
    expect((await site.ask(changePark, { body: { settings: {}, version: 0 } })).status).toBe(409)
  })

  test('of the park that would contradict a device’s own settings names the device, and changes nothing', async () => {
    const site = await world.addPark()
    const device = await site.device({ name: 'North gate' })
    await set(site, device, { temperatureMaximum: 37 })
    const answer = await site.ask(changePark, { body: { settings: { temperatureMinimum: 37, temperatureMaximum: 38 } } })
    expect(answer.status).toBe(400)
    expect(issuesOf(answer)).toEqual([{ path: 'temperatureMaximum', rule: 'deviceClash', params: { device: 'North gate', count: 1 } }])
    expect((await site.call(park, {})).version).toBe(0)
  })

  test('with a field nobody knows, or one of a single device for a whole park, is refused', async () => {
    const site = await world.addPark()
    for (const settings of [{ loudness: 3 }, { ip: '10.0.0.1' }, { networkMode: 1 }])
      expect((await site.ask(changePark, { body: { settings: settings as object } })).status).toBe(400)
  })
})

describe('secrets', () => {
  test('go to the device and to nobody else, and stand encrypted', async () => {
    const site = await world.addPark()
    const device = await site.device()
    const asked = () => as(device).call(secrets, {})
    await world.settled()
    expect(await asked()).toEqual({ revision: '', devicePassword: null, console: null, wifi: null })
    await setPark(site, {}, { wifi: { name: 'Campus', password: 'wireless99' } })
    const answer = await set(site, device, { consoleAccount: 'guard' }, { consolePassword: 'Turnstile7' })
    expect(answer.secrets).toEqual({ consolePassword: 'own', wifi: 'park' })
    const first = await manifestSettings(device)
    expect(await asked()).toEqual({
      revision: first.secretsRevision,
      devicePassword: null,
      console: { account: 'guard', password: 'Turnstile7' },
      wifi: { name: 'Campus', password: 'wireless99' },
    })
    expect(first.secretsRevision).toBeTruthy()
    // Secrets that are left out stay; each change gives another revision, and so does another account.
    await set(site, device, { consoleAccount: 'guard', volume: 5 })
    expect((await manifestSettings(device)).secretsRevision).toBe(first.secretsRevision)
    await set(site, device, { consoleAccount: 'porter' })
    const second = await manifestSettings(device)
    expect(second.secretsRevision).not.toBe(first.secretsRevision)
    expect((await asked()).console).toEqual({ account: 'porter', password: 'Turnstile7' })
    await set(site, device, {}, { consolePassword: null, wifi: { name: 'Gate', password: '' } })
    expect(await asked()).toMatchObject({ console: null, wifi: { name: 'Gate', password: '' } })
    await set(site, device, {}, { wifi: null })
    await setPark(site, {}, { wifi: null })
    await world.settled()
    expect(await asked()).toEqual({ revision: '', devicePassword: null, console: null, wifi: null })
    expect(await manifestSettings(device)).not.toHaveProperty('secretsRevision')
    // The password of the door itself is stored with the device.
    const guarded = await site.device({ devicePassword: '48151623' })
    await set(site, guarded, {}, { consolePassword: 'Turnstile7' })
    const { secretsRevision } = await manifestSettings(guarded)
    expect(await as(guarded).call(secrets, {})).toMatchObject({
      revision: secretsRevision,
      devicePassword: '48151623',
      console: { account: 'admin' },
    })

    const everything = await query<{ text: string }>(
      world.connectionString,
      `SELECT (SELECT string_agg(s::text, '') FROM device_setting s) || (SELECT string_agg(p::text, '') FROM settings_part p) AS text`,
    )
    const noted = JSON.stringify(await openedLog(world))
    for (const secret of ['Turnstile7', 'wireless99', 'Campus', '48151623'])
      for (const text of [everything[0]!.text, noted]) expect(text).not.toContain(secret)
    for (const answered of [await site.call(detail, { query: { id: device.id } }), await site.call(park, {}), first])
      expect(JSON.stringify(answered)).not.toMatch(/Turnstile7|wireless99|Campus/)
  })
})

describe('the list', () => {
  test('shows what is different from the park, and filters by who has something of their own', async () => {
    const site = await world.addPark()
    const group = await site.deviceGroup()
    const [plain, own] = [await site.device({ name: 'Plain door' }), await site.device({ name: 'Own door', groupId: group.id })]
    await setPark(site, { volume: 40 })
    await set(site, own, { volume: 40, promptText: 'Here' }, { consolePassword: 'Turnstile7' })
    const rows = async (asked: object = {}) =>
      (await site.call(list, { query: asked })).content.map(({ name, differing, secretsSet }) => [name, differing, secretsSet])
    expect(await rows()).toEqual([
      ['Own door', { promptText: 'Here' }, ['consolePassword']],
      ['Plain door', {}, []],
    ])
    expect(await rows({ own: 1 })).toHaveLength(1)
    expect(await rows({ own: 0 })).toEqual([['Plain door', {}, []]])
    expect(await rows({ own: 1, groupId: group.id, name: 'own' })).toHaveLength(1)
    expect(await rows({ own: 0, groupId: group.id })).toEqual([])
    expect(await rows({ name: 'plain', type: 3 })).toHaveLength(1)
    for (const keyword of ['plain', plain.code]) expect(await rows({ keyword }), keyword).toEqual([['Plain door', {}, []]])
    expect(await rows({ own: 1, keyword: own.code })).toHaveLength(1)
    expect(await rows({ own: 1, keyword: plain.code })).toEqual([])
    expect((await site.call(list, { query: { own: 1, size: 1, page: 2 } })).content).toEqual([])
    await site.call(deviceCalls.delete, { query: { ids: [own.id] } })
    await world.settled()
    expect(await query(world.connectionString, `SELECT id FROM device_setting WHERE device_id = '${own.id}'`)).toEqual([])
    expect((await site.ask(detail, { query: { id: own.id } })).status).toBe(404)
    expect((await site.call(detail, { query: { id: plain.id } })).own).toEqual({})
  })

  test('and nothing of a park is left when it is erased', async () => {
    const site = await world.addPark()
    await set(site, await site.device(), { volume: 1 })
    await site.call(configurationCalls.upload, { body: { kind: 'voice' }, file: sound() })
    const scope = { parkId: site.park.id }
    expect(await world.server.platform.transaction((tx) => world.server.contexts.configuration.erasePark!(tx, scope))).toEqual({
      deviceSettings: 1,
      deviceSettingFiles: 1,
    })
    expect(
      await query(
        world.connectionString,
        `SELECT id FROM device_setting WHERE park_id = '${site.park.id}' UNION ALL SELECT id FROM device_setting_file
        WHERE park_id = '${site.park.id}'`,
      ),
    ).toEqual([])
  })
})
