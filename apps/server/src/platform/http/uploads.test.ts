/** Uploads of many clients at once, most of which announce a body and do not send it. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FACE_FILE_MAX, addressOf, type Call } from '@gatehouse/contract'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { drawnFace, createFixtures, type Fixtures } from '../../../../../tests/support/fixtures.ts'
import { formBytes, manualSeconds, openRequest, type OpenRequest } from '../../../../../tests/support/open-requests.ts'
import { linkTokenIn } from '../../../../../tests/support/cases/enrolment.ts'
import { until } from '../../../../../tests/support/until.ts'
import { workbookOf } from '../../contexts/imports/testing/files.ts'

/** Bytes that keep the minimum rate for a second. */
const SECOND_OF_BODY = 16_000
/** Seconds until as much has arrived as a connection buffers unread, at which an upload enters. */
const SECONDS_TO_PLACE = 5

const seconds = manualSeconds()
let world: World
let things: Fixtures
let face: Buffer
let linkToken: string
beforeAll(async () => {
  world = await startWorld({ ticks: seconds.ticks })
  things = await createFixtures(world, world, { face: false, report: false })
  face = await drawnFace()
  linkToken = await linkTokenIn({ world, site: world })
})
afterAll(() => world?.stop())

interface OpenOptions {
  client?: Client
  params?: Record<string, string>
  linkToken?: string
  from?: string
  length?: number
  type?: string
}

const open = (
  call: Call,
  { client, params = {}, length = FACE_FILE_MAX, type = 'multipart/form-data; boundary=x', ...rest }: OpenOptions,
) =>
  openRequest(world.url, {
    method: call.method,
    address: addressOf(call, params),
    credentials: client?.credentials ?? null,
    type,
    length,
    ...rest,
  })
const FORM_HEAD = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'

const openMany = (count: number, call: Call, options: OpenOptions): Promise<OpenRequest[]> =>
  Promise.all(Array.from({ length: count }, () => open(call, options)))
const sendAll = (requests: readonly OpenRequest[], bytes: Uint8Array | string) => Promise.all(requests.map((one) => one.send(bytes)))

/** Send as much as an upload needs to enter, in pieces that fit into every buffer on the way. */
async function sendForPlace(requests: readonly OpenRequest[]): Promise<void> {
  await sendAll(requests, FORM_HEAD)
  for (let second = 0; second < SECONDS_TO_PLACE; second++) await sendAll(requests, Buffer.alloc(SECOND_OF_BODY))
}

/** Resolve when requests opened before have been admitted: a later one has been answered. */
const admitted = () => world.call(faceCalls.cache, { body: {}, file: face })
const received = () => readdirSync(join(world.dataDir, 'received'))

async function importOf(client: Client): Promise<{ id: string }> {
  const { id } = await client.call(importCalls.create, { body: { groupId: things.group.id } })
  return { id }
}
const sheet = (): Buffer =>
  workbookOf([
    ['Name', 'Work no.'],
    ['Ann', '0012'],
  ])
const addRows = async (client: Client) => client.call(importCalls.addRows, { params: await importOf(client), file: sheet() })

/** A user's photograph, the picture of a terminal's record, and an import. */
async function expectUploadsToWork(): Promise<void> {
  const user = await world.session()
  const terminal = createClient(world.url, { basic: [things.device.code, things.device.secret] })
  const [photograph, picture, rows] = await Promise.all([
    user.call(faceCalls.cache, { body: {}, file: face }),
    terminal.call(deviceProtocolCalls.picture, { params: { id: things.recordId }, file: face }),
    addRows(user),
  ])
  expect(photograph.faceId).not.toBe('')
  expect(picture).toEqual({ id: things.recordId })
  expect(rows.rows).toMatchObject({ create: 1 })
}

describe('a client that announces a file and does not send it', () => {
  test.each([10, 100])('delays no upload, be there %i of them that are silent and as many that send a byte now and then', async (count) => {
    const silent = await openMany(count, enrolmentCalls.submit, { linkToken })
    const trickling = await openMany(count, enrolmentCalls.submit, { linkToken })
    await sendAll(trickling, FORM_HEAD)
    await expectUploadsToWork()
    await seconds.pass(3)
    await sendAll(trickling, 'x')
    await expectUploadsToWork()
    expect([...silent, ...trickling].filter((one) => one.isClosed())).toEqual([])
  })

  test('is cut off five seconds later', async () => {
    const silent = [
      await open(enrolmentCalls.submit, { linkToken }),
      await open(faceCalls.cache, { client: world.client }),
      await open(importCalls.addRows, { client: world.client, params: await importOf(world.client) }),
      await open(importCalls.create, { client: world.client, type: 'application/json', length: 100 }),
    ]
    await admitted()
    await seconds.pass(5)
    expect(silent.map((one) => one.status())).toEqual([null, null, null, null])
    await seconds.pass(1)
    expect(await Promise.all(silent.map((one) => one.answered()))).toEqual([408, 408, 408, 408])
    await Promise.all(silent.map((one) => one.closed()))
  })

  test('is cut off too when it falls behind the minimum rate, at the beginning or in the middle', async () => {
    const slow = [
      await open(enrolmentCalls.submit, { linkToken }),
      await open(faceCalls.cache, { client: world.client }),
      await open(importCalls.addRows, { client: world.client, params: await importOf(world.client) }),
      await open(importCalls.create, { client: world.client, type: 'application/json', length: 500_000 }),
    ]
    await sendForPlace(slow.slice(1, 3))
    await until('the import to be received', () => received().length > 0)
    while (slow.some((one) => !one.isClosed())) {
      await sendAll(slow, Buffer.alloc(SECOND_OF_BODY / 4, 'x'))
      await seconds.pass(1)
    }
    // The answer may come too late if there is something to clean up.
    expect(slow.filter((one) => one.status() !== 408 && one.status() !== null)).toEqual([])
    await until('nothing to be left behind', () => received().length === 0)
  })

  test('is not waited for once it has been refused', async () => {
    const refused = await open(faceCalls.cache, { client: createClient(world.url, { bearer: 'made-up' }) })
    expect(await refused.answered()).toBe(401)
    await seconds.pass(5)
    expect(refused.isClosed()).toBe(false)
    await seconds.pass(1)
    expect(refused.isClosed()).toBe(true)
  })
})

describe('a line of 16 kB a second', () => {
  test('is fast enough, for a file in memory, a file on disk and JSON', async () => {
    const client = await world.session()
    const form = await formBytes(face)
    // Nothing is read after the end of a form, but it has to arrive.
    const padded = { ...form, bytes: Buffer.concat([form.bytes, Buffer.alloc(Math.max(0, 20 * SECOND_OF_BODY - form.bytes.length))]) }
    const rows = await formBytes(sheet(), 'people.xlsx')
    const paddedRows = { ...rows, bytes: Buffer.concat([rows.bytes, Buffer.alloc(20 * SECOND_OF_BODY)]) }
    const json = Buffer.from(JSON.stringify({ groupId: things.group.id }).padEnd(20 * SECOND_OF_BODY))
    const bodies = [padded.bytes, paddedRows.bytes, json]
    const requests = [
      await open(faceCalls.cache, { client, type: padded.type, length: padded.bytes.length }),
      await open(importCalls.addRows, { client, params: await importOf(client), type: rows.type, length: paddedRows.bytes.length }),
      await open(importCalls.create, { client, type: 'application/json', length: json.length }),
    ]
    await admitted()
    for (let at = 0; at < Math.max(...bodies.map(({ length }) => length)); at += SECOND_OF_BODY) {
      await Promise.all(requests.map((one, index) => one.send(bodies[index]!.subarray(at, at + SECOND_OF_BODY))))
      await seconds.pass(1)
    }
    expect(await Promise.all(requests.map((one) => one.answered()))).toEqual([200, 200, 200])
  })
})

describe('the token of a link', () => {
  test('is checked before a byte of the body has arrived', async () => {
    for (const token of [undefined, '', 'a'.repeat(43)]) {
      const request = await open(enrolmentCalls.submit, token === undefined ? {} : { linkToken: token })
      expect(await request.answered()).toBe(400)
    }
  })
})

describe('one user', () => {
  /** Imports of a user, each with a part of its body sent. */
  async function stalledImports(client: Client, count: number): Promise<OpenRequest[]> {
    const stalled = await Promise.all(
      Array.from({ length: count }, async () => open(importCalls.addRows, { client, params: await importOf(client) })),
    )
    await sendForPlace(stalled)
    return stalled
  }

  test('with four stalled imports stops nobody else’s', async () => {
    await stalledImports(await world.session(), 4)
    expect((await addRows(await world.session())).rows).toMatchObject({ create: 1 })
  })

  test('with a dozen large stalled photographs stops nobody else’s', async () => {
    const stalled = await openMany(12, faceCalls.cache, { client: await world.session() })
    await sendForPlace(stalled)
    await expectUploadsToWork()
  })

  test('waits for a turn as long as it takes, without being cut off', async () => {
    const client = await world.session()
    const running = await stalledImports(client, 2)
    await until('both imports to be received', () => received().length === 2)
    const rows = await formBytes(sheet(), 'people.xlsx')
    const large = Buffer.concat([rows.bytes, Buffer.alloc(2_000_000)])
    const waiting = [
      await open(importCalls.addRows, { client, params: await importOf(client), type: rows.type, length: rows.bytes.length }),
      await open(importCalls.addRows, { client, params: await importOf(client), type: rows.type, length: large.length }),
    ]
    await waiting[0]!.send(rows.bytes)
    await waiting[1]!.send(large)
    for (let second = 0; second < 30; second++) {
      await sendAll(running, Buffer.alloc(SECOND_OF_BODY))
      await seconds.pass(1)
    }
    expect([...running, ...waiting].map((one) => one.status())).toEqual([null, null, null, null])
    for (const one of running) one.destroy()
    expect(await Promise.all(waiting.map((one) => one.answered()))).toEqual([200, 200])
  })

  test('who goes while waiting leaves no place taken', async () => {
    const client = await world.session()
    const running = await stalledImports(client, 2)
    await until('both imports to be received', () => received().length === 2)
    const { type, bytes } = await formBytes(sheet(), 'people.xlsx')
    const waiting = await stalledImports(client, 4)
    for (let complete = 0; complete < 4; complete++) {
      const params = await importOf(client)
      const request = await open(importCalls.addRows, { client, params, type, length: bytes.length })
      await request.send(bytes)
      waiting.push(request)
    }
    await admitted()
    for (const one of waiting) one.destroy()
    await admitted()
    for (const one of running) one.destroy()
    await Promise.all([addRows(client), addRows(client), addRows(client)])
    expect(received()).toEqual([])
  })
})

describe('one address with a link', () => {
  test('delays no upload of a user or a terminal, and none through a link from another address', async () => {
    await sendForPlace(await openMany(20, enrolmentCalls.submit, { linkToken, from: '192.0.2.1' }))
    await admitted()
    await expectUploadsToWork()
    const { type, bytes } = await formBytes(face)
    const other = await open(enrolmentCalls.submit, { linkToken, from: '192.0.2.2', type, length: bytes.length })
    await other.send(bytes)
    // It lacks a name, which is checked once all of it has been read.
    expect(await other.answered()).toBe(400)
  })
})

describe('one link from many addresses', () => {
  test('delays nobody who uses another link', async () => {
    const addresses = Array.from({ length: 12 }, (_, at) => `198.51.100.${at + 1}`)
    await sendForPlace(await Promise.all(addresses.map((from) => open(enrolmentCalls.submit, { linkToken, from }))))
    await admitted()
    const { type, bytes } = await formBytes(face)
    const other = await open(enrolmentCalls.submit, {
      linkToken: await linkTokenIn({ world, site: world }),
      from: '192.0.2.3',
      type,
      length: bytes.length,
    })
    await other.send(bytes)
    expect(await other.answered()).toBe(400)
  })
})

describe('JSON that is nested deeply', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  const post = async (body: string) => {
    const response = await fetch(world.url + enrolmentCalls.open.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    return { status: response.status, body: (await response.json()) as { data: { fields: unknown } } }
  }

  test('is refused before it is parsed', async () => {
    const malformed = { status: 400, body: { code: 400, data: { fields: [{ path: '', rule: 'malformed' }] } } }
    expect(await post(nested(500_000))).toMatchObject(malformed)
    expect(await post(`{"token":${nested(64)}}`)).toMatchObject(malformed)
    expect(await post(`{"token":${nested(63)}}`)).toMatchObject({ body: { data: { fields: [{ path: 'token', rule: 'type' }] } } })
  })
})
