/** Versions and tasks as an operator of the installation sees them, and devices that report what a test makes them report. */
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { DEVICE_PACKAGE_MAX } from '@gatehouse/contract/limits'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { upgradeCalls } from '@gatehouse/contract/upgrades/calls'
import { ADMIN } from '@gatehouse/dev-env/administrator'
import { confirmPassword, createClient, type Client } from '@gatehouse/dev-env/client'
import { addTask, forceUpgrade, packageOf, saveVersion, tarOf } from '@gatehouse/dev-env/packages'
import { startSimulatedDevice, type SimulatedDevice } from '@gatehouse/dev-env/simulator/simulated-device'
import { Catalogue } from '@gatehouse/dev-env/simulator/catalogue'
import { createDeviceClock } from '@gatehouse/dev-env/simulator/clock'
import { startWorld, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { until } from '../../../../../tests/support/until.ts'
import { DOWNLOADS_AT_ONCE } from './runner.ts'
import { findRows } from './task-devices-data.ts'
import { findDueUnscoped, lookAgain, waitUntil } from './turns-data.ts'

let world: World
/** Approves forced upgrades. */
let second: Client
const simulated: SimulatedDevice[] = []
beforeAll(async () => {
  world = await startWorld()
  second = await world.session({
    roleSign: 'operator',
    organisationId: world.server.contexts.organisation.service.root().id,
  })
})
afterAll(async () => {
  await Promise.all(simulated.map((one) => one.stop()))
  await world?.stop()
})

let number = 100
const next = () => String(++number)
const md5Of = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')
type Report = InputOf<(typeof upgradeCalls)['deviceReport']['body']>

/** Return what a device reports of its upgrade, without being one. */
function deviceOf({ code, secret }: MadeDevice) {
  const client = createClient(world.url, { basic: [code, secret] })
  return {
    read: (id: string) => client.call(upgradeCalls.deviceUpgrade, { params: { id } }),
    ask: (id: string) => client.ask(upgradeCalls.deviceUpgrade, { params: { id } }),
    says: (id: string, report: Partial<Report> & Pick<Report, 'state'>) =>
      client.call(upgradeCalls.deviceReport, { params: { id }, body: { attempt: 1, ...report } }),
  }
}

async function simulate({ code, secret }: MadeDevice, version: string): Promise<SimulatedDevice> {
  const device = await startSimulatedDevice({
    server: world.url,
    code,
    secret,
    modelId: 'none',
    version,
    retry: { first: 50, limit: 200 },
    store: { catalogue: new Catalogue() },
    line: {},
  })
  simulated.push(device)
  await until(
    `${code} to be online`,
    async () =>
      (
        await world.server.contexts.devices.service.some({ parkId: world.park.id }, [
          (await world.server.contexts.devices.service.byCode(code))!.deviceId,
        ])
      )[0]!.onlineStatus === 1,
  )
  return device
}

const taskOf = (id: string) => world.call(upgradeCalls.task, { query: { id } })
const rowsOf = async (id: string) => (await world.call(upgradeCalls.taskDevices, { params: { id }, query: { size: 100 } })).content
const stateOf = async (id: string) => (await rowsOf(id)).map(({ state }) => state)
const refusalOf = async (fields: Partial<InputOf<(typeof upgradeCalls)['saveVersion']['body']>>, file: Uint8Array) => {
  const body = { kind: 'client', versionNumber: next(), md5: md5Of(file), ...fields } as InputOf<
    (typeof upgradeCalls)['saveVersion']['body']
  >
  const { status, data } = await world.ask(upgradeCalls.saveVersion, { body, file })
  return [
    status,
    ...((data as { fields?: { path: string; rule: string }[] } | undefined)?.fields ?? []).map(({ path, rule }) => `${path}: ${rule}`),
  ]
}

/** Create a task for one new device, which is not online. */
async function started(kind: 'client' | 'device' = 'client') {
  const device = await world.device()
  const version = await saveVersion(world.client, { kind, versionNumber: next() })
  const id = await addTask(world.client, { versionId: version.id, deviceIds: [device.id] })
  return { id, device, version, at: deviceOf(device) }
}

test('a version number has digits only [VAL-118]', async () => {
  const bytes = packageOf({ versionNumber: '1', kind: 'device' })
  for (const versionNumber of ['1.2', 'v3', '-1', '１２', ''])
    expect(await refusalOf({ kind: 'device', versionNumber }, bytes)).toEqual([
      400,
      expect.stringMatching(/^versionNumber: (decimalDigits|required)$/),
    ])
})

test('an upgrade file is a tar by its content, whatever its name [VAL-119]', async () => {
  expect(await refusalOf({}, Buffer.from('PK\u0003\u0004 a zip that says it is none'))).toEqual([400, 'file: tar'])
  const damaged = packageOf({ versionNumber: '1' })
  damaged[0]! ^= 1
  expect(await refusalOf({}, damaged)).toEqual([400, 'file: tar'])
  expect(await refusalOf({}, new Uint8Array())).toEqual([400, 'file: required'])
})

test('an upgrade file has at most 512 MB [VAL-120]', { tags: 'extended' }, async () => {
  const boundary = 'parts'
  const head = Object.entries({ kind: 'device', versionNumber: '1', md5: '0'.repeat(32) })
    .map(([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')
  const { bearer } = world.client.credentials as { bearer: string }
  const status = await new Promise<number>((resolve, reject) => {
    const sending = request(
      world.url + upgradeCalls.saveVersion.url,
      { method: 'POST', headers: { authorization: `Bearer ${bearer}`, 'content-type': `multipart/form-data; boundary=${boundary}` } },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      },
    )
    sending.on('error', reject)
    sending.write(
      `${head}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.tar"\r\nContent-Type: application/x-tar\r\n\r\n`,
    )
    const piece = Buffer.alloc(1_048_576)
    let left = DEVICE_PACKAGE_MAX + 1
    const more = (): void => {
      while (left > 0) {
        const part = piece.subarray(0, left)
        left -= part.length
        if (!sending.write(part)) return void sending.once('drain', more)
      }
      sending.end(`\r\n--${boundary}--\r\n`)
    }
    more()
  })
  expect(status).toBe(413)
})

test('what arrives must have the MD5 that was named, and say of itself what the form says', async () => {
  const versionNumber = next()
  const bytes = packageOf({ versionNumber, entry: 'main.js' }, { 'main.js': '' })
  expect(await refusalOf({ versionNumber, md5: md5Of(Buffer.from('another')) }, bytes)).toEqual([400, 'md5: md5Differs'])
  expect(await refusalOf({ versionNumber: '99999' }, bytes)).toEqual([400, 'versionNumber: packageVersion'])
  expect(await refusalOf({ versionNumber, kind: 'algorithm' }, bytes)).toEqual([400, 'kind: packageKind'])
  const { id } = await saveVersion(world.client, { versionNumber, content: 'Quieter doors' }, bytes)
  // Leading zeros do not make another number.
  expect(await refusalOf({ versionNumber: `0${versionNumber}` }, bytes)).toEqual([400, 'versionNumber: versionTaken'])
  const found = (await world.call(upgradeCalls.allVersions, { query: { kind: 'client' } })).find((one) => one.id === id)
  expect(found).toMatchObject({
    versionNumber,
    content: 'Quieter doors',
    size: bytes.length,
    md5: md5Of(bytes),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    updateType: 0,
    signed: true,
    inProgress: 0,
  })
  expect((await world.call(upgradeCalls.versions, { query: { versionNumber } })).content).toEqual([found])
})

test('an upgrade is asked for with number, content, type, MD5 and file: it makes the version, and a task for all devices', async () => {
  const site = await world.addPark()
  const [door, other] = [await site.device(), await site.device()]
  await confirmPassword(site.client, ADMIN.password)
  const ask = (fields: object, file?: Uint8Array) =>
    site.ask(upgradeCalls.addTask, { body: fields as InputOf<(typeof upgradeCalls)['addTask']['body']>, ...(file && { file }) })
  const versionNumber = next()
  const bytes = tarOf({ 'app.apk': 'an app' })
  const five = { versionNumber, content: 'Quieter doors', type: 0, md5: md5Of(bytes) }
  const { id } = (await ask(five, bytes)).data
  const shown = {
    id,
    kind: 'device',
    versionNumber,
    content: 'Quieter doors',
    type: 0,
    md5: md5Of(bytes),
    progress: 0,
    status: 'inProgress',
  }
  expect(await site.call(upgradeCalls.task, { query: { id } })).toMatchObject({ ...shown, file: expect.stringMatching(/./), devices: 2 })
  expect((await site.call(upgradeCalls.tasks, { query: {} })).content).toMatchObject([shown])
  // The device receives the uploaded package.
  expect(await deviceOf(door).read(id)).toMatchObject({ versionNumber, md5: md5Of(bytes), size: bytes.length, type: 0 })
  const [version] = (await site.call(upgradeCalls.versions, { query: { versionNumber } })).content
  expect(version).toMatchObject({ versionNumber, updateType: 0, content: 'Quieter doors' })
  // Some devices only, named beside the file.
  const named = { ...five, versionNumber: next(), type: 1, deviceIds: [other.id], codes: ['nobody'] }
  expect(await site.call(upgradeCalls.task, { query: { id: (await ask(named, bytes)).data.id } })).toMatchObject({
    type: 1,
    devices: 2,
    counts: { inProgress: 1, notRegistered: 1 },
  })
  // An invalid request leaves no version behind.
  const wrong = { ...five, versionNumber: next() }
  for (const [fields, file, path, rule] of [
    [{ ...wrong, md5: '0'.repeat(32) }, bytes, 'md5', 'md5Differs'],
    [{ ...wrong, versionNumber: 'v3' }, bytes, 'versionNumber', 'decimalDigits'],
    [{ ...wrong, type: 2 }, bytes, 'type', 'oneOf'],
    [wrong, Buffer.from('no tar'), 'file', 'tar'],
    [wrong, undefined, 'file', 'required'],
    [{ ...wrong, md5: undefined }, bytes, 'md5', 'required'],
    [{ content: 'x' }, bytes, 'versionNumber', 'required'],
    [{}, undefined, 'versionId', 'required'],
    [{ ...wrong, versionId: version!.id }, bytes, 'versionId', 'versionOrPackage'],
    [{ versionId: version!.id, deviceIds: [door.id] }, bytes, 'versionId', 'versionOrPackage'],
  ] as const)
    expect(await ask(fields, file)).toMatchObject({
      status: 400,
      data: { fields: expect.arrayContaining([expect.objectContaining({ path, rule })]) },
    })
  expect(await ask({ ...wrong, deviceIds: [(await world.device()).id] }, bytes)).toMatchObject({ status: 404 })
  expect((await site.call(upgradeCalls.versions, { query: { versionNumber: wrong.versionNumber } })).content).toEqual([])
})

test(
  'a task begins at once, and ends well when its device runs the version and has started again [STATE:upgrade:*>in ' +
    'progress, STATE:upgrade:in progress>success, STATE:upgrade:success>restarted, STATE:job:*>in progress, STATE:job:in ' +
    'progress>success]',
  async () => {
    const { id, at, version } = await started()
    expect(await taskOf(id)).toMatchObject({
      status: 'inProgress',
      devices: 1,
      counts: { inProgress: 1 },
      progress: 0,
      versionNumber: version.versionNumber,
    })
    expect(await stateOf(id)).toEqual(['inProgress'])
    await at.says(id, { state: 'inProgress', step: 'downloading', progress: 40 })
    expect(await rowsOf(id)).toMatchObject([{ state: 'inProgress', step: 'downloading', progress: 40 }])
    expect(await at.says(id, { state: 'success', versionNumber: version.versionNumber })).toEqual({ attempt: 1, state: 'success' })
    expect([await stateOf(id), (await taskOf(id)).status]).toEqual([['success'], 'success'])
    await at.says(id, { state: 'restarted', versionNumber: version.versionNumber })
    expect(await rowsOf(id)).toMatchObject([{ state: 'restarted', progress: 100, reason: null, endedAt: expect.any(Number) }])
    expect(await taskOf(id)).toMatchObject({ status: 'success', progress: 100 })
    // A late or repeated report changes nothing.
    for (const state of ['inProgress', 'failed', 'success', 'restarted'] as const)
      expect(await at.says(id, { state })).toEqual({ attempt: 1, state: 'restarted' })
  },
)

test(
  'a device that fails says why, and is tried again as another attempt [STATE:upgrade:in progress>failed, STATE:job:in ' +
    'progress>failed, STATE:job:failed>in progress]',
  async () => {
    const { id, at } = await started()
    await at.says(id, { state: 'failed', reason: 'md5' })
    expect([await rowsOf(id), (await taskOf(id)).status]).toMatchObject([[{ state: 'failed', reason: 'md5' }], 'failed'])
    expect(await world.call(upgradeCalls.retry, { params: { id }, body: {} })).toEqual({ devices: 1 })
    expect([await rowsOf(id), (await taskOf(id)).status]).toMatchObject([
      [{ state: 'inProgress', step: 'waiting', attempt: 2, reason: null }],
      'inProgress',
    ])
    // Reports of the first attempt no longer count.
    expect(await at.says(id, { state: 'failed', reason: 'noRoom' })).toEqual({ attempt: 2, state: 'inProgress' })
    // It reports success, but with another number.
    expect(await at.says(id, { attempt: 2, state: 'success', versionNumber: '1' })).toEqual({ attempt: 2, state: 'failed' })
    expect(await rowsOf(id)).toMatchObject([{ reason: 'notStarted' }])
  },
)

test('a code no device has, and a device that is deleted, are not registered [STATE:upgrade:*>not registered]', async () => {
  const { id: versionId } = await saveVersion(world.client, { versionNumber: next() })
  const known = await world.device()
  const foreign = await (await world.addPark()).device()
  const codes = [known.code.toLowerCase(), 'NOBODY-1', foreign.code]
  expect(await world.call(upgradeCalls.reach, { body: { versionId, codes } })).toMatchObject({ devices: 1, notRegistered: 2, online: 0 })
  const id = await addTask(world.client, { versionId, codes })
  expect((await rowsOf(id)).map(({ code, state }) => [code, state]).toSorted()).toEqual(
    [
      [known.code, 'inProgress'],
      [foreign.code, 'notRegistered'],
      ['NOBODY-1', 'notRegistered'],
    ].toSorted(),
  )
  await world.call(deviceCalls.delete, { query: { ids: [known.id] } })
  await world.settled()
  expect(await taskOf(id)).toMatchObject({ status: 'failed', counts: { notRegistered: 3 } })
})

test('a device that says it runs the version or a higher one is left as it is [STATE:upgrade:*>already newest]', async () => {
  const [older, same] = [await world.device(), await world.device()]
  const versionNumber = next()
  const { id: versionId } = await saveVersion(world.client, { versionNumber })
  await simulate(same, versionNumber)
  const body = { versionId, deviceIds: [older.id, same.id] }
  expect(await world.call(upgradeCalls.reach, { body })).toMatchObject({ devices: 2, alreadyNewest: 1, online: 1 })
  const id = await addTask(world.client, body)
  expect(Object.fromEntries((await rowsOf(id)).map((row) => [row.deviceId, [row.state, row.versionBefore]]))).toEqual({
    [older.id]: ['inProgress', ''],
    [same.id]: ['alreadyNewest', versionNumber],
  })
  // If the server does not know a device's version, the device itself reports that it has it.
  await deviceOf(older).says(id, { state: 'alreadyNewest' })
  expect(await taskOf(id)).toMatchObject({ status: 'success', counts: { alreadyNewest: 2 } })
})

test('a device reads its own upgrades only, and the package in parts', async () => {
  const versionNumber = next()
  const bytes = packageOf(
    { versionNumber, entry: 'noise.bin' },
    { 'noise.bin': createHash('sha512').update('noise').digest().toString('hex').repeat(40_000) },
  )
  const version = await saveVersion(world.client, { versionNumber }, bytes)
  const [device, other] = [await world.device(), await world.device()]
  const id = await addTask(world.client, { versionId: version.id, deviceIds: [device.id] })
  expect(await deviceOf(device).read(id)).toMatchObject({
    kind: 'client',
    versionNumber: version.versionNumber,
    size: bytes.length,
    md5: md5Of(bytes),
    attempt: 1,
    state: 'inProgress',
  })
  expect(await deviceOf(other).ask(id)).toMatchObject({ status: 404 })

  const address = world.url + upgradeCalls.devicePackage.url.replace('{id}', id)
  const part = async (range?: string) =>
    fetch(address, { headers: { authorization: `Basic ${btoa(`${device.code}:${device.secret}`)}`, ...(range && { range }) } })
  const whole = await part()
  expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, 'bytes'])
  expect(md5Of(Buffer.from(await whole.arrayBuffer()))).toBe(md5Of(bytes))
  // Across the stored pieces, and to its end.
  for (const [from, to] of [
    [0, 0],
    [2_097_150, 2_097_153],
    [4_000_000, bytes.length - 1],
  ] as const) {
    const answer = await part(`bytes=${from}-${to}`)
    expect([answer.status, answer.headers.get('content-range')]).toEqual([206, `bytes ${from}-${to}/${bytes.length}`])
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes.subarray(from, to + 1))).toBe(true)
  }
  await world.call(upgradeCalls.cancel, { params: { id }, body: {} })
  expect((await part()).status).toBe(404)
})

test('devices and groups of another park are nobody’s to upgrade', async () => {
  const { id: versionId } = await saveVersion(world.client, { versionNumber: next() })
  const elsewhere = await world.addPark()
  const [foreign, group] = [await elsewhere.device(), await elsewhere.deviceGroup()]
  for (const body of [{ deviceIds: [foreign.id] }, { deviceGroupIds: [group.id] }]) {
    for (const call of [upgradeCalls.addTask, upgradeCalls.reach])
      expect(await world.ask(call, { body: { versionId, ...body } })).toMatchObject({ status: 404 })
  }
  expect(await world.ask(upgradeCalls.addTask, { body: { versionId } })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'deviceIds', rule: 'upgradeTargets' }] },
  })
  const id = await addTask(elsewhere.client, { versionId, deviceIds: [foreign.id] })
  expect(await world.ask(upgradeCalls.task, { query: { id } })).toMatchObject({ status: 404 })
  for (const call of [upgradeCalls.retry, upgradeCalls.cancel])
    expect(await world.ask(call, { params: { id }, body: {} })).toMatchObject({ status: 404 })
})

test('a version stays while a device is on its way to it; a later upgrade takes the place of an earlier one', async () => {
  const { id, version, device } = await started()
  const asked = { query: { id: version.id } }
  expect(await world.ask(upgradeCalls.deleteVersion, asked)).toMatchObject({ status: 400, data: { fields: [{ rule: 'versionInUse' }] } })
  const later = await saveVersion(world.client, { versionNumber: next() })
  const body = { versionId: later.id, deviceIds: [device.id] }
  expect(await world.call(upgradeCalls.reach, { body })).toMatchObject({ superseded: 1 })
  await addTask(world.client, body)
  expect(await rowsOf(id)).toMatchObject([{ state: 'failed', reason: 'superseded' }])
  await world.call(upgradeCalls.deleteVersion, asked)
  expect(await taskOf(id)).toMatchObject({ versionId: null, versionNumber: version.versionNumber, status: 'failed' })
  expect(await world.ask(upgradeCalls.retry, { params: { id }, body: {} })).toMatchObject({
    status: 400,
    data: { fields: [{ rule: 'versionGone' }] },
  })
})

test(
  'devices that are online are told at once, others when they come back, and over a restart of the server',
  { tags: 'extended' },
  async () => {
    const devices = [await world.device(), await world.device(), await world.device()] as const
    const running = await simulate(devices[0], '1')
    const { id: versionId, versionNumber, bytes } = await saveVersion(world.client, { versionNumber: next() })
    const id = await forceUpgrade(world.client, second, { versionId, deviceIds: devices.map((one) => one.id) })
    const stateAt = async (device: MadeDevice) => (await rowsOf(id)).find(({ deviceId }) => deviceId === device.id)!.state
    await until('the first to have started again', async () => (await stateAt(devices[0])) === 'restarted')
    expect([running.installation.version(), running.installation.received()]).toEqual([versionNumber, bytes.length])
    await until(
      'the list to show its version',
      async () => (await world.call(deviceCalls.read, { params: { id: devices[0].id } })).firmwareVersion === versionNumber,
    )
    expect([await stateAt(devices[1]), await stateAt(devices[2])]).toEqual(['inProgress', 'inProgress'])
    await simulate(devices[1], '1')
    await until('the second to have started again', async () => (await stateAt(devices[1])) === 'restarted')
    await world.interrupted(async () => {})
    await simulate(devices[2], '1')
    await until('the third to have started again', async () => (await taskOf(id)).counts.restarted === 3)
    expect(await taskOf(id)).toMatchObject({ status: 'success', progress: 100 })
    const silent = await world.device()
    await until('all to have said what they run', async () => {
      const versions = await world.call(upgradeCalls.running, {})
      return versions.some((one) => one.versionNumber === versionNumber && one.devices === 3 && one.online === 3)
    })
    expect((await world.call(upgradeCalls.running, {})).at(-1)).toMatchObject({ versionNumber: '', online: 0 })
    const listed = await world.call(deviceCalls.list, { query: { firmwareVersion: versionNumber, size: 100 } })
    expect(listed.content.map((device) => device.id).toSorted()).toEqual(devices.map((device) => device.id).toSorted())
    expect(listed.content.map((device) => device.id)).not.toContain(silent.id)
  },
)

test('an installation that is upgraded by other means says so', async () => {
  const terminal = await world.terminal()
  const { id: versionId } = await saveVersion(world.client, { versionNumber: next() })
  const id = await addTask(world.client, { versionId, deviceIds: [terminal.device.id] })
  await until('it to be told', async () => (await taskOf(id)).status === 'failed')
  expect(await rowsOf(id)).toMatchObject([{ state: 'failed', reason: 'packageManager' }])
})

test('an upgrade that asks first waits at the device, and is cancelled there', async () => {
  const device = await world.device()
  // At noon, when a confirmation at the device is needed.
  const clock = createDeviceClock({ truth: () => Date.UTC(2026, 10, 22, 12) })
  const { code, secret } = device
  const waiting = await startSimulatedDevice({
    server: world.url,
    code,
    secret,
    modelId: 'none',
    version: '1',
    clock,
    retry: { first: 50, limit: 200 },
    store: { catalogue: new Catalogue() },
  })
  simulated.push(waiting)
  const { id: versionId } = await saveVersion(world.client, { versionNumber: next() })
  const id = await addTask(world.client, { versionId, deviceIds: [device.id] })
  await until('it to wait for somebody', async () => (await rowsOf(id))[0]!.step === 'prompt')
  expect(waiting.installation.version()).toBe('1')
  expect(await world.call(upgradeCalls.cancel, { params: { id }, body: {} })).toEqual({ devices: 1 })
  expect(await rowsOf(id)).toMatchObject([{ state: 'failed', reason: 'cancelled' }])
  // The same task again: it starts again, as another attempt, and this time at once.
  const again = await forceUpgrade(world.client, second, { versionId, deviceIds: [device.id] })
  await until('it to have started again', async () => (await taskOf(again)).counts.restarted === 1)
})

test('a device that comes while it is found to be away is not put off', async () => {
  const device = await world.device()
  const { id: versionId } = await saveVersion(world.client, { versionNumber: next() })
  const id = await forceUpgrade(world.client, second, { versionId, deviceIds: [device.id] })
  const scope = { parkId: world.park.id }
  const db = world.server.platform.db
  // In an hour, so that the server's own job does not interfere.
  const seen = world.server.platform.clock.now() + 3_600_000
  const later = seen + 3_600_000
  const [row] = await findRows(scope, db, id, 'inProgress')
  const isDue = async () => (await findDueUnscoped(db, seen + 1_000, 500)).some((due) => due.id === row!.id)
  await waitUntil(scope, db, [row!.id], later)
  expect(await isDue()).toBe(false)
  // The device connects after it was checked, and before it is stored as offline.
  await lookAgain(scope, db, [device.id], seen)
  await waitUntil(scope, db, [row!.id], later, seen)
  expect(await isDue()).toBe(true)
  await world.call(upgradeCalls.cancel, { params: { id }, body: {} })
})

test('only so many devices download at the same time', async () => {
  const devices = await Promise.all(Array.from({ length: DOWNLOADS_AT_ONCE + 4 }, () => world.device()))
  const { id: versionId } = await saveVersion(world.client, { versionNumber: next() })
  const id = await forceUpgrade(world.client, second, { versionId, deviceIds: devices.map((one) => one.id) })
  // These have received the task and report that they are downloading, and nothing else.
  const downloading = devices.slice(0, DOWNLOADS_AT_ONCE)
  for (const device of downloading) await deviceOf(device).says(id, { state: 'inProgress', step: 'downloading', progress: 1 })
  const late = devices.at(-1)!
  await simulate(late, '1')
  const stepOf = async (device: MadeDevice) => (await rowsOf(id)).find(({ deviceId }) => deviceId === device.id)!
  await world.server.platform.events.settled()
  expect(await stepOf(late)).toMatchObject({ state: 'inProgress', step: 'waiting', online: true })
  await deviceOf(downloading[0]!).says(id, { state: 'inProgress', step: 'checking', progress: 100 })
  await until('the one that waited to have its turn', async () => (await stepOf(late)).state === 'restarted')
  await world.call(upgradeCalls.cancel, { params: { id }, body: {} })
})
