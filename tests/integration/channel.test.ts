/** The server and its devices over MQTT: the same behaviour through the embedded broker and through Mosquitto. */
import { randomBytes, randomUUID } from 'node:crypto'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { deviceTopics } from '@gatehouse/contract/device/protocol'
import {
  BrokerUnprovisioned,
  openChannel,
  type Asking,
  type BrokerAccess,
  type DeviceChannel,
  type DeviceCredential,
} from '@gatehouse/server/platform/broker/channel'
import type { Logger } from '@gatehouse/server/platform/log'
import { mosquittoMissing, startMosquitto, type Mosquitto } from '../support/mosquitto.ts'
import { until } from '../support/until.ts'

interface Heard {
  topic: string
  text: string
}

/** A channel, the register behind it, and everything it received and logged. */
interface Side {
  channel: DeviceChannel
  register: Map<string, DeviceCredential>
  heard: Heard[]
  log: string[]
  reconnects: number
}

/** A connection that is refused with a reason, or closed without one. */
const REFUSED = /refused|closed/

/** The request of a device that has proved its identity. */
const ASKING: Asking = { hostname: 'localhost', signedInBy: 'proof' }

const SERVER_KEY = randomBytes(32).toString('hex')

async function openSide(url: string | null, serverKey = SERVER_KEY): Promise<Side> {
  const register = new Map<string, DeviceCredential>()
  const heard: Heard[] = []
  const log: string[] = []
  const keep = (fields: unknown, text?: string) => void log.push(`${text ?? ''} ${JSON.stringify(fields)}`)
  const channel = await openChannel({
    url,
    port: 0,
    mayMove: false,
    host: '127.0.0.1',
    serverKey,
    log: { info: keep, warn: keep, error: keep } as unknown as Logger,
    credentialOf: async (code) => register.get(code) ?? null,
  })
  const side: Side = { channel, register, heard, log, reconnects: 0 }
  channel.onMessage((topic, payload) => void heard.push({ topic, text: payload.toString('utf8') }))
  channel.onReconnect(() => void side.reconnects++)
  return side
}

/** A registered device that is admitted and not connected. */
async function device(side: Side, code = `D-${randomBytes(6).toString('hex')}`): Promise<BrokerAccess & { code: string }> {
  side.register.set(code, { deviceId: randomUUID(), code, secretHash: randomBytes(32).toString('hex'), secretsTaken: true })
  return { ...(await side.channel.admit(side.register.get(code)!, ASKING)), code }
}

const newSecret = (side: Side, code: string) =>
  void side.register.set(code, { ...side.register.get(code)!, secretHash: randomBytes(32).toString('hex') })

interface Connected extends MqttClient {
  received: Heard[]
}

/** Connect as the device with these credentials. @throws Error when the broker refuses */
async function connect(access: BrokerAccess, options: IClientOptions = {}): Promise<Connected> {
  const { port, username, password } = access
  const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, {
    username,
    password,
    reconnectPeriod: 0,
    keepalive: 30,
    ...options,
  }) as Connected
  client.received = []
  client.on('message', (topic, payload) => client.received.push({ topic, text: payload.toString('utf8') }))
  onTestFinished(() => client.endAsync(true))
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', reject)
    client.once('close', () => reject(new Error('closed')))
  })
  client.on('error', () => {})
  return client
}

const connectWithWill = (access: BrokerAccess, options: IClientOptions = {}) =>
  connect(access, {
    will: { topic: deviceTopics(access.username).status, payload: Buffer.from('{"online":false}'), qos: 1, retain: true },
    ...options,
  })

const gone = (client: MqttClient) => until('the connection to end', () => !client.connected)
const heardFrom = (side: Side, code: string) => side.heard.filter(({ topic }) => topic.split('/')[2] === code)
const statuses = (side: Side, code: string) =>
  heardFrom(side, code)
    .filter(({ topic }) => topic.endsWith('/up/status'))
    .map(({ text }) => text)

/** Tests that both brokers must pass. */
function shared(sideOf: () => Side): void {
  it('answers the same credentials until the secret changes, and none for a device it does not know', async () => {
    const side = sideOf()
    const first = await device(side)
    const { code, ...access } = first
    const known = side.register.get(code)!
    expect(await side.channel.admit(known, ASKING)).toEqual(access)
    newSecret(side, code)
    expect((await side.channel.admit(known, ASKING)).password).not.toBe(access.password)
    await expect(side.channel.admit({ deviceId: randomUUID(), code }, ASKING)).rejects.toThrow('no device')
    await expect(side.channel.admit({ deviceId: randomUUID(), code: 'UNKNOWN' }, ASKING)).rejects.toThrow('no device')
  })

  it('lets in who has the password, and nobody else', async () => {
    const side = sideOf()
    const mine = await device(side)
    const other = await device(side)
    await connect(mine)
    await expect(connect({ ...mine, password: other.password })).rejects.toThrow(REFUSED)
    await expect(connect({ ...mine, password: '' })).rejects.toThrow(REFUSED)
    await expect(connect({ ...mine, username: 'UNKNOWN' })).rejects.toThrow(REFUSED)
  })

  it('carries messages both ways', async () => {
    const side = sideOf()
    const access = await device(side)
    const topics = deviceTopics(access.code)
    const client = await connect(access)
    await client.subscribeAsync(`gatehouse/1/${access.code}/down/#`, { qos: 1 })
    await client.publishAsync(topics.status, '{"online":true}', { qos: 1, retain: true })
    await client.publishAsync(topics.records, '{"records":"门"}', { qos: 0 })
    await until('both messages', () => heardFrom(side, access.code).length === 2)
    expect(
      heardFrom(side, access.code)
        .map(({ text }) => text)
        .sort(),
    ).toEqual(['{"online":true}', '{"records":"门"}'])
    await side.channel.publish(topics.changed, '{"head":1}')
    await side.channel.publish(topics.command, '{"id":"1"}', { qos: 1 })
    await until('both answers', () => client.received.length === 2)
    expect(client.received).toEqual(
      expect.arrayContaining([
        { topic: topics.changed, text: '{"head":1}' },
        { topic: topics.command, text: '{"id":"1"}' },
      ]),
    )
  })

  it('keeps the order of each device', async () => {
    const side = sideOf()
    const numbers = Array.from({ length: 300 }, (_, index) => String(index))
    const pair = await Promise.all([device(side), device(side)])
    await Promise.all(
      pair.map(async (access) => {
        const client = await connect(access)
        const { records, answer } = deviceTopics(access.code)
        await Promise.all(numbers.map((number) => client.publishAsync(Number(number) % 3 === 0 ? answer : records, number, { qos: 1 })))
      }),
    )
    for (const { code } of pair) {
      await until('all messages', () => heardFrom(side, code).length === numbers.length)
      expect(heardFrom(side, code).map(({ text }) => text)).toEqual(numbers)
    }
  })

  it('gives a device nothing of another: it neither reads nor writes there', async () => {
    const side = sideOf()
    const victim = await device(side)
    const thief = await device(side)
    const { changed, records, status } = deviceTopics(victim.code)
    const client = await connect(victim)
    await client.subscribeAsync(changed, { qos: 1 })
    for (const pattern of [
      changed,
      `gatehouse/1/${victim.code}/#`,
      'gatehouse/1/+/down/#',
      '#',
      '+/#',
      '$SYS/#',
      '$CONTROL/#',
      `gatehouse/1/${thief.code}/up/#`,
    ]) {
      const spy = await connect(thief)
      await spy.subscribeAsync(pattern, { qos: 1 }).catch(() => {})
      await side.channel.publish(changed, `to the victim, not ${pattern}`, { qos: 1 })
      await until('the victim to be told', () => client.received.some(({ text }) => text.endsWith(pattern)))
      expect(spy.received).toEqual([])
      await spy.endAsync()
    }
    for (const topic of [
      records,
      status,
      changed,
      'gatehouse/1/x/up/records',
      '$SYS/broker/uptime',
      `gatehouse/1/${thief.code}/down/command`,
    ]) {
      const writer = await connect(thief)
      writer.publish(topic, 'of the thief', { qos: 0, retain: true })
      // A later message on the same connection shows that the first was handled: either both are refused, or the first was ignored.
      writer.publish(deviceTopics(thief.code).records, `after ${topic}`, { qos: 0 })
      await until(
        'the broker to have read it',
        () => !writer.connected || heardFrom(side, thief.code).some(({ text }) => text === `after ${topic}`),
      )
      await writer.endAsync(true)
    }
    await side.channel.publish(changed, 'last', { qos: 1 })
    await until('the last message', () => client.received.some(({ text }) => text === 'last'))
    expect(JSON.stringify([client.received, side.heard])).not.toContain('of the thief')
    expect(client.connected).toBe(true)
  })

  it('lets no device take the place of another by its client id', async () => {
    const side = sideOf()
    const victim = await connect(await device(side), { clientId: 'terminal-1' })
    const other = await device(side)
    for (const clientId of ['terminal-1', 'constructor', '__proto__', '$server', '#']) {
      const client = await connect(other, { clientId })
      await client.publishAsync(deviceTopics(other.code).records, clientId, { qos: 1 })
      await until('its message', () => heardFrom(side, other.code).some(({ text }) => text === clientId))
      await client.endAsync()
    }
    expect(victim.connected).toBe(true)
  })

  it('refuses the password of before a reset of the secret, and ends the session that used it', async () => {
    const side = sideOf()
    const before = await device(side)
    const client = await connect(before)
    newSecret(side, before.code)
    await side.channel.disconnect(before.code)
    await gone(client)
    await expect(connect(before)).rejects.toThrow(REFUSED)
    const after = await side.channel.admit(side.register.get(before.code)!, ASKING)
    expect((await connect(after)).connected).toBe(true)
    await expect(connect(before)).rejects.toThrow(REFUSED)
  })

  it('ends a session at once and says that the device is offline; it may come back', async () => {
    const side = sideOf()
    const access = await device(side)
    const client = await connectWithWill(access)
    await client.publishAsync(deviceTopics(access.code).status, '{"online":true}', { qos: 1, retain: true })
    await until('the device online', () => statuses(side, access.code).at(-1) === '{"online":true}')
    await side.channel.disconnect(access.code)
    await gone(client)
    await until('the device offline', () => statuses(side, access.code).at(-1) === '{"online":false}')
    const again = await connectWithWill(access)
    await again.publishAsync(deviceTopics(access.code).status, '{"online":true}', { qos: 1, retain: true })
    await until('the device back', () => statuses(side, access.code).at(-1) === '{"online":true}')
    await side.channel.disconnect('NEVER-CONNECTED')
  })

  it('puts out who was let in by sending the secret once that is not taken any more, and nobody who has proved himself', async () => {
    const side = sideOf()
    const [sends, proves] = [await device(side), await device(side)]
    Object.assign(sends, await side.channel.admit(side.register.get(sends.code)!, { ...ASKING, signedInBy: 'secret' }))
    const [sending, proving] = [await connect(sends), await connect(proves)]
    for (const { code } of [sends, proves]) {
      side.register.set(code, { ...side.register.get(code)!, secretsTaken: false })
      await side.channel.retire(code)
    }
    await gone(sending)
    await expect(connect(sends)).rejects.toThrow(REFUSED)
    expect(proving.connected).toBe(true)
    const upgraded = await side.channel.admit(side.register.get(sends.code)!, ASKING)
    expect((await connect(upgraded)).connected).toBe(true)
  })

  it('puts out for good who was let in by a secret that is another now, or whose device is gone', async () => {
    const side = sideOf()
    const access = await device(side)
    const client = await connectWithWill(access)
    newSecret(side, access.code)
    await side.channel.retire(access.code)
    await gone(client)
    await expect(connect(access)).rejects.toThrow(REFUSED)
    const renewed = { ...access, ...(await side.channel.admit(side.register.get(access.code)!, ASKING)) }
    const back = await connectWithWill(renewed)
    side.register.delete(access.code)
    await side.channel.retire(access.code)
    await gone(back)
    await expect(connect(renewed)).rejects.toThrow(REFUSED)
    await side.channel.retire(access.code)
    await side.channel.retire('NEVER-CONNECTED')
  })

  it('leaves a device that came by its new secret before word of the change did', async () => {
    const side = sideOf()
    const { code } = await device(side)
    newSecret(side, code)
    const [access] = await Promise.all([side.channel.admit(side.register.get(code)!, ASKING), side.channel.retire(code)])
    const client = await connectWithWill(access)
    await side.channel.retire(code)
    await client.publishAsync(deviceTopics(code).records, 'still here', { qos: 1 })
    await until('the device to be heard', () => heardFrom(side, code).some(({ text }) => text === 'still here'))
    expect((await connect(access)).connected).toBe(true)
  })

  it('ends the first session of a code when a second one begins, and the device stays online', async () => {
    const side = sideOf()
    const access = await device(side)
    const { status } = deviceTopics(access.code)
    const first = await connectWithWill(access, { clientId: 'first' })
    await first.publishAsync(status, '{"online":true,"ip":"1"}', { qos: 1, retain: true })
    const second = await connectWithWill(access, { clientId: 'second' })
    await gone(first)
    await second.publishAsync(status, '{"online":true,"ip":"2"}', { qos: 1, retain: true })
    await second.publishAsync(deviceTopics(access.code).records, 'later', { qos: 1 })
    await until('the second session', () => heardFrom(side, access.code).some(({ text }) => text === 'later'))
    expect(statuses(side, access.code).at(-1)).toBe('{"online":true,"ip":"2"}')
    expect(second.connected).toBe(true)
  })

  it('says that a device whose connection broke is offline', async () => {
    const side = sideOf()
    const access = await device(side)
    const client = await connectWithWill(access)
    client.stream.destroy()
    await until('the last will', () => statuses(side, access.code).at(-1) === '{"online":false}')
  })

  it('takes 400 kB in one message, ends a connection that sends 600 kB, and disturbs nobody', async () => {
    const side = sideOf()
    const other = await connect(await device(side))
    const access = await device(side)
    const { records } = deviceTopics(access.code)
    const client = await connect(access)
    await client.publishAsync(records, 'x'.repeat(400_000), { qos: 1 })
    await until('the message', () => heardFrom(side, access.code).some(({ text }) => text.length === 400_000))
    client.publish(records, 'y'.repeat(600_000), { qos: 0 })
    await gone(client)
    expect(heardFrom(side, access.code)).toHaveLength(1)
    await other.publishAsync(deviceTopics(other.options.username!).records, 'still here', { qos: 1 })
    await until('the other device', () => side.heard.some(({ text }) => text === 'still here'))
  })
}

describe('the embedded broker', () => {
  let side: Side
  beforeAll(async () => {
    side = await openSide(null)
  })
  afterAll(() => side.channel.stop())

  shared(() => side)

  it('says in the log that two terminals may share a code', async () => {
    const access = await device(side)
    const first = await connect(access)
    await connect(access)
    await gone(first)
    expect(side.log.join('\n')).toMatch(new RegExp(`two terminals share its code.*${access.code}`))
  })

  it.each([
    ['QoS 2', 'records', { qos: 2 }],
    ['a retained record', 'records', { qos: 1, retain: true }],
  ] as const)('ends a connection that publishes with %s', async (_what, kind, options) => {
    const access = await device(side)
    const client = await connect(access)
    client.publish(deviceTopics(access.code)[kind], 'not taken', options)
    await gone(client)
    expect(heardFrom(side, access.code)).toEqual([])
  })

  it.each([
    ['no keepalive', { keepalive: 0 }],
    ['a keepalive of an hour', { keepalive: 3600 }],
    ['the last will of another', { will: { topic: 'gatehouse/1/OTHER/up/status', payload: Buffer.from('{}'), qos: 1, retain: true } }],
    ['a last will of 20 kB', { will: { topic: 'gatehouse/1/WILL/up/status', payload: Buffer.alloc(20_000, 'x'), qos: 1, retain: true } }],
  ] satisfies [string, IClientOptions][])('refuses a connection with %s', async (_what, options) => {
    await expect(connect(await device(side, 'WILL'), options)).rejects.toThrow(REFUSED)
  })

  it('gives up a device that does not read, and goes on serving the others', async () => {
    const [deaf, other] = await Promise.all([device(side), device(side)])
    const client = await connect(deaf, { keepalive: 300 })
    await client.subscribeAsync(deviceTopics(deaf.code).changed, { qos: 0 })
    client.stream.unpipe()
    client.stream.pause()
    const well = await connect(other)
    await well.subscribeAsync(deviceTopics(other.code).changed, { qos: 0 })
    const text = 'z'.repeat(100_000)
    await until('the device to be given up', async () => {
      await side.channel.publish(deviceTopics(deaf.code).changed, text)
      return side.log.some((line) => line.includes('does not read') && line.includes(deaf.code))
    })
    await side.channel.publish(deviceTopics(other.code).changed, 'heard')
    await until('the other device', () => well.received.some((message) => message.text === 'heard'))
  })

  it('holds back what a device sends next while a message of it is dealt with', async () => {
    const alone = await openSide(null)
    onTestFinished(() => alone.channel.stop())
    const { promise, resolve } = Promise.withResolvers<void>()
    let taken = 0
    alone.channel.onMessage((_topic, payload) => {
      taken++
      return payload.length > 1000 ? promise : undefined
    })
    const [busy, free] = await Promise.all([device(alone), device(alone)])
    const client = await connect(busy)
    const sent = 200
    for (let number = 0; number < sent; number++) client.publish(deviceTopics(busy.code).records, 'r'.repeat(50_000), { qos: 0 })
    const other = await connect(free)
    await other.publishAsync(deviceTopics(free.code).records, 'short', { qos: 1 })
    await until('messages of both', () => taken >= 2)
    // One read of the socket, not the ten megabytes.
    expect(taken).toBeLessThan(20)
    resolve()
    await until('all messages', () => taken === sent + 1)
  })

  it('keeps what arrives before the server is ready to take it', async () => {
    const known = new Map<string, DeviceCredential>()
    const credential = { deviceId: randomUUID(), code: 'EARLY', secretHash: 'x', secretsTaken: true }
    known.set('EARLY', credential)
    const early = await openChannel({
      url: null,
      port: 0,
      mayMove: false,
      host: '127.0.0.1',
      serverKey: SERVER_KEY,
      log: { info() {} } as unknown as Logger,
      credentialOf: async (code) => known.get(code) ?? null,
    })
    onTestFinished(() => early.stop())
    const client = await connect(await early.admit(credential, ASKING))
    await client.publishAsync(deviceTopics('EARLY').status, 'first', { qos: 0 })
    await client.publishAsync(deviceTopics('EARLY').records, 'second', { qos: 0 })
    const heard: string[] = []
    early.onMessage((_topic, payload) => void heard.push(payload.toString('utf8')))
    await until('both messages', () => heard.length === 2)
    expect(heard).toEqual(['first', 'second'])
  })

  it('takes the next port where the wanted one is in use and it may, and says so where it may not', async () => {
    const options = {
      url: null,
      port: side.channel.port,
      host: '127.0.0.1',
      serverKey: SERVER_KEY,
      log: {} as Logger,
      credentialOf: async () => null,
    }
    await expect(openChannel({ ...options, mayMove: false })).rejects.toThrow(`MQTT port ${side.channel.port} is in use`)
    const moved = await openChannel({ ...options, mayMove: true })
    onTestFinished(() => moved.stop())
    expect(moved.port).toBeGreaterThan(side.channel.port)
  })

  it('stops with devices connected, and with connections that never said who they are', async () => {
    const alone = await openSide(null)
    const client = await connectWithWill(await device(alone))
    const heardBefore = alone.heard.length
    await alone.channel.stop()
    await gone(client)
    expect(alone.channel.connected).toBe(false)
    expect(alone.heard).toHaveLength(heardBefore)
    await expect(alone.channel.publish('gatehouse/1/X/down/changed', '{}')).rejects.toThrow('stopped')
  })
})

if (mosquittoMissing !== null) console.warn(`Skipped: ${mosquittoMissing}`)

describe.skipIf(mosquittoMissing !== null)('Mosquitto', () => {
  let mosquitto: Mosquitto
  let side: Side
  beforeAll(async () => {
    mosquitto = await startMosquitto()
    side = await openSide(mosquitto.url)
  })
  afterAll(async () => {
    await side?.channel.stop()
    await mosquitto?.stop()
  })

  shared(() => side)

  it('tells devices the host they reached the server at where the broker stands on the same machine', async () => {
    const { url, port } = await device(side)
    expect({ url, port }).toEqual({ url: null, port: mosquitto.port })
  })

  it('keeps a session when a device that is connected pairs again', async () => {
    const access = await device(side)
    const client = await connect(access)
    await side.channel.admit(side.register.get(access.code)!, ASKING)
    const second = await openSide(mosquitto.secondUrl)
    onTestFinished(() => second.channel.stop())
    second.register.set(access.code, side.register.get(access.code)!)
    expect((await second.channel.admit(side.register.get(access.code)!, ASKING)).password).toBe(access.password)
    await client.publishAsync(deviceTopics(access.code).records, 'still the same', { qos: 1 })
    await until('both servers to hear it', () => [side, second].every(({ heard }) => heard.some(({ text }) => text === 'still the same')))
    expect(client.connected).toBe(true)
  })

  it('never touches an account that is no device of this installation, whatever a device is called', async () => {
    side.register.set('gatehouse', { deviceId: randomUUID(), code: 'gatehouse', secretHash: 'x', secretsTaken: true })
    await expect(side.channel.admit(side.register.get('gatehouse')!, ASKING)).rejects.toThrow(BrokerUnprovisioned)
    await side.channel.disconnect('gatehouse')
    await side.channel.retire('gatehouse')
    side.register.delete('gatehouse')
    const foreign = await openSide(mosquitto.secondUrl, randomBytes(32).toString('hex'))
    onTestFinished(() => foreign.channel.stop())
    const ours = await device(side)
    await expect(device(foreign, ours.code)).rejects.toThrow('give the device another code')
    await foreign.channel.retire(ours.code)
    expect((await connect(ours)).connected).toBe(true)
    expect(side.channel.connected).toBe(true)
  })

  it.each(['+', '#', 'A/B', '$SYS', 'A+', '', 'x'.repeat(65)])(
    'makes no account for the code %j, which could mean more than itself',
    async (code) => {
      side.register.set(code, { deviceId: randomUUID(), code, secretHash: 'x', secretsTaken: true })
      await expect(side.channel.admit(side.register.get(code)!, ASKING)).rejects.toThrow('cannot stand in an MQTT topic')
      side.register.delete(code)
    },
  )

  it('says what is missing where the account is wrong, the plugin is absent, or the address is none', { tags: 'extended' }, async () => {
    await expect(openSide(mosquitto.url.replace(/:[^:]+@/, ':wrong@'))).rejects.toThrow('refuses the account')
    await expect(openSide('http://somewhere')).rejects.toThrow('MQTT_URL must be')
    const open = await startMosquitto({ plugin: false })
    onTestFinished(() => open.stop())
    const bare = await openSide(open.url)
    onTestFinished(() => bare.channel.stop())
    await expect(device(bare)).rejects.toThrow('docs/operations/mosquitto.md')
    await until('the log to say it', () => bare.log.some((line) => line.includes('dynamic security')))
    expect(bare.channel.connected).toBe(false)
  })
})

describe.skipIf(mosquittoMissing !== null)('Mosquitto, killed and started again', () => {
  let mosquitto: Mosquitto
  let side: Side
  beforeAll(async () => {
    mosquitto = await startMosquitto()
    side = await openSide(mosquitto.url)
  })
  afterAll(async () => {
    await side?.channel.stop()
    await mosquitto?.stop()
  })

  it('is found again by the server; messages flow as before, nothing said meanwhile comes late', async () => {
    const access = await device(side)
    const topics = deviceTopics(access.code)
    const reconnects = side.reconnects
    await mosquitto.kill()
    await until('the server to notice', () => !side.channel.connected)
    await expect(side.channel.publish(topics.command, 'open', { qos: 1 })).rejects.toThrow('away')
    await side.channel.disconnect(access.code)
    await mosquitto.start()
    await until('the server to be back', () => side.channel.connected)
    expect(side.reconnects).toBeGreaterThan(reconnects)
    const client = await connect(access)
    await client.subscribeAsync(topics.command, { qos: 1 })
    await client.publishAsync(topics.status, '{"online":true}', { qos: 1, retain: true })
    await until('the status', () => statuses(side, access.code).includes('{"online":true}'))
    await side.channel.publish(topics.command, 'now', { qos: 1 })
    await until('the command', () => client.received.length > 0)
    expect(client.received.map(({ text }) => text)).toEqual(['now'])
  })

  it('learns of secrets that were reset and devices that were deleted while it was away', async () => {
    const reset = await device(side)
    const deleted = await device(side)
    const kept = await device(side)
    await mosquitto.kill()
    await until('the server to notice', () => !side.channel.connected)
    newSecret(side, reset.code)
    side.register.delete(deleted.code)
    await side.channel.disconnect(reset.code)
    await side.channel.retire(deleted.code)
    await mosquitto.start()
    await until('the old passwords to end', async () => {
      const outcomes = await Promise.allSettled([connect(reset), connect(deleted)])
      return outcomes.every(({ status }) => status === 'rejected') && side.channel.connected
    })
    expect((await connect(kept)).connected).toBe(true)
  })

  it('hands all retained statuses to a server that starts, more than a broker queues by default', async () => {
    const access = await device(side)
    const client = await connect(access)
    const { status } = deviceTopics(access.code)
    // A device can retain only its status: many topics represent many devices.
    const count = 2_500
    await Promise.all(
      Array.from({ length: count }, (_, number) => client.publishAsync(`${status}/${number}`, 'retained', { qos: 1, retain: true })),
    )
    const started = await openSide(mosquitto.secondUrl)
    onTestFinished(() => started.channel.stop())
    await until('all of them', () => started.heard.length >= count)
  })
})
