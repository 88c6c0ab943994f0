/** A server for the terminal's tests: the device protocol over real HTTP and a real broker, all in memory. */
import { createServer, type AddressInfo, type Server } from 'node:net'
import { once } from 'node:events'
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
  type Manifest,
  type PersonObject,
  type RecordObject,
  type StatusMessage,
} from '@gatehouse/contract/device/protocol'

export const DEVICE = { deviceId: 'device-1', code: 'GATE-1', secret: 'correct horse', name: 'North gate' }

/** Everybody may pass at all times, unless a test says otherwise. */
export const OPEN_RULE = {
  id: 'always',
  name: 'Always',
  periods: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: '00:00', end: '24:00' })),
  allowedExceptionDates: [],
  forbiddenExceptionDates: [],
  effectiveDate: null,
}
export const OPEN_STRATEGY = { id: 'all', timeRuleIds: ['always'], methods: [1], validFrom: null, validTo: null }

/** A manifest of persons, each under the first strategy. */
export function manifestOf(persons: readonly { id: string; version: number }[], change: Partial<Manifest> = {}): Manifest {
  return {
    revision: `r-${persons.map(({ id, version }) => `${id}.${version}`).join('-')}`.slice(0, 64),
    settings: { deviceId: DEVICE.deviceId, name: DEVICE.name, direction: 1, zone: 'Asia/Shanghai', threshold: 80 },
    strategies: [OPEN_STRATEGY],
    timeRules: [OPEN_RULE],
    persons: persons.map(({ id, version }) => [id, version, [0]]),
    ...change,
  }
}

/** A person with one face. @param embedding 128 numbers */
export function personWith(id: string, embedding: Float32Array, change: Partial<PersonObject> = {}): PersonObject {
  const template = Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength).toString('base64')
  return {
    id,
    version: 1,
    name: `Name of ${id}`,
    workNumber: id,
    enabled: true,
    validFrom: null,
    validTo: null,
    faces: [{ faceId: `${id}-face`, modelId: 'builtin-128-1', template }],
    ...change,
  }
}

export interface TestServer {
  url: string
  secret: string
  deviceId: string
  manifest: Manifest
  persons: Map<string, unknown>
  /** Ids asked for, call by call. */
  personCalls: string[][]
  identify: z.output<typeof deviceProtocolCalls.identify.data>
  identifyCalls: number
  /** Answers `persons` with this business code when the page names one of these ids. */
  refusedPersons: Set<string>
  /** Records stored, by epoch and number. */
  records: Map<string, Map<number, RecordObject>>
  /** How often a record arrived, repeats included. */
  arrivals: { epoch: string; seq: number }[]
  acknowledging: boolean
  /** What `pair` claims to hold, instead of what it does. */
  claimedAckSeq: number | null
  pictures: Map<string, Uint8Array>
  statuses: StatusMessage[]
  answers: z.output<typeof answerMessage>[]
  recordsOf(epoch: string): RecordObject[]
  changed(): void
  command(command: CommandMessage): void
  acknowledgeAll(): void
  /** Breaks all connections of devices. */
  cut(): void
  stop(): Promise<void>
}

/** Starts it on free ports of the loopback. @param port of HTTP, to come back under the same address */
export async function startTestServer(port = 0): Promise<TestServer> {
  const topics = deviceTopics(DEVICE.code)
  const aedes = await Aedes.createBroker()
  aedes.authenticate = (_client, username, password, done) => {
    const accepted = username === DEVICE.code && password?.toString() === server.secret
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
    if (packet.topic === topics.status) server.statuses.push(statusMessage.parse(message()))
    if (packet.topic === topics.answer) server.answers.push(answerMessage.parse(message()))
    if (packet.topic === topics.records) {
      const { epoch, records } = recordsMessage.parse(message())
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
    const expected = `Basic ${Buffer.from(`${DEVICE.code}:${server.secret}`).toString('base64')}`
    if (request.headers.authorization !== expected) return reply.code(401).send({ code: 100412, message: 'Unknown device or secret.' })
  })
  const ok = (data: unknown) => ({ code: 0, message: '', data })
  http.post(deviceProtocolCalls.pair.url, async (request) => {
    const { epoch } = deviceProtocolCalls.pair.body.parse(request.body)
    return ok({
      deviceId: server.deviceId,
      name: DEVICE.name,
      mqttPort: (mqtt.address() as AddressInfo).port,
      mqttUrl: null,
      ackSeq: server.claimedAckSeq ?? stored(epoch),
      serverTime: Date.now(),
    })
  })
  http.get(deviceProtocolCalls.manifest.url, async () => ok(server.manifest))
  http.post(deviceProtocolCalls.persons.url, async (request) => {
    const { ids } = deviceProtocolCalls.persons.body.parse(request.body)
    server.personCalls.push(ids)
    if (ids.some((id) => server.refusedPersons.has(id))) return { code: 900000, message: 'Busy.' }
    return ok({ persons: ids.flatMap((id) => server.persons.get(id) ?? []) })
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
  await http.listen({ port, host: '127.0.0.1' })

  const server: TestServer = {
    url: `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`,
    secret: DEVICE.secret,
    deviceId: DEVICE.deviceId,
    manifest: manifestOf([]),
    persons: new Map(),
    personCalls: [],
    identify: { personId: null, personName: '', score: null, failReason: 904 },
    identifyCalls: 0,
    refusedPersons: new Set(),
    records: new Map(),
    arrivals: [],
    acknowledging: true,
    claimedAckSeq: null,
    pictures: new Map(),
    statuses: [],
    answers: [],
    recordsOf: (epoch) => [...(server.records.get(epoch)?.values() ?? [])].sort((a, b) => a.seq - b.seq),
    changed: () => publish(topics.changed, { revision: server.manifest.revision }),
    command: (command) => publish(topics.command, command),
    acknowledgeAll: () => [...server.records.keys()].forEach(acknowledge),
    cut() {
      for (const client of Object.values((aedes as unknown as { clients: Record<string, { conn: { destroy(): void } }> }).clients)) client.conn.destroy()
    },
    async stop() {
      await http.close()
      mqtt.close()
      await new Promise<void>((resolve) => aedes.close(resolve))
    },
  }
  return server
}
