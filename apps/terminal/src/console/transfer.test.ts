import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { portrait, portraitVariant } from '@gatehouse/dev-env/portraits'
import { DISTINCT_PORTRAITS, type FacePool } from '@gatehouse/face-engine'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../device/testing/folder.ts'
import { terminalForTest, type TestTerminal } from '../settings/testing/terminal.ts'
import type { Verdict } from '../terminal.ts'
import { transferCalls } from './transfer.ts'
import type { ConsoleRequest } from './call.ts'
import { ConsoleFile, type ConsoleRefusal } from './answers.ts'
import { openFile, sealFile } from './sealed-file.ts'
import { consoleOf, passwordSaid } from './testing/console.ts'

/** Synthetic people whom the engine can distinguish. */
const [LI, WANG, OTHER] = DISTINCT_PORTRAITS

let pool: FacePool
beforeAll(async () => {
  pool = testingFacePool({ workers: 1 })
  await pool.ready()
})
afterAll(() => pool.close())

const PASSWORD = 'opens the file'

async function opened(change: Parameters<typeof terminalForTest>[0] = {}, server?: TestTerminal['server']) {
  const started = await terminalForTest({ pool, ...change }, server)
  const client = consoleOf(started.terminal, started.sentences)
  await client.logIn()
  return {
    ...started,
    ...client,
    password: passwordSaid(started.sentences),
    async register(name: string, workNumber: string, photo: Uint8Array, card = '') {
      const { id } = (await client.call('POST', 'pictures', photo)).data as unknown as { id: string }
      expect((await client.call('POST', 'people', { name, workNumber, card, faces: [id] })).code).toBe(200)
    },
    show: async (photo: Uint8Array) =>
      (await (await fetch(`${started.terminal.url}frame`, { method: 'POST', body: Buffer.from(photo) })).json()) as Verdict,
    take: async (bytes: Uint8Array, password = PASSWORD) =>
      client.call('POST', 'transfer/import', { upload: await client.upload(bytes), password }),
  }
}

test('people move to another terminal in a file that opens with its password only, and are recognised there', async () => {
  const from = await opened()
  expect(await from.call('POST', 'transfer/export', { what: 'people', password: PASSWORD })).toMatchObject({
    code: 537,
    message: 'There are no people or records to export.',
  })
  await from.register('Li Hua', '1024', await portrait(LI), '4711')
  await from.register('Wang Fang', '1025', await portrait(WANG))
  expect(await from.call('POST', 'transfer/export', { what: 'people', password: 'short' })).toMatchObject({
    code: 510,
    fields: { password: expect.any(String) },
  })
  const { bytes, type } = await from.file('POST', 'transfer/export', { what: 'people', password: PASSWORD })
  expect(type).toBe('application/octet-stream')
  expect(Buffer.from(bytes).includes('Li Hua')).toBe(false)

  const to = await opened()
  await to.register('Somebody', '9', await portrait(OTHER), '4711')
  expect(await to.take(bytes, 'another password')).toMatchObject({ code: 525, fields: { password: expect.any(String) } })
  expect(await to.take(bytes)).toMatchObject({
    code: 200,
    data: { kind: 'people', taken: 1, refused: [{ name: 'Li Hua', workNumber: '1024', code: 532 }] },
  })
  expect(await to.show(await portraitVariant(WANG, 1))).toMatchObject({ verdict: 'allowed', personName: 'Wang Fang' })
  expect(await to.show(await portraitVariant(LI, 1))).toMatchObject({ verdict: 'rejected' })
})

test('files that are none have a code of their own: 501, 502, 504, 525, 530', async () => {
  const { call, take } = await opened()
  expect(await call('POST', 'transfer/import', { upload: '', password: PASSWORD })).toMatchObject({
    code: 502,
    message: 'There is no file.',
  })
  expect(await take(Buffer.from('a text of somebody'))).toMatchObject({ code: 504, message: 'The file has the wrong format.' })
  expect(await take(await sealFile({ kind: 'people' }, 2, PASSWORD))).toMatchObject({
    code: 530,
    message: 'The version of the database does not fit.',
  })
  expect(await take(await sealFile({ kind: 'other' }, 1, PASSWORD))).toMatchObject({ code: 501, message: 'The content could not be read.' })
  const changed = Buffer.from(await sealFile({ kind: 'people', modelId: 'x', people: [] }, 1, PASSWORD))
  changed[changed.length - 1]! ^= 1
  expect(await take(changed)).toMatchObject({ code: 525 })
})

test('records not sent yet move to the replacement of this very device, which sends them; the server has each once', async () => {
  const before = await opened()
  await before.register('Li Hua', '1024', await portrait(LI))
  before.server.acknowledging = false
  for (let pass = 0; pass < 3; pass++) await before.show(await portrait(LI))
  await until('the server has them, and did not say so', () => before.server.arrivals.length >= 3)
  const { bytes } = await before.file('POST', 'transfer/export', { what: 'records', password: PASSWORD })
  await before.stop()
  before.server.records.clear()
  before.server.acknowledging = true

  const replacement = await opened({}, before.server)
  expect(await replacement.take(bytes)).toMatchObject({ code: 200, data: { kind: 'records', taken: 3, here: 0 } })
  expect(await replacement.take(bytes)).toMatchObject({ code: 200, data: { taken: 0, here: 3 } })
  before.server.cut()
  await until('all are sent', () => replacement.terminal.state().link.kind === 'online' && replacement.terminal.state().queue.records === 0)
  expect([...before.server.records.values()].map((records) => records.size)).toEqual([3])

  const { server: other, take } = await opened()
  other.deviceId = 'another'
  const foreign = { kind: 'records', deviceId: 'another', epochs: [] }
  expect(await take(await sealFile(foreign, 1, PASSWORD))).toMatchObject({
    code: 530,
    message: expect.stringContaining('records of another device'),
  })
})

test('clearing asks for the password and removes everybody registered here', async () => {
  const { call, register, show, password } = await opened()
  await register('Li Hua', '1024', await portrait(LI))
  expect(await call('POST', 'transfer/clear', { password: 'wrong1' })).toMatchObject({ code: 525 })
  expect(await call('POST', 'transfer/clear', { password })).toMatchObject({ code: 200, data: { removed: 1 } })
  expect(await show(await portrait(LI))).toMatchObject({ verdict: 'rejected', failReason: 904 })
  expect((await call('GET', 'transfer')).data).toMatchObject({ people: 0, most: 50_000 })
})

/** A request whose answer is sent when the test says so. */
function requestWith(body: object, sent: (() => void)[] = []): ConsoleRequest {
  return {
    language: 'en',
    values: {},
    body: Buffer.from(JSON.stringify(body)),
    address: '',
    session: 's',
    remember: () => {},
    onSent: (listener) => void sent.push(listener),
  }
}

const codeOf = async (work: () => unknown): Promise<number> => {
  try {
    await work()
    return 200
  } catch (error) {
    return (error as ConsoleRefusal).code
  }
}

test('more than 50,000 records are 539, and while a file is on its way nothing is cleared: 534', async () => {
  let count = 50_001
  const record = { epoch: 'e', records: [] }
  const parts = {
    people: { size: () => 0, clear: () => {} },
    records: { count: () => count, all: () => [record] },
    uploads: {},
    verify: async () => {},
    deviceId: () => 'd',
    model: { modelId: 'm', dimensions: 128 },
  } as unknown as Parameters<typeof transferCalls>[0]
  const calls = transferCalls(parts)
  const run = (name: string, body: object, sent?: (() => void)[]) => calls[name]!.run(requestWith(body, sent))
  expect(await codeOf(() => run('POST transfer/export', { what: 'records', password: PASSWORD }))).toBe(539)
  count = 50_000
  const sent: (() => void)[] = []
  const file = await run('POST transfer/export', { what: 'records', password: PASSWORD }, sent)
  expect(file).toBeInstanceOf(ConsoleFile)
  expect(await openFile((file as ConsoleFile).bytes, 1, PASSWORD)).toMatchObject({ kind: 'records' })
  expect(await codeOf(() => run('POST transfer/clear', { password: 'x' }))).toBe(534)
  sent.forEach((listener) => listener())
  expect(await codeOf(() => run('POST transfer/clear', { password: 'x' }))).toBe(200)
})
