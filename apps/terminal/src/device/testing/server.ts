/** A server for the terminal's tests: the device protocol over real HTTP or HTTPS and a real broker, all in memory. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { createServer as createPlainServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Aedes } from 'aedes'
import Fastify from 'fastify'
import type { z } from 'zod'
import type { DataOf } from '@gatehouse/contract'
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
import { deviceProofText, serverProofText } from '@gatehouse/contract/device/handshake'
import { configurationCalls, type DeviceSecrets } from '@gatehouse/contract/configuration/calls'
import { serveAudience, type TestAudience } from './audience.ts'
import type { TestCertificate } from './certificates.ts'
import { DEVICE, manifestWith } from './objects.ts'

type Asked = z.output<typeof deviceProtocolCalls.verify.body>
type Verified = z.output<typeof deviceProtocolCalls.verify.data>

export interface TestServer {
  url: string
  secret: string
  /** Digests of keys it vouches for; initially those of its own certificates. */
  keys: readonly string[]
  /** Whether it says that it takes TLS only; initially whether it does. */
  tlsOnly: boolean
  /** False: it answers as a server from before the handshake. */
  knowsHandshake: boolean
  /** Seconds a token is valid. */
  tokenSeconds: number
  /** Challenges answered and tokens given out. */
  signIns: { challenges: number; tokens: number }
  /** Plain http requests that it refused because it speaks TLS. */
  plainRequests: number
  /** Method and path of each request, in order. */
  asked: string[]
  /** Open HTTP connections. */
  connections(): number
  /** Invalidate all tokens. */
  endTokens(): void
  /** Use another certificate from now on, and close idle HTTP connections. */
  show(certificate: TestCertificate): void
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
  /** Address of its own broker. */
  brokerUrl: string
  /** What `pair` says of the broker; null: its own. */
  broker: DataOf<typeof deviceProtocolCalls.pair>['broker'] | null
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

const UNKNOWN = { code: 100412, message: 'Unknown device or secret.' }
/** Told when pairing, and other than the device's own credentials. */
export const BROKER = { username: DEVICE.code, password: 'broker secret' }

/** First byte of a TLS handshake. */
const HANDSHAKE = 0x16

export interface TestServerOptions {
  /** HTTP port, to restart at the same address. */
  port?: number
  /** Accept TLS only, and refuse plain http on the same port. */
  tls?: TestCertificate
  /** Let the broker speak TLS. */
  brokerTls?: TestCertificate
}

/** Starts it on free ports of the loopback. */
export async function startTestServer({ port = 0, tls, brokerTls }: TestServerOptions = {}): Promise<TestServer> {
  const topics = deviceTopics(DEVICE.code)
  const aedes = await Aedes.createBroker()
  aedes.authenticate = (_client, username, password, done) => {
    const accepted = username === BROKER.username && password?.toString() === BROKER.password
    done(accepted ? null : Object.assign(new Error('refused'), { returnCode: 5 as const }), accepted)
  }
  const mqtt: Server = brokerTls
    ? createTlsServer({ key: brokerTls.key, cert: brokerTls.certificate }, aedes.handle)
    : createServer(aedes.handle)
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

  let secure: SecureServer | null = null
  const http = Fastify({
    bodyLimit: 4 * 1_048_576,
    forceCloseConnections: true,
    ...(tls && {
      serverFactory(handler: RequestListener) {
        secure = createSecureServer({ key: tls.key, cert: tls.certificate }, handler)
        refusePlainRequests(secure, () => server.plainRequests++)
        return secure
      },
    }),
  })
  http.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  http.addHook('onRequest', async (request, reply) => {
    server.asked.push(`${request.method} ${request.url}`)
    if ([deviceProtocolCalls.challenge.url, deviceProtocolCalls.token.url, deviceProtocolCalls.removal.url].includes(request.url)) return
    // Basic is refused: a terminal must not send its secret.
    const token = tokens.get(request.headers.authorization ?? '')
    if (token?.secret !== server.secret || token.until < Date.now()) return reply.code(401).send(UNKNOWN)
  })
  const ok = (data: unknown) => ({ code: 0, message: '', data })
  const tokens = new Map<string, { secret: string; until: number }>()
  const proofOf = (code: string, text: string): string =>
    createHmac('sha256', code === DEVICE.code ? createHash('sha256').update(server.secret).digest() : randomBytes(32))
      .update(text)
      .digest('base64url')
  http.post(deviceProtocolCalls.challenge.url, async (request, reply) => {
    if (!server.knowsHandshake) return reply.code(404).send({ code: 404, message: 'Not found.' })
    const { code, nonce } = deviceProtocolCalls.challenge.body.parse(request.body)
    server.signIns.challenges++
    const challenge = randomBytes(24).toString('base64url')
    const [keys, { tlsOnly }] = [[...server.keys], server]
    return ok({ challenge, keys, tlsOnly, proof: proofOf(code, serverProofText({ code, nonce, challenge, keys, tlsOnly })) })
  })
  http.post(deviceProtocolCalls.token.url, async (request, reply) => {
    const { proof, ...said } = deviceProtocolCalls.token.body.parse(request.body)
    if (proof !== proofOf(said.code, deviceProofText(said))) return reply.code(401).send(UNKNOWN)
    server.signIns.tokens++
    const token = randomBytes(24).toString('base64url')
    tokens.set(`Bearer ${token}`, { secret: server.secret, until: Date.now() + 1000 * server.tokenSeconds })
    return ok({ token, expiresIn: server.tokenSeconds })
  })
  http.post(deviceProtocolCalls.pair.url, async (request) => {
    const { epochs } = deviceProtocolCalls.pair.body.parse(request.body)
    server.paired.push(epochs)
    return ok({
      deviceId: server.deviceId,
      name: DEVICE.name,
      broker: server.broker ?? {
        url: brokerTls ? server.brokerUrl : null,
        port: (mqtt.address() as AddressInfo).port,
        ...BROKER,
      },
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
  const open = new Set<Socket>()
  http.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  await http.listen({ port, host: '127.0.0.1' })

  const server: TestServer = {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${(http.server.address() as AddressInfo).port}`,
    secret: DEVICE.secret,
    keys: [tls, brokerTls].flatMap((certificate) => (certificate ? [certificate.keyDigest] : [])),
    tlsOnly: tls !== undefined,
    knowsHandshake: true,
    tokenSeconds: 3_600,
    signIns: { challenges: 0, tokens: 0 },
    plainRequests: 0,
    asked: [],
    broker: null,
    brokerUrl: `${brokerTls ? 'mqtts' : 'mqtt'}://127.0.0.1:${(mqtt.address() as AddressInfo).port}`,
    connections: () => open.size,
    endTokens: () => tokens.clear(),
    show({ key, certificate }) {
      secure!.setSecureContext({ key, cert: certificate })
      secure!.closeIdleConnections()
    },
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

/** Refuse plain http requests on the port of a TLS server with 426. */
function refusePlainRequests(secure: SecureServer, counted: () => void): void {
  const plain = createPlainServer((_request, response) => {
    counted()
    response
      .writeHead(426, { upgrade: 'TLS/1.2, HTTP/1.1', connection: 'Upgrade, close', 'content-type': 'application/json' })
      .end(JSON.stringify({ code: 426, message: 'Use https.' }))
  })
  const encrypted = secure.listeners('connection') as ((socket: Socket) => void)[]
  secure.removeAllListeners('connection')
  secure.on('connection', (socket: Socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (bytes: Buffer) => {
      socket.pause()
      socket.unshift(bytes)
      if (bytes[0] === HANDSHAKE) for (const listener of encrypted) listener.call(secure, socket)
      else {
        plain.emit('connection', socket)
        socket.resume()
      }
    })
  })
}
