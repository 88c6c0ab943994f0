/**
 * Devices over TLS: with the secret, and with a certificate in addition, through the embedded broker and through Mosquitto.
 * @module-tag extended
 */
import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { deviceTopics } from '@gatehouse/contract/device/protocol'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { startWorld } from '@gatehouse/dev-env/world'
import {
  openChannel,
  type BrokerAccess,
  type ChannelOptions,
  type DeviceChannel,
  type DeviceCredential,
} from '@gatehouse/server/platform/broker/channel'
import type { Logger } from '@gatehouse/server/platform/log'
import { certificateOfFiles } from '@gatehouse/server/platform/transport/certificate'
import { makeAuthority, opensslMissing, type Authority, type Certificate } from '../support/certificates.ts'
import { startCore } from '../support/device.ts'
import { mosquittoMissing, startMosquitto } from '../support/mosquitto.ts'
import { until } from '../support/until.ts'

if (opensslMissing !== null) console.warn(`Skipped: ${opensslMissing}`)

const TERMINAL = join(import.meta.dirname, '../../apps/terminal/src/main.ts')
/** Every way in which a broker refuses: a code of MQTT, an alert of TLS, or a closed connection. */
const REFUSED = /refused|closed|alert|certificate|socket|ECONNRESET|authoriz/i

/** A channel and the devices registered with it. */
interface Side {
  channel: DeviceChannel
  register: Map<string, DeviceCredential>
  heard: { topic: string; text: string }[]
}

async function openSide(more: Pick<ChannelOptions, 'tls' | 'deviceUrl'> & { url?: string }): Promise<Side> {
  const register = new Map<string, DeviceCredential>()
  const heard: Side['heard'] = []
  const quiet = () => {}
  const channel = await openChannel({
    url: null,
    port: 0,
    mayMove: false,
    host: '127.0.0.1',
    serverKey: randomBytes(32).toString('hex'),
    log: { info: quiet, warn: quiet, error: quiet } as unknown as Logger,
    credentialOf: async (code) => register.get(code) ?? null,
    ...more,
  })
  channel.onMessage((topic, payload) => void heard.push({ topic, text: payload.toString('utf8') }))
  return { channel, register, heard }
}

async function admitted(side: Side, code: string): Promise<BrokerAccess> {
  side.register.set(code, { deviceId: randomUUID(), code, secretHash: randomBytes(32).toString('hex'), secretsTaken: false })
  return side.channel.admit(side.register.get(code)!, { hostname: 'localhost', signedInBy: 'proof' })
}

/** @throws Error when the broker, or this client, refuses */
async function connect({ url, port, username, password }: BrokerAccess, options: IClientOptions = {}): Promise<MqttClient> {
  const client = mqtt.connect(url ?? `mqtt://127.0.0.1:${port}`, { username, password, reconnectPeriod: 0, keepalive: 30, ...options })
  onTestFinished(() => client.endAsync(true))
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('error', reject)
    client.once('close', () => reject(new Error('closed')))
  })
  client.on('error', () => {})
  return client
}

/** Return what the server receives from a device that connects this way. */
async function heardFrom(side: Side, access: BrokerAccess, options: IClientOptions): Promise<string[]> {
  const client = await connect(access, options)
  await client.publishAsync(deviceTopics(access.username).records, 'over TLS', { qos: 1 })
  const own = () => side.heard.filter(({ topic }) => topic === deviceTopics(access.username).records).map(({ text }) => text)
  await until('the message', () => own().length > 0)
  return own()
}

describe.skipIf(opensslMissing !== null)('devices over TLS', () => {
  let authority: Authority
  let server: Certificate
  beforeAll(() => {
    authority = makeAuthority()
    server = authority.issue('localhost', 'DNS:localhost,IP:127.0.0.1')
  })
  afterAll(() => authority?.remove())

  const secure = (clientAuthority: string | null): ChannelOptions['tls'] => {
    const certificate = certificateOfFiles(server, () => {})
    return { port: 0, certificate, clientAuthority, nameFrom: 'named' }
  }

  /** Test both brokers where the secret suffices. @param side sends devices an address of mqtts */
  async function takesSecrets(side: Side): Promise<void> {
    const access = await admitted(side, 'SECRET')
    expect(access.url).toMatch(/^mqtts:\/\/localhost:\d+$/)
    const trusting = { ca: authority.certificate }
    expect(await heardFrom(side, access, trusting)).toEqual(['over TLS'])
    await expect(connect({ ...access, password: 'guessed' }, trusting)).rejects.toThrow(REFUSED)
    // A device sends no password to a broker that cannot prove its identity.
    await expect(connect(access)).rejects.toThrow(/certificate/)
  }

  /** Test both brokers where a certificate is required. */
  async function takesCertificates(side: Side): Promise<void> {
    const access = await admitted(side, 'CERTIFIED')
    const own = authority.issue('CERTIFIED')
    const trusting = { ca: authority.certificate }
    await expect(connect(access, trusting)).rejects.toThrow(REFUSED)
    const stranger = makeAuthority()
    onTestFinished(() => stranger.remove())
    const forged = stranger.issue('CERTIFIED')
    await expect(connect(access, { ...trusting, cert: forged.certificate, key: forged.key })).rejects.toThrow(REFUSED)
    const shown = { ...trusting, cert: own.certificate, key: own.key }
    await expect(connect({ ...access, password: 'guessed' }, shown)).rejects.toThrow(REFUSED)
    expect(await heardFrom(side, access, shown)).toEqual(['over TLS'])
  }

  it('come to the embedded broker with their secret', async () => {
    const side = await openSide({ tls: secure(null) })
    onTestFinished(() => side.channel.stop())
    await takesSecrets(side)
    // A device that does not use TLS yet connects to the plain port.
    const access = await admitted(side, 'PLAIN')
    expect((await connect({ ...access, url: null, port: side.channel.port })).connected).toBe(true)
  })

  it('must show the embedded broker a certificate of their own code where it asks for one', async () => {
    const side = await openSide({ tls: secure(authority.certificate) })
    onTestFinished(() => side.channel.stop())
    await takesCertificates(side)
    const access = await admitted(side, 'OTHER')
    const foreign = authority.issue('CERTIFIED')
    await expect(connect(access, { ca: authority.certificate, cert: foreign.certificate, key: foreign.key })).rejects.toThrow(REFUSED)
    await expect(connect({ ...access, url: null, port: side.channel.port })).rejects.toThrow(REFUSED)
  })

  it('pair and work like any other', async () => {
    const world = await startWorld({ config: { mqttTls: { ...server, clientAuthority: authority.certificate } } })
    onTestFinished(() => world.stop())
    const device = await world.device()
    const own = authority.issue(device.code)
    const folder = join(world.dataDir, 'terminal')
    const core = startCore({
      folder,
      server: world.url,
      code: device.code,
      secret: device.secret,
      tls: { ca: authority.certificate, cert: own.certificate, key: own.key },
    })
    onTestFinished(() => core.stop())
    const status = async () => (await world.call(deviceCalls.read, { params: { id: device.id } })).onlineStatus
    await until('the device online', async () => (await status()) === 1)
    await core.stop()
    await until('the device offline', async () => (await status()) === 0)

    // The program itself, with files named by its options.
    const words = [
      '--ca',
      authority.certificateFile,
      '--cert',
      own.certificateFile,
      '--key',
      own.keyFile,
      '--port',
      '0',
      '--data',
      join(world.dataDir, 'program'),
    ]
    const program = spawn(
      process.execPath,
      [
        '--disable-warning=ExperimentalWarning',
        TERMINAL,
        '--server',
        world.url,
        '--code',
        device.code,
        '--secret',
        device.secret,
        ...words,
      ],
      { stdio: 'ignore' },
    )
    const ended = once(program, 'exit')
    onTestFinished(async () => {
      program.kill()
      await ended
    })
    await until('the program online', async () => (await status()) === 1)
    expect(core.sentences.join('\n')).toContain('Connected')
  })

  describe.skipIf(mosquittoMissing !== null)('of Mosquitto', () => {
    it.each([
      ['with their secret', false],
      ['with a certificate besides', true],
    ])('%s', async (_, requireCertificate) => {
      const mosquitto = await startMosquitto({
        secure: {
          certificateFile: server.certificateFile,
          keyFile: server.keyFile,
          authorityFile: authority.certificateFile,
          requireCertificate,
        },
      })
      onTestFinished(() => mosquitto.stop())
      const side = await openSide({ url: mosquitto.url, deviceUrl: `mqtts://localhost:${mosquitto.securePort}` })
      onTestFinished(() => side.channel.stop())
      await (requireCertificate ? takesCertificates : takesSecrets)(side)
      expect(side.channel.connected).toBe(true)
    })
  })
})
