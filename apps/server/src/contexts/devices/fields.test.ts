/** Fields of a device, as the user who enters them sees them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIGITAL_CODE_MAX, DIGITAL_CODE_MIN, LOCK_MACS, PASSCODE_MAX, PASSCODE_MIN, type InputOf } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { modelsOfType } from '@gatehouse/contract/enums/device-models'
import { deviceModel, deviceType } from '@gatehouse/contract/enums/devices'
import { startSimulatedDevice } from '@gatehouse/dev-env/demo/simulated-device'
import { startWorld, type Made, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import { sql } from 'kysely'
import { openedLog } from '../../../../../tests/support/opened-log.ts'
import { startWireDevice } from '../../../../../tests/support/wire-device.ts'
import { until } from '../../../../../tests/support/until.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

type Fields = Partial<InputOf<typeof deviceCalls.create.body>>

let made = 0
const add = (fields: Fields, site: Site = world) =>
  site.ask(deviceCalls.create, { body: { code: `FIELD-${++made}`, name: `Field ${made}`, ...fields } })
const read = (device: Made, site: Site = world) => site.call(deviceCalls.read, { params: { id: device.id } })
const change = (device: Made, fields: Fields) => world.ask(deviceCalls.change, { body: { id: device.id, name: device.name, ...fields } })
const refused = (path: string, rule: string) => ({ status: 400, data: { fields: [expect.objectContaining({ path, rule })] } })
const business = (code: number, path: string) => ({ status: 200, code, data: { fields: [{ path, rule: `code.${code}` }] } })

describe('a recorder', () => {
  const whole = { type: deviceType.nvr, model: 7, ip: '10.0.0.9', port: 8000, userName: 'admin', password: 'Secret#1' } as const
  const without = (field: keyof typeof whole) => ({ ...whole, [field]: undefined })

  test('needs an IP address [VAL-112]', async () => {
    expect(await add(without('ip'))).toMatchObject(refused('ip', 'required'))
    expect(await add({ ...whole, ip: '' })).toMatchObject(refused('ip', 'required'))
  })
  test('needs a port [VAL-113]', async () => {
    expect(await add(without('port'))).toMatchObject(refused('port', 'required'))
  })
  test('needs a user [VAL-114]', async () => {
    expect(await add(without('userName'))).toMatchObject(refused('userName', 'required'))
  })
  test('needs a password, which it keeps until it is given another [VAL-115]', async () => {
    expect(await add(without('password'))).toMatchObject(refused('password', 'required'))
    const answer = await add(whole)
    expect(answer.code).toBe(0)
    const recorder = { id: answer.data.id, name: 'Recorder' }
    expect(await change(recorder, without('password'))).toMatchObject({ code: 0 })
    expect(await read(recorder)).toMatchObject({ ip: '10.0.0.9', port: 8000, userName: 'admin', hasPassword: true })
    expect(await change(recorder, { ...whole, password: '' })).toMatchObject(refused('password', 'required'))
    // A device that is changed to a camera has no password yet.
    const camera = await add({ type: deviceType.captureCamera, model: 1 })
    expect(await change({ id: camera.data.id, name: 'Camera' }, without('password'))).toMatchObject(refused('password', 'required'))
  })
})

test('a port is digits, those of a full-width keyboard too, and a number a port can have [VAL-099, FIELD-5]', async () => {
  const device = await world.device({ type: deviceType.captureCamera, model: 1 })
  const as = (port: string | number) => change(device, { type: deviceType.captureCamera, model: 1, port })
  for (const port of ['http', '80a', '8,080', '-1', '1e3', '٨٠'])
    expect(await as(port), String(port)).toMatchObject(refused('port', 'decimalDigits'))
  expect(await as(0)).toMatchObject(refused('port', 'min.number'))
  expect(await as(65_536)).toMatchObject(refused('port', 'max.number'))
  for (const port of ['8080', 8080, '８０８０']) {
    expect(await as(port), String(port)).toMatchObject({ code: 0 })
    expect((await read(device)).port).toBe(8080)
  }
  expect(await as('')).toMatchObject({ code: 0 })
  expect((await read(device)).port).toBeNull()
})

test('an IP address is one of either kind, and nothing like one [VAL-100]', async () => {
  for (const ip of ['10.0.0.256', '10.0.0', 'gate.example.org', '10.0.0.1:80', '::g'])
    expect(await add({ type: deviceType.captureCamera, model: 1, ip }), ip).toMatchObject(refused('ip', 'ip'))
  for (const ip of ['192.168.1.20', 'fe80::1'])
    expect(await add({ type: deviceType.captureCamera, model: 1, ip }), ip).toMatchObject({ code: 0 })
})

test('a code is taken once in the installation, whatever its case and whoever has it [VAL-102]', async () => {
  const device = await world.device({ code: 'Gate-7' })
  expect(await add({ code: 'GATE-7' })).toMatchObject(business(400006, 'code'))
  expect(await add({ code: device.code }, await world.addPark())).toMatchObject(business(400006, 'code'))
})

test('a device belongs to one park: no other can have its code, move it or group it [VAL-110]', async () => {
  const [here, there] = [await world.addPark(), await world.addPark()]
  const device = await here.device()
  const [ours, theirs] = [await here.deviceGroup(), await there.deviceGroup()]
  expect(await add({ code: device.code }, there)).toMatchObject({ code: 400006 })
  expect((await there.ask(deviceCalls.move, { body: { ids: [device.id], groupId: theirs.id } })).status).toBe(404)
  expect(await here.ask(deviceCalls.move, { body: { ids: [device.id], groupId: theirs.id } })).toMatchObject(refused('groupId', 'unknown'))
  expect((await there.ask(deviceCalls.change, { body: { id: device.id, name: 'Mine', groupId: theirs.id } })).status).toBe(404)
  await here.call(deviceCalls.move, { body: { ids: [device.id], groupId: ours.id } })
  expect(await read(device, here)).toMatchObject({ groupId: ours.id })
  expect((await there.call(deviceCalls.list, { query: {} })).total).toBe(0)
})

test('a model belongs to its type, any other is refused [VAL-116]', async () => {
  for (const type of [
    deviceType.captureCamera,
    deviceType.faceGate,
    deviceType.faceAccessController,
    deviceType.mobileHealthCodeTerminal,
    deviceType.gateController,
  ])
    for (const model of deviceModel.values) {
      const answer = await add({ type, model })
      if (modelsOfType[type]!.includes(model)) expect(answer, `${type}/${model}`).toMatchObject({ code: 0 })
      else expect(answer, `${type}/${model}`).toMatchObject(business(400204, 'model'))
    }
  const device = await world.device()
  expect(await change(device, { type: deviceType.nvr, model: 4, ip: '10.0.0.1', port: 1, userName: 'a', password: 'b' })).toMatchObject(
    business(400204, 'model'),
  )
})

test('a name is taken once in its park, whatever its case', async () => {
  const device = await world.device({ name: 'Main gate' })
  expect(await add({ name: 'MAIN GATE' })).toMatchObject(business(400005, 'name'))
  expect((await add({ name: device.name }, await world.addPark())).code).toBe(0)
})

describe('locks', () => {
  const mac = (last: number) => `00:1A:2B:3C:4D:0${last}`

  test('are at most five [VAL-106]', async () => {
    const device = await world.device({ lockMacs: Array.from({ length: LOCK_MACS }, (_, at) => mac(at)) })
    expect((await read(device)).lockMacs).toHaveLength(5)
    expect(await change(device, { lockMacs: Array.from({ length: LOCK_MACS + 1 }, (_, at) => mac(at)) })).toMatchObject(
      refused('lockMacs', 'max.array'),
    )
  })

  test('stand there once each, however they are written [VAL-107]', async () => {
    expect(await add({ lockMacs: [mac(1), mac(2), mac(1)] })).toMatchObject(refused('lockMacs.2', 'duplicate'))
    expect(await add({ lockMacs: ['00-1a-2b-3c-4d-01', '001A2B3C4D01'] })).toMatchObject(refused('lockMacs.1', 'duplicate'))
  })

  test('and the relay have MAC addresses', async () => {
    for (const wrong of ['00:1A:2B:3C:4D', '00:1A:2B:3C:4D:5G', '00:1A-2B:3C-4D:5E', 'lock']) {
      expect(await add({ lockMacs: [wrong] }), wrong).toMatchObject(refused('lockMacs.0', 'macAddress'))
      expect(await add({ relayMac: wrong }), wrong).toMatchObject(refused('relayMac', 'macAddress'))
    }
    const device = await world.device({ relayMac: '00-1a-2b-3c-4d-5e' })
    expect((await read(device)).relayMac).toBe('00:1A:2B:3C:4D:5E')
    await change(device, { relayMac: '' })
    expect((await read(device)).relayMac).toBe('')
  })
})

describe('the password of a device', () => {
  test('has 4 to 10 digits [VAL-025]', async () => {
    for (const wrong of ['123', '12345678901', '12a4', '１２３４'])
      expect(await add({ devicePassword: wrong }), wrong).toMatchObject({
        ...refused('devicePassword', 'digits'),
        data: { fields: [expect.objectContaining({ params: { min: PASSCODE_MIN, max: PASSCODE_MAX } })] },
      })
    for (const right of ['1234', '0123456789']) expect(await add({ devicePassword: right }), right).toMatchObject({ code: 0 })
  })

  test('is given to nobody, stands encrypted, and another one makes the terminal ask for its secrets again', async () => {
    const device = await world.device({ devicePassword: '48151623', userName: 'service', password: 'Of-The-Device-1' })
    const shown = await read(device)
    expect(shown).toMatchObject({ hasDevicePassword: true, hasPassword: true, userName: 'service' })
    expect(JSON.stringify([shown, await world.call(deviceCalls.list, { query: {} })])).not.toMatch(/48151623|Of-The-Device-1/)
    const stored = await sql<{ text: string }>`SELECT string_agg(d::text, '') AS text FROM device d`.execute(world.server.platform.db)
    for (const text of [stored.rows[0]!.text, JSON.stringify(await openedLog(world))])
      for (const secret of ['48151623', 'Of-The-Device-1']) {
        expect(text).not.toContain(secret)
        expect(text).not.toContain(Buffer.from(secret).toString('hex'))
        expect(text).not.toContain(Buffer.from(secret).toString('base64'))
      }
    const { service } = world.server.contexts.devices
    const scope = { parkId: world.park.id }
    expect(await service.secretsOf(scope, device.id)).toEqual({ devicePassword: '48151623' })
    const revisionOf = async () => (await service.register(scope)).find(({ id }) => id === device.id)!.secretsRevision
    const before = await revisionOf()
    expect(before).not.toBe('')
    // Left out it stays, empty it is removed.
    await change(device, {})
    expect([await revisionOf(), (await read(device)).hasDevicePassword]).toEqual([before, true])
    await change(device, { devicePassword: '1234' })
    expect(await revisionOf()).not.toBe(before)
    expect((await service.secretsOf(scope, device.id)).devicePassword).toBe('1234')
    await change(device, { devicePassword: '', password: '' })
    expect(await read(device)).toMatchObject({ hasDevicePassword: false, hasPassword: false })
    expect([await revisionOf(), (await service.secretsOf(scope, device.id)).devicePassword]).toEqual(['', null])
  })
})

test('a digital code has 4 to 6 digits and is taken once in the installation', async () => {
  for (const wrong of ['123', '1234567', '12x4'])
    expect(await add({ digitalCode: wrong }), wrong).toMatchObject({
      ...refused('digitalCode', 'digits'),
      data: { fields: [expect.objectContaining({ params: { min: DIGITAL_CODE_MIN, max: DIGITAL_CODE_MAX } })] },
    })
  const device = await world.device({ digitalCode: '2001' })
  expect(await add({ digitalCode: '2001' }, await world.addPark())).toMatchObject(business(400006, 'digitalCode'))
  const other = await world.device({ digitalCode: '200100' })
  expect(await change(other, { digitalCode: '2001' })).toMatchObject(business(400006, 'digitalCode'))
  // Any number of devices may have none.
  await change(device, { digitalCode: '' })
  expect(await change(other, { digitalCode: '2001' })).toMatchObject({ code: 0 })
})

test('whatever is left out of a change stays, but for the group', async () => {
  const fields = {
    direction: 2,
    accessType: 4,
    channelCount: 2,
    openDoorConfirm: true,
    supportsVideo: true,
    userName: 'service',
    lockMacs: ['00:1A:2B:3C:4D:01'],
    digitalCode: '3001',
  } satisfies Fields
  const device = await world.device(fields)
  expect(await change(device, {})).toMatchObject({ code: 0 })
  expect(await read(device)).toMatchObject(fields)
  await change(device, { accessType: null, openDoorConfirm: false, lockMacs: [] })
  expect(await read(device)).toMatchObject({ accessType: null, openDoorConfirm: false, lockMacs: [] })
})

describe('a device', () => {
  const seen = (device: MadeDevice, what: string, holds: (shown: Awaited<ReturnType<typeof read>>) => boolean) =>
    until(what, async () => {
      const shown = await read(device)
      return holds(shown) && shown
    })

  test('tells of itself what people can read, and is Android when it says so', async () => {
    const device = await world.device()
    expect(await read(device)).toMatchObject({ apkName: '', platform: '', license: null, capacity: null, gateStatus: 0 })
    const wire = await startWireDevice(world.url, device, {
      ip: '10.1.1.7',
      facts: { apkName: 'gate-os', platform: 'linux', license: 1, capacity: 500, door: 'closed' },
    })
    expect(await seen(device, 'its facts', ({ apkName, gateStatus }) => apkName !== '' && gateStatus !== 0)).toMatchObject({
      apkName: 'gate-os',
      platform: 'linux',
      license: 1,
      capacity: 500,
      gateStatus: 1,
      ip: '10.1.1.7',
      model: deviceModel.standard,
    })
    await wire.say({ facts: { platform: 'android', door: 'alwaysOpen' } })
    expect(await seen(device, 'its platform', ({ platform, gateStatus }) => platform === 'android' && gateStatus === 2)).toMatchObject({
      model: deviceModel.android,
      gateStatus: 2,
    })
  })

  test('that found its data changed by others needs attention for a week, in the list, of itself and in the summary', async () => {
    const park = await world.addPark()
    const device = await park.device()
    const listed = async () => (await park.call(deviceCalls.list, { query: { attention: 'tampered' } })).content.map(({ id }) => id)
    const tampering = async () => (await park.call(deviceCalls.read, { params: { id: device.id } })).storeTampering
    const wire = await startWireDevice(world.url, device, { facts: { capacity: 11 } })
    expect([await tampering(), await listed()]).toEqual([null, []])
    const at = world.clock.now() - 6 * 86_400_000
    await wire.say({ facts: { storeTampering: { at, persons: 2, rules: true } } })
    await until('the finding to be known', async () => (await tampering()) !== null)
    expect(await tampering()).toEqual({ at, persons: 2, rules: true })
    expect(await listed()).toEqual([device.id])
    expect((await park.call(deviceCalls.summary, {})).tampered).toEqual([{ id: device.id, name: device.name, at }])
    const before = at - 2 * 86_400_000
    await wire.say({ facts: { storeTampering: { at: before, persons: 2, rules: true } } })
    await until('an older one to be known', async () => (await tampering())?.at === before)
    expect([await listed(), (await park.call(deviceCalls.summary, {})).tampered]).toEqual([[], []])
  })

  test('warns before it is full, in the list, of itself and in the summary', async () => {
    const park = await world.addPark()
    const device = await park.device()
    for (let person = 0; person < 9; person++) await park.person({ permittedAt: device })
    await world.settled()
    const wire = await startWireDevice(world.url, device, { facts: { capacity: 11 } })
    const readDevice = () => park.call(deviceCalls.read, { params: { id: device.id } })
    await until('its room to be known', async () => (await readDevice()).capacity === 11)
    expect(await readDevice()).toMatchObject({ personsDesired: 9, nearlyFull: false })
    expect(await park.call(deviceCalls.list, { query: { attention: 'nearlyFull' } })).toMatchObject({ total: 0 })
    await wire.say({ facts: { capacity: 10 } })
    await until('the warning', async () => (await readDevice()).nearlyFull)
    expect(await park.call(deviceCalls.list, { query: { attention: 'nearlyFull' } })).toMatchObject({
      total: 1,
      content: [{ id: device.id, nearlyFull: true }],
    })
    expect((await park.call(deviceCalls.summary, {})).nearlyFull).toEqual([
      { id: device.id, name: device.name, personsDesired: 9, capacity: 10 },
    ])
  })

  test('counts who tried to pass there, on the park’s own day and ever', async () => {
    const [device, other] = [await world.device(), await world.device()]
    const simulated = await startSimulatedDevice({
      server: world.url,
      code: device.code,
      secret: device.secret,
      epoch: 'counted',
      modelId: 'none',
    })
    const record = (seq: number, occurredAt: number) => ({
      seq,
      occurredAt,
      personId: null,
      personName: '',
      result: seq % 2,
      failReason: null,
      verifyType: 1,
      direction: 1,
      score: null,
      checks: '[]',
      revision: simulated.manifest().revision,
      hasPicture: false,
    })
    const now = world.clock.now()
    await simulated.send([record(1, now - 3 * 86_400_000), record(2, now), record(3, now)])
    await simulated.stop()
    expect(await read(device)).toMatchObject({ todayAccessCount: 2, totalAccessCount: 3 })
    const { content } = await world.call(deviceCalls.list, { query: { size: 100 } })
    expect(content.find(({ id }) => id === device.id)).toMatchObject({ todayAccessCount: 2, totalAccessCount: 3 })
    expect(content.find(({ id }) => id === other.id)).toMatchObject({ todayAccessCount: 0, totalAccessCount: 0 })
  })
})
