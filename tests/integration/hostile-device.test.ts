/** A device that sends invalid messages, or accesses data of others: it is disconnected, and nothing else is affected. */
import { createHash } from 'node:crypto'
import { connect as connectSocket } from 'node:net'
import mqtt from 'mqtt'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { PROTOCOL_VERSION, deviceTopics } from '@gatehouse/contract/device/protocol'
import { acknowledgedMessage, type RecordObject } from '@gatehouse/contract/device/protocol-records'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type MadeDevice, type MadePerson, type World } from '@gatehouse/dev-env/world'
import { recordId } from '@gatehouse/server/platform/database/ids'
import { drawnFace } from '../support/fixtures.ts'
import { flatPng } from '../support/pictures.ts'
import { until } from '../support/until.ts'

const EPOCH = 'first'
const MODEL = 'none'
const NOW = Date.now()

const passage = (seq: number, options: Record<string, unknown> = {}): RecordObject => ({
  seq,
  occurredAt: NOW,
  personId: null,
  personName: '',
  result: 1,
  failReason: null,
  verifyType: 1,
  direction: 1,
  score: 91,
  checks: '[]',
  revision: 'r',
  hasPicture: false,
  ...options,
})
const message = (records: readonly unknown[], options: Record<string, unknown> = {}): string =>
  JSON.stringify({ epoch: EPOCH, oldestSeq: 1, sentAt: NOW, records, ...options })

interface Online {
  http: Client
  deviceId: string
  send(topic: string, payload: string | Buffer): void
  /** Return the highest acknowledged number of an epoch. */
  acknowledged(epoch: string): number
  received: string[]
  connected(): boolean
}

let world: World

const clientOf = ({ code, secret }: Pick<MadeDevice, 'code' | 'secret'>): Client => createClient(world.url, { basic: [code, secret] })
const pair = (http: Client) =>
  http.call(deviceProtocolCalls.pair, { body: { protocol: PROTOCOL_VERSION, version: '1', modelId: MODEL, epochs: [EPOCH] } })

/** Pair and connect as any terminal does; disconnect when the test ends unless it is to stay. */
async function online(device: MadeDevice, stays = false): Promise<Online> {
  const http = clientOf(device)
  const { broker, deviceId } = await pair(http)
  const topics = deviceTopics(device.code)
  const connection = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
    username: broker.username,
    password: broker.password,
    reconnectPeriod: 0,
    will: { topic: topics.status, payload: Buffer.from('{"online":false}'), qos: 1, retain: true },
  })
  if (!stays) onTestFinished(() => connection.endAsync(true))
  const received: string[] = []
  const acknowledged = new Map<string, number>()
  connection.on('error', () => {})
  connection.on('message', (topic, payload) => {
    received.push(`${topic} ${payload.toString('utf8')}`)
    if (topic !== topics.acknowledged) return
    const { epoch, ackSeq } = acknowledgedMessage.parse(JSON.parse(payload.toString('utf8')))
    acknowledged.set(epoch, Math.max(ackSeq, acknowledged.get(epoch) ?? 0))
  })
  await connection.subscribeAsync(`gatehouse/1/${device.code}/down/#`, { qos: 1 })
  return {
    http,
    deviceId,
    send: (topic, payload) => void connection.publish(topic, payload, { qos: 0 }),
    acknowledged: (epoch) => acknowledged.get(epoch) ?? 0,
    received,
    connected: () => connection.connected,
  }
}

let bystander: Online
let bystanderTopics: ReturnType<typeof deviceTopics>
let sender: MadeDevice
let passed = 0

/** Record a passage at the bystander: it is stored and acknowledged. */
async function passesAsUsual(): Promise<void> {
  const epoch = `passage-${++passed}`
  bystander.send(bystanderTopics.records, message([passage(1)], { epoch }))
  await until(`${epoch} of another device to be acknowledged`, () => bystander.acknowledged(epoch) === 1)
}

beforeAll(async () => {
  world = await startWorld({ logLevel: 'silent' })
  const device = await world.device()
  bystanderTopics = deviceTopics(device.code)
  bystander = await online(device, true)
})
afterAll(() => world?.stop())
beforeEach(async () => {
  sender = await world.device()
})

const deep = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth)
const noise = (bytes: number) =>
  Buffer.concat(Array.from({ length: Math.ceil(bytes / 32) }, (_, block) => createHash('sha256').update(`noise ${block}`).digest()))

/** Payloads that are no message on any topic. */
const RUBBISH: readonly [string, string | Buffer][] = [
  ['nothing', ''],
  ['random bytes', noise(2_000)],
  ['a NUL', '\0'],
  ['half of a message', message([passage(1)]).slice(0, 100)],
  ['a message and more', `${message([passage(1)])}}`],
  ['a picture', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10])],
  ['another type', '"text"'],
  ['null', 'null'],
  ['an empty object', '{}'],
  ['an array', '[]'],
  ['brackets 200,000 deep', deep('[', ']', 200_000)],
  ['objects 50,000 deep', '{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000)],
  ['200,000 numbers', JSON.stringify(Array.from({ length: 200_000 }, () => 0))],
  ['30,000 fields', JSON.stringify(Object.fromEntries(Array.from({ length: 30_000 }, (_, number) => [`f${number}`, number])))],
  ['a prototype', '{"__proto__":{"online":true,"id":"x","isSuccess":true},"constructor":{"prototype":{}}}'],
  ['fields of other types', '{"online":"yes","id":7,"isSuccess":"no","epoch":{},"records":"all","oldestSeq":[],"sentAt":"now"}'],
  ['infinite numbers', '{"online":1e999,"id":1e999,"epoch":1e999,"oldestSeq":1e999,"sentAt":-1e999,"records":[1e999]}'],
]

/** Records that look valid and are not, or only just are. */
const RECORDS: readonly [string, string][] = [
  ['numbers beyond 2^53', message([passage(1)]).replace('"seq":1', '"seq":9007199254740993')],
  ['the largest number there is', message([passage(Number.MAX_SAFE_INTEGER)])],
  ['number 0', message([passage(0)])],
  ['half a number', message([passage(1.5)])],
  ['a NUL in a name', message([passage(1, { personName: 'a\0b' })])],
  ['a NUL in the epoch', message([passage(1)], { epoch: 'a\0b' })],
  ['half a character in a name', message([passage(1, { personName: 'a\ud800' })])],
  ['half a character in the epoch', message([passage(1)], { epoch: '\udc00' })],
  ['half a character in the checks', message([passage(1, { checks: '["\ud800"]' })])],
  ['checks that are none', message([passage(1, { checks: '{"not' })])],
  ['a moment in the year 275760', message([passage(1, { occurredAt: 8_640_000_000_000_000 })])],
  ['a moment in 1970', message([passage(1, { occurredAt: 0 })])],
  ['a clock that went mad', message([passage(1)], { sentAt: 8_640_000_000_000_000 })],
  ['numbers no column holds', message([passage(1, { failReason: 1e15, verifyType: 1e15, direction: -1e15, score: 1e300 })])],
  ['a person who is not', message([passage(1, { personId: '00000000-0000-7000-8000-000000000000' })])],
  ['the same number 500 times', message(Array.from({ length: 500 }, () => passage(1)))],
  ['numbers far apart', message([passage(1), passage(1_000_000)])],
  ['an oldest number above all', message([passage(1)], { oldestSeq: Number.MAX_SAFE_INTEGER })],
  ['a name like an order to the database', message([passage(1, { personName: `'; DROP TABLE access_record; --` })])],
]

describe('rubbish', () => {
  it.each(RUBBISH)(
    'cuts off the sender of %s on any topic; another device’s record is stored meanwhile [FIELD-24]',
    async (_what, payload) => {
      const topics = deviceTopics(sender.code)
      for (const topic of [topics.status, topics.records, topics.answer, `gatehouse/1/${sender.code}/up/unknown`]) {
        const hostile = await online(sender)
        hostile.send(topic, payload)
        await passesAsUsual()
        await until(`the sender on ${topic} to be cut off`, () => !hostile.connected())
      }
      expect(bystander.connected()).toBe(true)
      expect(({} as { online?: unknown }).online).toBeUndefined()
    },
  )

  it.each(RECORDS)('lets others’ records be stored when a device sends %s [FIELD-24]', async (_what, payload) => {
    const hostile = await online(sender)
    for (let time = 0; time < 3; time++) {
      hostile.send(deviceTopics(sender.code).records, payload)
      await passesAsUsual()
    }
    expect(bystander.connected()).toBe(true)
    // It may connect again, and its valid messages are accepted.
    const again = await online(sender)
    again.send(deviceTopics(sender.code).records, message([passage(1)], { epoch: 'after' }))
    await until('its right record to be acknowledged', () => again.acknowledged('after') === 1)
  })

  it('ends a connection of bytes that are no MQTT, whatever its account; the door goes on [FIELD-24]', async () => {
    const { mqttPort } = world.server
    const text = (value: string) => Buffer.concat([Buffer.from([0, Buffer.byteLength(value)]), Buffer.from(value)])
    const { broker } = await pair(clientOf(sender))
    const login = Buffer.concat([text('MQTT'), Buffer.from([4, 0xc2, 0, 60]), text('id'), text(broker.username), text(broker.password)])
    const connect = Buffer.concat([Buffer.from([0x10, login.length]), login])
    const afterwards: Buffer[] = [
      noise(4_000),
      Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0xff]),
      // Announces 200 MB.
      Buffer.from([0x30, 0x80, 0x80, 0xff, 0x60, 0x00]),
      Buffer.from([0x30, 0x02, 0x00, 0x00]),
      Buffer.from([0x30, 0x04, 0x00, 0x7f, 0x41, 0x42]),
      Buffer.from([0x36, 0x02, 0x00, 0x00]),
      Buffer.from([0x82, 0x02, 0x00, 0x01]),
      Buffer.from([0x00, 0x00]),
      Buffer.from([0xf0, 0x00]),
      connect,
    ]
    for (const bytes of [
      noise(100),
      Buffer.from('GET / HTTP/1.1\r\n\r\n'),
      Buffer.from([0xc0, 0x00]),
      Buffer.from([0x10, 0x00]),
      ...afterwards.map((one) => Buffer.concat([connect, one])),
    ]) {
      const socket = connectSocket(mqttPort, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => {})
      socket.resume()
      socket.write(bytes)
      await passesAsUsual()
      await until(`the connection of ${bytes.toString('hex').slice(-40)} to end`, () => socket.closed)
    }
  })

  it('serves the door while bad requests come in [FIELD-24]', async () => {
    const { http } = await online(sender)
    const authorization = `Basic ${Buffer.from(`${sender.code}:${sender.secret}`).toString('base64')}`
    for (const body of ['', '{', 'null', deep('[', ']', 50_000), '{"__proto__":1}', JSON.stringify({ protocol: 2 }), '\0']) {
      const { status } = await fetch(world.url + deviceProtocolCalls.pair.url, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body,
      })
      expect(status).toBe(400)
      await passesAsUsual()
    }
    expect((await pair(http)).deviceId).toBe(sender.id)
  })
})

describe('a device with credentials of its own and an eye on another’s', () => {
  let victim: MadeDevice
  let person: MadePerson
  let thief: MadeDevice
  beforeAll(async () => {
    ;[victim, thief] = [await world.device(), await world.device()]
    person = await world.person({ permittedAt: victim, photo: await drawnFace() })
    await world.settled()
  })

  it('does nothing in its name over MQTT', async () => {
    const own = deviceTopics(victim.code)
    const target = await online(victim)
    target.send(own.status, '{"online":true,"version":"1"}')
    await until('the victim to be told what to hold', () => target.received.length > 0)
    for (const [topic, payload] of [
      [own.records, message([passage(1, { personId: person.id })])],
      [own.status, '{"online":true,"version":"stolen"}'],
      [own.answer, '{"id":"x","isSuccess":true,"errorType":null}'],
      [own.command, '{"id":"00000000-0000-7000-8000-000000000000","name":"controlDoor","operateType":1}'],
    ] as const) {
      const hostile = await online(thief)
      hostile.send(topic, payload)
      await until(`the thief on ${topic} to be cut off`, () => !hostile.connected())
    }
    await passesAsUsual()
    expect((await world.call(recordCalls.find, { body: { deviceId: victim.id } })).total).toBe(0)
    expect((await world.call(deviceCalls.read, { params: { id: victim.id } })).firmwareVersion).toBe('1')
    expect(target.received.filter((text) => text.startsWith(own.command))).toEqual([])
    expect(target.connected()).toBe(true)
  })

  it('is not let in under another’s code', async () => {
    for (const credentials of [
      { code: victim.code, secret: thief.secret },
      { code: thief.code, secret: victim.secret },
    ])
      expect((await clientOf(credentials).ask(deviceProtocolCalls.manifest, {})).status).toBe(401)
    const { broker } = await pair(clientOf(thief))
    await expect(
      mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, { ...broker, username: victim.code, reconnectPeriod: 0, protocol: 'mqtt' }),
    ).rejects.toThrow('refused')
  })

  it('reads and writes nothing of it over HTTP', async () => {
    const [mine, theirs] = [clientOf(thief), clientOf(victim)]
    await Promise.all([pair(mine), pair(theirs)])
    const { audience } = await theirs.call(deviceProtocolCalls.manifest, {})
    const [faceId = ''] = person.faceIds
    const calls = deviceProtocolCalls
    const modelId = MODEL
    const before = await theirs.call(calls.digest, { params: { audience } })
    expect(before.persons).toBe(1)
    expect((await theirs.call(calls.persons, { params: { audience }, body: { ids: [person.id], modelId } })).persons).toHaveLength(1)
    expect((await fetch(world.url + calls.photo.url.replace('{id}', faceId), { headers: basicOf(victim) })).status).toBe(200)

    expect((await mine.call(calls.manifest, {})).audience).not.toBe(audience)
    for (const answer of [
      await mine.ask(calls.changes, { params: { audience }, query: { after: 0, modelId } }),
      await mine.ask(calls.digest, { params: { audience } }),
      await mine.ask(calls.versions, { params: { audience }, query: { buckets: '0,1,2' } }),
      await mine.ask(calls.shelf, { params: { audience, first: 0, count: 256 }, query: { modelId } }),
      await mine.ask(calls.persons, { params: { audience }, body: { ids: [person.id], modelId } }),
    ])
      expect(answer).toMatchObject({ status: 404, code: 404 })
    expect((await fetch(world.url + calls.photo.url.replace('{id}', faceId), { headers: basicOf(thief) })).status).toBe(404)

    const own = await mine.call(calls.manifest, {})
    const asked = await mine.call(calls.persons, { params: { audience: own.audience }, body: { ids: [person.id], modelId } })
    expect(asked.persons).toEqual([])
    const exceptions = [{ personId: person.id, version: '0'.repeat(16), reason: 'noFace' }]
    await mine.ask(calls.exceptions, { body: { audience, cursor: before.head, exceptions } })
    expect(await theirs.call(calls.digest, { params: { audience } })).toEqual(before)
  })

  it('cannot put a picture to its record', async () => {
    const target = await online(victim)
    target.send(deviceTopics(victim.code).records, message([passage(1, { hasPicture: true })]))
    await until('the record to be stored', () => target.acknowledged(EPOCH) === 1)
    const id = recordId(victim.id, EPOCH, 1)
    await clientOf(thief).ask(deviceProtocolCalls.picture, { params: { id }, file: await flatPng(100, 100) })
    expect((await world.call(recordCalls.read, { params: { id } })).captureImage).toBe('')
  })

  const basicOf = ({ code, secret }: MadeDevice) => ({ authorization: `Basic ${Buffer.from(`${code}:${secret}`).toString('base64')}` })
})
