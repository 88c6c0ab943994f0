import { createDecipheriv, createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { recordCalls } from '@gatehouse/contract/records/calls'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { userCalls } from '@gatehouse/contract/identity/users'
import type { Answer } from '@gatehouse/dev-env/client'
import { startSimulatedDevice } from '@gatehouse/dev-env/demo/simulated-device'
import { startWorld, type MadeDevice, type MadePerson, type Site, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { openedLog } from '../../../../../tests/support/opened-log.ts'

const SECOND = 1000
const DAY = 86_400_000

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())
const rulesOf = (answer: Answer) =>
  ((answer.data as { fields?: { path: string; rule: string }[] } | undefined)?.fields ?? []).map(({ path, rule }) => `${path} ${rule}`)

/** Send passages of a device, numbered from 1 in an epoch of their own. Return the highest number the server has acknowledged. */
async function send(device: MadeDevice, epoch: string, passages: Partial<RecordObject>[]): Promise<number> {
  const simulated = await startSimulatedDevice({ server: world.url, code: device.code, secret: device.secret, epoch, modelId: 'none' })
  const { revision } = simulated.manifest()
  const base = {
    occurredAt: 0,
    personId: null,
    personName: '',
    result: 1,
    failReason: null,
    verifyType: 1,
    direction: 1,
    score: 90,
    checks: '[]',
    revision,
    hasPicture: false,
  }
  await simulated.send(passages.map((passage, index) => ({ ...base, ...passage, seq: index + 1 })))
  const stored = simulated.stored()
  await simulated.stop()
  return stored
}
const passageOf = (person: MadePerson, occurredAt: number, more: Partial<RecordObject> = {}): Partial<RecordObject> => ({
  personId: person.id,
  personName: person.name,
  occurredAt,
  ...more,
})
const times = async (site: Site, body: object = {}) =>
  (await site.call(recordCalls.find, { body: { size: 100, ...body } })).content.map(({ time }) => time).toSorted((a, b) => a - b)

test('re-entry time and sleeping-user period are settings, each with the version it was read at [BEH-205]', async () => {
  const site = await world.addPark()
  expect(await site.call(parkSettingCalls.reentry, {})).toEqual({ seconds: 0, version: 0 })
  await site.call(parkSettingCalls.saveReentry, { body: { seconds: 30, version: 0 } })
  expect(await site.call(parkSettingCalls.reentry, {})).toEqual({ seconds: 30, version: 1 })
  expect(await site.ask(parkSettingCalls.saveReentry, { body: { seconds: 60, version: 0 } })).toMatchObject({
    status: 409,
    data: { fields: [{ path: 'seconds', rule: 'conflict' }] },
  })
  expect(rulesOf(await site.ask(parkSettingCalls.saveReentry, { body: { seconds: 86_401 } }))).toEqual(['seconds max.number'])
  // Each park has its own.
  expect((await world.call(parkSettingCalls.reentry, {})).seconds).toBe(0)
  const { version } = await world.call(userCalls.sleepingConfig, {})
  await world.call(userCalls.saveSleepingConfig, { body: { days: 90, version } })
  expect((await world.call(userCalls.sleepingConfig, {})).days).toBe(90)
  await world.call(userCalls.saveSleepingConfig, { body: { days: 0 } })
})

test('a second passage within the re-entry time makes no new record, and the terminal is done with it', async () => {
  const site = await world.addPark()
  const [door, other] = [await site.device(), await site.device()]
  const [ann, ben] = [await site.person(), await site.person()]
  await site.call(parkSettingCalls.saveReentry, { body: { seconds: 60 } })
  const start = Date.now() - 3600 * SECOND
  const at = (seconds: number) => start + seconds * SECOND
  const stored = await send(door, 'one', [
    passageOf(ann, at(0)),
    passageOf(ann, at(20)),
    passageOf(ben, at(21)),
    // A refusal, which is no passage.
    passageOf(ann, at(30), { result: 0, failReason: 6 }),
    passageOf(ann, at(59)),
    // Exactly the interval after the first.
    passageOf(ann, at(60)),
    passageOf(ann, at(119)),
  ])
  expect(stored).toBe(7)
  expect(await times(site)).toEqual([0, 21, 30, 60].map(at))
  // Stored passages count too, at that door and no other; a restart of the terminal changes nothing.
  expect(await send(door, 'two', [passageOf(ann, at(100)), passageOf(ann, at(121))])).toBe(2)
  expect(await send(other, 'one', [passageOf(ann, at(122))])).toBe(1)
  expect(await times(site)).toEqual([0, 21, 30, 60, 121, 122].map(at))
})

test('without a re-entry time every passage is recorded', async () => {
  const site = await world.addPark()
  const [door, ann] = [await site.device(), await site.person()]
  const start = Date.now() - 3600 * SECOND
  await send(door, 'one', [passageOf(ann, start), passageOf(ann, start + 1), passageOf(ann, start + SECOND)])
  expect(await times(site)).toHaveLength(3)
})

test('a picture of a passage that is not recorded is taken off the terminal’s hands', async () => {
  const site = await world.addPark()
  const [door, ann] = [await site.device(), await site.person()]
  await site.call(parkSettingCalls.saveReentry, { body: { seconds: 60 } })
  const start = Date.now() - 3600 * SECOND
  const simulated = await startSimulatedDevice({ server: world.url, code: door.code, secret: door.secret, epoch: 'one', modelId: 'none' })
  const { revision } = simulated.manifest()
  const passage = (seq: number): RecordObject => ({
    seq,
    occurredAt: start + seq,
    personId: ann.id,
    personName: ann.name,
    result: 1,
    failReason: null,
    verifyType: 1,
    direction: 1,
    score: 90,
    checks: '[]',
    revision,
    hasPicture: true,
  })
  await simulated.send([passage(1), passage(2)])
  await simulated.sendPicture(2, Buffer.from('a picture'))
  // Later records are not held up by it.
  await simulated.send([{ ...passage(3), occurredAt: start + 61 * SECOND, hasPicture: false }])
  expect(simulated.stored()).toBe(3)
  await simulated.stop()
  expect(await times(site)).toEqual([start + 1, start + 61 * SECOND])
})

test('strangers leave no record where a park does not want any', async () => {
  const site = await world.addPark()
  const [door, ann] = [await site.device(), await site.person()]
  const start = Date.now() - 3600 * SECOND
  const stranger = (at: number) => ({ occurredAt: start + at, result: 0, failReason: 904 })
  await send(door, 'one', [stranger(1)])
  const { version } = await site.call(parkSettingCalls.accessControl, {})
  await site.call(parkSettingCalls.saveAccessControl, { body: { recordDays: 7, strangerRecordFlag: 0, version } })
  expect(await send(door, 'two', [stranger(2), passageOf(ann, start + 3), passageOf(ann, start + 4, { result: 0, failReason: 6 })])).toBe(3)
  expect(await times(site)).toEqual([start + 1, start + 3, start + 4])
})

test('lists of records look back as many days as the park says', async () => {
  const site = await world.addPark()
  const [door, ann] = [await site.device(), await site.person()]
  const now = Date.now()
  await send(door, 'one', [passageOf(ann, now - 9 * DAY), passageOf(ann, now - 3 * DAY), passageOf(ann, now - 1000)])
  expect(await times(site)).toEqual([now - 3 * DAY, now - 1000])
  for (const [recordDays, expected] of [
    [1, 1],
    [10, 3],
  ] as const) {
    await site.call(parkSettingCalls.saveAccessControl, { body: { recordDays, strangerRecordFlag: 1 } })
    expect(await times(site)).toHaveLength(expected)
    expect((await site.call(organisationCalls.parkInfo, {})).recordDays).toBe(recordDays)
  }
  expect(rulesOf(await site.ask(parkSettingCalls.saveAccessControl, { body: { recordDays: 32, strangerRecordFlag: 2 as never } }))).toEqual(
    ['recordDays max.number', 'strangerRecordFlag oneOf'],
  )
})

test('how people are registered is told with the park', async () => {
  const site = await world.addPark()
  const { version } = await site.call(parkSettingCalls.updateConfig, {})
  const flags = { staffFaceRegisterFlag: 1, customerFaceRegisterFlag: 0, showCustomerManagerFlag: 1 } as const
  await site.call(parkSettingCalls.saveUpdateConfig, { body: { ...flags, version } })
  expect(await site.call(organisationCalls.parkInfo, {})).toMatchObject(flags)
  expect(await site.ask(parkSettingCalls.saveUpdateConfig, { body: { ...flags, version } })).toMatchObject({
    status: 409,
    data: { fields: Object.keys(flags).map((path) => ({ path, rule: 'conflict' })) },
  })
})

test('the group of customers who register themselves is one of the park’s', async () => {
  const [site, elsewhere] = [await world.addPark(), await world.addPark()]
  const [group, foreign] = [await site.personGroup(), await elsewhere.personGroup()]
  expect(await site.call(parkSettingCalls.autoRegisterGroup, {})).toEqual({ groupId: null, groupName: '' })
  expect(rulesOf(await site.ask(parkSettingCalls.setAutoRegisterGroup, { query: { groupId: foreign.id } }))).toEqual(['groupId unknown'])
  await site.call(parkSettingCalls.setAutoRegisterGroup, { query: { groupId: group.id } })
  expect(await site.call(parkSettingCalls.autoRegisterGroup, {})).toEqual({ groupId: group.id, groupName: group.name })
  await site.call(parkSettingCalls.setAutoRegisterGroup, { query: {} })
  expect((await site.call(parkSettingCalls.autoRegisterGroup, {})).groupId).toBeNull()
})

test('everybody in a park learns which ways into the parking system are set up, and nothing else of it', async () => {
  const site = await world.addPark()
  const guard = await world.session({ park: site.park, permissions: [], roleSign: 'other' })
  const links = async () => (await guard.call(organisationCalls.parkInfo, {})).parking
  const config = {
    url: 'https://park.example.org/login',
    createUrl: '',
    channel: '',
    appId: 'app-1',
    account: '',
    merchantCode: '',
    key: '',
    secret: '',
    password: '',
  }
  expect(await links()).toEqual({ account: false, login: false })
  await site.call(parkSettingCalls.saveCarPark, { body: config })
  expect(await links()).toEqual({ account: false, login: false })
  await site.call(parkSettingCalls.saveCarPark, { body: { ...config, createUrl: 'https://park.example.org/new', secret: 'the-secret' } })
  expect(await links()).toEqual({ account: true, login: true })
})

test('a parking configuration has the specification’s six fields; left out: kept, null or empty: removed, secrets by null', async () => {
  const site = await world.addPark()
  const save = (body: InputOf<(typeof parkSettingCalls)['saveCarPark']['body']>) => site.call(parkSettingCalls.saveCarPark, { body })
  const read = () => site.call(parkSettingCalls.carPark, {})
  const six = { key: 'the-key', appId: 'app-1', secret: 'the-secret', account: 'front', password: 'the-password', merchantCode: 'M-7' }
  await save(six)
  const stored = { appId: 'app-1', account: 'front', merchantCode: 'M-7', secretsSet: ['key', 'secret', 'password'] }
  expect(await read()).toEqual({ ...stored, key: '', secret: '', password: '', url: '', createUrl: '', channel: '', version: 1 })
  // The address of the login is not one of the six settings: until it is set, there is no link, and the refusal names what is missing.
  expect(await site.ask(parkSettingCalls.carParkLogin, {})).toMatchObject({
    code: 510001,
    data: { fields: [{ path: 'url', rule: 'required' }] },
  })
  const typed = { key: six.key, secret: six.secret, password: six.password }
  await save({ ...typed, url: 'https://park.example.org/login', channel: 'gate' })
  await save(six)
  expect(await read()).toMatchObject({ ...stored, url: 'https://park.example.org/login', channel: 'gate' })
  expect((await site.call(parkSettingCalls.carParkLogin, {})).url).toContain('https://park.example.org/login?appId=app-1')
  // What was read is written back unchanged.
  await save(await read())
  expect(await read()).toMatchObject({ ...stored, url: 'https://park.example.org/login', channel: 'gate' })
  await save({ channel: null, account: '', password: null, merchantCode: 'M-8' })
  expect(await read()).toMatchObject({
    channel: '',
    account: '',
    merchantCode: 'M-8',
    appId: 'app-1',
    url: 'https://park.example.org/login',
    secretsSet: ['key', 'secret'],
  })
})

test('secrets of the parking system are never answered, and its login carries them encrypted', async () => {
  const site = await world.addPark()
  expect(await site.ask(parkSettingCalls.carParkLogin, {})).toMatchObject({ status: 200, code: 510001 })
  const config = {
    url: 'https://park.example.org/login?lang=zh',
    createUrl: '',
    channel: 'gate',
    appId: 'app-1',
    account: 'front',
    merchantCode: 'M-7',
    key: 'the-key',
    secret: 'the-secret',
    password: 'the-password',
  }
  expect(rulesOf(await site.ask(parkSettingCalls.saveCarPark, { body: { ...config, url: 'ftp://park.example.org' } }))).toEqual(['url url'])
  await site.call(parkSettingCalls.saveCarPark, { body: config })
  const shown = await site.call(parkSettingCalls.carPark, {})
  expect(shown).toMatchObject({
    url: config.url,
    appId: 'app-1',
    key: '',
    secret: '',
    password: '',
    secretsSet: ['key', 'secret', 'password'],
  })
  // Left empty they stay.
  await site.call(parkSettingCalls.saveCarPark, {
    body: { ...config, account: 'back', key: '', secret: '', password: '', version: shown.version },
  })
  // A user who could choose another secret, or another address, could read the stored one.
  const empty = { ...config, key: '', secret: '', password: '' }
  const retyped = (...names: string[]) => names.map((name) => `${name} typedAnew`)
  const refused = async (change: object) => rulesOf(await site.ask(parkSettingCalls.saveCarPark, { body: { ...empty, ...change } }))
  expect(await refused({ secret: 'another' })).toEqual(retyped('key', 'password'))
  expect(await refused({ url: 'https://elsewhere.example.org' })).toEqual(retyped('key', 'password', 'secret'))
  const address = new URL((await site.call(parkSettingCalls.carParkLogin, {})).url)
  expect(address.origin + address.pathname).toBe('https://park.example.org/login')
  expect(address.searchParams.get('lang')).toBe('zh')
  expect(address.searchParams.get('appId')).toBe('app-1')
  for (const secret of ['the-key', 'the-secret', 'the-password']) expect(address.href).not.toContain(secret)
  const token = Buffer.from(address.searchParams.get('token')!, 'base64url')
  const opened = createDecipheriv('aes-256-gcm', createHash('sha256').update('the-secret').digest(), token.subarray(0, 12))
  opened.setAuthTag(token.subarray(12, 28))
  const said = JSON.parse(Buffer.concat([opened.update(token.subarray(28)), opened.final()]).toString()) as { time: number }
  expect(said).toEqual({
    appId: 'app-1',
    key: 'the-key',
    account: 'back',
    password: 'the-password',
    merchantCode: 'M-7',
    channel: 'gate',
    time: said.time,
  })
  expect(Math.abs(said.time - Date.now())).toBeLessThan(60_000)
  // In plain text neither at rest nor in the operation log.
  const rows = await query<{ text: string }>(world.connectionString, 'select row_to_json(setting)::text as text from setting')
  const noted = (await openedLog(world)).map((change) => ({ text: JSON.stringify(change) }))
  for (const texts of [rows, noted]) {
    expect(texts.length).toBeGreaterThan(0)
    for (const { text } of texts) for (const secret of ['the-key', 'the-secret', 'the-password']) expect(text).not.toContain(secret)
  }
})
