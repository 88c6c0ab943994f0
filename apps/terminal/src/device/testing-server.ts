/** A server for the terminal's tests: the device protocol over real HTTP and a real broker, all in memory. */
import { createServer, type AddressInfo, type Server } from 'node:net'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Aedes } from 'aedes'
import Fastify from 'fastify'
import type { z } from 'zod'
import {
  answerMessage,
  deviceProtocolCalls,
  deviceTopics,
  recordsMessage,
  statusMessage,
  type CommandMessage,
  type RecordObject,
  type RecordsMessage,
  type StatusMessage,
} from '@gatehouse/contract/device/protocol'
import { configurationCalls, type DeviceSecrets } from '@gatehouse/contract/configuration/calls'
import { serveAudience, type TestAudience } from './testing-audience.ts'
import { DEVICE, manifestWith } from './testing-objects.ts'

type Asked = z.output<typeof deviceProtocolCalls.verify.body>
type Verified = z.output<typeof deviceProtocolCalls.verify.data>

export interface TestServer {
  url: string
  secret: string
  deviceId: string
  /** The audience of the device, with everything it is sent and asked. */
  audience: TestAudience
  /** What `secrets` answers, under the revision of the manifest. */
  secrets: Omit<DeviceSecrets, 'revision'>
  secretsCalls: number
  identify: z.output<typeof deviceProtocolCalls.identify.data>
  identifyCalls: number
  verify: Verified | ((asked: Asked) => Verified)
  /** Answers whoever asks whether it was removed; null: the server does not know such a call. */
  removal: ((asked: RemovalAsked) => z.output<typeof deviceProtocolCalls.removal.data> | null) | null
  /** Milliseconds after which second verification is answered; null: it fails with 500. */
  verifyAfter: number | null
  verifyCalls: Asked[]
  /** Records stored, by epoch and number. */
  records: Map<string, Map<number, RecordObject>>
  /** How often a record arrived, repeats included. */
  arrivals: { epoch: string; seq: number }[]
  /** Messages of records, without the records. */
  batches: Omit<RecordsMessage, 'records'>[]
  /** Epochs named when pairing, connection by connection. */
  paired: string[][]
  acknowledging: boolean
  /** What `pair` claims to hold of an epoch, instead of what it does. */
  claimed: Map<string, number>
  pictures: Map<string, Uint8Array>
  /** Files that settings may name, by id. */
  files: Map<string, Uint8Array>
  /** Ids of files in the order they were asked for. */
  filesAsked: string[]
  statuses: StatusMessage[]
  answers: z.output<typeof answerMessage>[]
  recordsOf(epoch: string): RecordObject[]
  /** Tells the device what it should come to. */
  changed(): void
  command(command: CommandMessage): void
  acknowledgeAll(): void
  /** Breaks all connections of devices. */
  cut(): void
  stop(): Promise<void>
}

export type RemovalAsked = z.output<typeof deviceProtocolCalls.removal.body>

/** Told when pairing, and other than the device's own credentials. */
const BROKER = { username: 'broker user of GATE-1', password: 'broker secret' }

/** Starts it on free ports of the loopback. @param port of HTTP, to come back under the same address */
export async function startTestServer(port = 0): Promise<TestServer> {
  const topics = deviceTopics(DEVICE.code)
  const aedes = await Aedes.createBroker()
  aedes.authenticate = (_client, username, password, done) => {
    const accepted = username === BROKER.username && password?.toString() === BROKER.password
    done(accepted ? null : Object.assign(new Error('refused'), { returnCode: 5 as const }), accepted)
  }
  const mqtt: Server = createServer(aedes.handle)
  mqtt.listen(0, '127.0.0.1')
  await once(mqtt, 'listening')

  const stored = (epoch: string) => {
    const numbers = server.records.get(epoch)
    let ackSeq = 0
    while (numbers?.has(ackSeq + 1)) ackSeq++
    return ackSeq
  }
  const publish = (topic: string, message: unknown) =>
    aedes.publish({ cmd: 'publish', topic, payload: Buffer.from(JSON.stringify(message)), qos: 1, retain: false, dup: false }, () => {})
  const acknowledge = (epoch: string) => publish(topics.acknowledged, { epoch, ackSeq: stored(epoch) })

  aedes.on('publish', (packet, client) => {
    if (!client && packet.topic !== topics.status) return
    const message = () => JSON.parse(packet.payload.toString())
    if (packet.topic === topics.status) {
      const status = statusMessage.parse(message())
      server.statuses.push(status)
      if (status.held) audience.calls.push('status with held')
      if (status.online) server.changed()
    }
    if (packet.topic === topics.answer) server.answers.push(answerMessage.parse(message()))
    if (packet.topic === topics.records) {
      const { epoch, records, ...rest } = recordsMessage.parse(message())
      server.batches.push({ epoch, ...rest })
      const numbers = server.records.get(epoch) ?? new Map<number, RecordObject>()
      server.records.set(epoch, numbers)
      for (const record of records) {
        server.arrivals.push({ epoch, seq: record.seq })
        numbers.set(record.seq, record)
      }
      if (server.acknowledging) acknowledge(epoch)
    }
  })

  const http = Fastify({ bodyLimit: 4 * 1_048_576, forceCloseConnections: true })
  http.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  http.addHook('onRequest', async (request, reply) => {
    if (request.url === deviceProtocolCalls.removal.url) return
    const expected = `Basic ${Buffer.from(`${DEVICE.code}:${server.secret}`).toString('base64')}`
    if (request.headers.authorization !== expected) return reply.code(401).send({ code: 100412, message: 'Unknown device or secret.' })
  })
  const ok = (data: unknown) => ({ code: 0, message: '', data })
  http.post(deviceProtocolCalls.pair.url, async (request) => {
    const { epochs } = deviceProtocolCalls.pair.body.parse(request.body)
    server.paired.push(epochs)
    return ok({
      deviceId: server.deviceId,
      name: DEVICE.name,
      broker: { url: null, port: (mqtt.address() as AddressInfo).port, ...BROKER },
      stored: epochs.map((epoch) => ({ epoch, ackSeq: server.claimed.get(epoch) ?? stored(epoch) })),
      serverTime: Date.now(),
    })
  })
  http.post(deviceProtocolCalls.removal.url, async (request, reply) => {
    const answer = server.removal?.(deviceProtocolCalls.removal.body.parse(request.body)) ?? null
    return answer === null ? reply.code(404).send({ code: 404, message: 'Not found.' }) : ok(answer)
  })
  const audience = serveAudience(http, manifestWith())
  http.post(deviceProtocolCalls.verify.url, async (request, reply) => {
    const asked = deviceProtocolCalls.verify.body.parse(request.body)
    server.verifyCalls.push(asked)
    if (server.verifyAfter === null) return reply.code(500).send({ code: 500, message: 'A fault.' })
    await pause(server.verifyAfter)
    return ok(typeof server.verify === 'function' ? server.verify(asked) : server.verify)
  })
  http.get(configurationCalls.secrets.url, async () => {
    server.secretsCalls++
    return ok({ ...server.secrets, revision: audience.manifest.settings.secretsRevision ?? '' })
  })
  http.post(deviceProtocolCalls.identify.url, async (request) => {
    deviceProtocolCalls.identify.body.parse(request.body)
    server.identifyCalls++
    return ok(server.identify)
  })
  http.post(deviceProtocolCalls.picture.url.replace('{id}', ':id'), async (request) => {
    const { id } = request.params as { id: string }
    server.pictures.set(id, request.body as Uint8Array)
    return ok({ id })
  })
  http.get(configurationCalls.deviceFile.url.replace('{id}', ':id'), async (request, reply) => {
    const { id } = request.params as { id: string }
    server.filesAsked.push(id)
    const file = server.files.get(id)
    return file
      ? reply.type('application/octet-stream').send(Buffer.from(file))
      : reply.code(404).send({ code: 404, message: 'There is no such file.' })
  })
  await http.listen({ port, host: '127.0.0.1' })

  const server: TestServer = {
    url: `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`,
    secret: DEVICE.secret,
    deviceId: DEVICE.deviceId,
    audience,
    secrets: { devicePassword: null, console: null, wifi: null },
    secretsCalls: 0,
    identify: { personId: null, personName: '', score: null, failReason: 904 },
    identifyCalls: 0,
    verify: { allowed: true, failReason: null },
    removal: null,
    verifyAfter: 0,
    verifyCalls: [],
    records: new Map(),
    arrivals: [],
    batches: [],
    paired: [],
    acknowledging: true,
    claimed: new Map(),
    pictures: new Map(),
    files: new Map(),
    filesAsked: [],
    statuses: [],
    answers: [],
    recordsOf: (epoch) => [...(server.records.get(epoch)?.values() ?? [])].sort((a, b) => a.seq - b.seq),
    changed: () => publish(topics.changed, audience.told()),
    command: (command) => publish(topics.command, command),
    acknowledgeAll: () => [...server.records.keys()].forEach(acknowledge),
    cut() {
      for (const client of Object.values((aedes as unknown as { clients: Record<string, { conn: { destroy(): void } }> }).clients))
        client.conn.destroy()
    },
    async stop() {
      await http.close()
      mqtt.close()
      await new Promise<void>((resolve) => aedes.close(resolve))
    },
  }
  return server
}
