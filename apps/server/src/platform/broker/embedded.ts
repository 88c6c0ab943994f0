/**
 * The broker inside the server's own process. The server's end is no client of it: what a device publishes is handed over
 * as it is read, what the server says goes straight to the device's subscription.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { Aedes, type Client } from 'aedes'
import { deviceTopics } from '@gatehouse/contract/device/protocol'
import { addressForDevices } from './address.ts'
import { passwordOf, passwordsOf, samePassword } from './credentials.ts'
import { limitFrames } from './frames.ts'
import { listenNear } from './listen.ts'
import { secureServer } from './tls.ts'
import { BrokerUnavailable, type ChannelOptions, type DeviceChannel, type DeviceCredential, type MessageHandler } from './types.ts'

/** Largest MQTT frame of a device, in bytes: 500 records fit. */
const LARGEST_MESSAGE = 512 * 1024
/** Of any other frame, CONNECT with its last will included; and of any frame before the device has said who it is. */
const LARGEST_OTHER = 16 * 1024
const PUBLISH = 3
/** Bytes a device may leave unread before it is given up. */
const MOST_UNREAD = 1024 * 1024
const CONNECT_MS = 10_000
/** For a device whose socket takes nothing at all. */
const DRAIN_MS = 20_000
/** A session that never has to say anything would stand for ever after a cable was cut. */
const LONGEST_KEEPALIVE_SECONDS = 300
const MOST_SUBSCRIPTIONS = 16
/** MQTT 3.1.1: server unavailable; the device tries again. */
const UNAVAILABLE = 3

interface Session {
  code: string
  /** It was let in by. */
  password: string
  topics: ReturnType<typeof deviceTopics>
  subscriptions: Set<string>
  /** Another connection of the same code has taken its place, or the server has ended it. */
  over: boolean
}

/** Starts the embedded broker. @throws Error with a sentence when the port is taken */
export async function embeddedChannel(options: ChannelOptions): Promise<DeviceChannel> {
  const { log, serverKey } = options
  const sessions = new WeakMap<Client, Session>()
  /** The one session of each code. */
  const current = new Map<string, Client>()
  /** How often a code was retired: who was looked up before is looked up again. */
  const retirements = new Map<string, number>()
  const sockets = new Set<Socket>()
  let handler: MessageHandler | null = null
  /** What arrives before somebody takes it waits, and its device with it. */
  const taken = Promise.withResolvers<MessageHandler>()
  let connections = 0
  let stopped = false

  const aedes = await Aedes.createBroker({
    connectTimeout: CONNECT_MS,
    drainTimeout: DRAIN_MS,
    // No common limit of deliveries under way: some devices that do not read would hold up all others.
    concurrency: 0,
  })
  aedes.on('clientError', (client, error) =>
    log.info({ device: sessions.get(client)?.code, why: error.message }, 'a device’s connection ended'),
  )
  aedes.on('connectionError', (_client, error) => log.info({ why: error.message }, 'a connection ended that was no device’s'))
  // Not in the types, and fatal to the process where nobody listens.
  ;(aedes as NodeJS.EventEmitter).on('error', (error: Error) => log.error({ err: error }, 'the embedded broker failed'))

  aedes.preConnect = (client, packet, done) => {
    const refusal = refusalOf(packet.keepalive ?? 0, packet.will, packet.username)
    if (refusal !== null) return done(new Error(refusal), false)
    // The broker's registers go by client id: one of its own keeps a device from taking another's place, or a word of the
    // language's. Nothing is kept beyond a session either: whatever changed is told anew after each status.
    packet.clientId = `connection-${++connections}`
    packet.clean = true
    done(null, true)
  }

  aedes.authenticate = (client, username, password, done) => {
    const shown = password?.toString('utf8') ?? ''
    // No code holds NUL, and it cannot be looked for.
    if (username?.includes('\0') === true) return done(null, false)
    holds(username ?? '', shown).then(
      (yes) => {
        // A device takes a refusal for the last word: one that comes while the server stops is to come again.
        if (stopped) return done(unavailable(), false)
        if (!yes || client.closed || !isCertified(client, username!)) return done(null, false)
        takePlace(client, username!, shown)
        done(null, true)
      },
      (error: unknown) => {
        log.error({ err: error, device: username }, 'a device could not be let in')
        done(unavailable(), false)
      },
    )
  }

  /** Where devices must show a certificate, it is that of the code. */
  function isCertified(client: Client, code: string): boolean {
    if (options.tls?.clientAuthority == null) return true
    const socket: unknown = client.conn
    if (!(socket instanceof TLSSocket)) return false
    return socket.getPeerCertificate().subject?.CN === code
  }

  const opens = (credential: DeviceCredential, password: string): boolean =>
    passwordsOf(serverKey, credential).some((one) => samePassword(one, password))

  async function holds(code: string, password: string): Promise<boolean> {
    for (;;) {
      const before = retirements.get(code)
      const credential = await options.credentialOf(code)
      // The register knows a code however it is spelt; topics, sessions and their ends go by the spelling it is registered under.
      if (retirements.get(code) === before) return credential?.code === code && opens(credential, password)
    }
  }

  function takePlace(client: Client, code: string, password: string): void {
    const before = current.get(code)
    sessions.set(client, { code, password, topics: deviceTopics(code), subscriptions: new Set(), over: false })
    current.set(code, client)
    if (before !== undefined) {
      log.warn({ device: code }, 'another connection took this device’s place: either it came back, or two terminals share its code')
      // Over before it is closed: its last will would say that the device is offline.
      sessions.get(before)!.over = true
      before.close()
    }
    client.conn.once('close', () => {
      if (current.get(code) === client) current.delete(code)
    })
  }

  // The first place where the broker shows a message, and the only one where those of a device still stand in the order
  // they came in: from here on each takes its own time by its kind.
  aedes.authorizePublish = (client, packet, done) => {
    const session = client === null ? undefined : sessions.get(client)
    if (session === undefined || session.over) return done(new Error('no session'))
    if (!packet.topic.startsWith(`gatehouse/1/${session.code}/up/`)) return done(new Error('not a topic of this device'))
    if (packet.qos === 2) return done(new Error('QoS 2 is not offered'))
    if (packet.retain && packet.topic !== session.topics.status) return done(new Error('only the status is retained'))
    // Nobody but the server may read it, and the server has it now.
    packet.retain = false
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload
    hand(packet.topic, payload).then(
      () => done(null),
      (error: unknown) => {
        log.error({ err: error, topic: packet.topic }, 'a message of a device was not handled')
        done(null)
      },
    )
  }

  async function hand(topic: string, payload: Buffer): Promise<void> {
    if (!stopped) await (handler ?? (await taken.promise))(topic, payload)
  }

  // A refused subscription answers 0x80 and keeps the connection, as with other brokers.
  aedes.authorizeSubscribe = (client, subscription, done) => {
    const session = sessions.get(client)
    const own =
      session !== undefined && subscription.topic.startsWith(`gatehouse/1/${session.code}/down/`) && subscription.topic.length <= 128
    if (!own || (session.subscriptions.size >= MOST_SUBSCRIPTIONS && !session.subscriptions.has(subscription.topic)))
      return done(null, null)
    session.subscriptions.add(subscription.topic)
    done(null, subscription)
  }

  aedes.authorizeForward = (client, packet) => {
    const session = sessions.get(client)
    if (session === undefined || session.over) return null
    if (client.conn.writableLength <= MOST_UNREAD) return packet
    log.warn({ device: session.code }, 'a device does not read what it is told; its connection is ended')
    client.conn.destroy()
    return null
  }

  const end = (code: string): Promise<void> =>
    new Promise((resolve) => {
      const client = current.get(code)
      if (client === undefined) return resolve()
      current.delete(code)
      client.close(resolve)
    })

  function serve(socket: Socket): void {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const client = aedes.handle(socket)
    limitFrames(
      socket,
      (type) => (type === PUBLISH && sessions.has(client) ? LARGEST_MESSAGE : LARGEST_OTHER),
      (bytes) => socket.destroy(new Error(`a frame of ${bytes} bytes`)),
    )
  }

  const servers: Server[] = [createServer({ noDelay: true }, serve)]
  const secure =
    options.tls == null ? null : secureServer(options.tls, serve, (why) => log.info({ why }, 'a connection over TLS was refused'))
  if (secure !== null) servers.push(secure.server)
  const close = () =>
    Promise.all(servers.map((each) => new Promise((resolve) => (each.listening ? each.close(resolve) : resolve(undefined)))))
  const ports: number[] = []
  try {
    ports.push(await listenNear(servers[0]!, { ...options, host: options.plainHost ?? options.host, variable: 'MQTT_PORT' }))
    if (secure !== null) ports.push(await listenNear(secure.server, { ...options, port: options.tls!.port, variable: 'MQTT_TLS_PORT' }))
  } catch (error) {
    aedes.close()
    await close()
    throw error
  }
  for (const each of servers) each.on('error', (error) => log.error({ err: error }, 'the embedded broker failed'))
  const [port = 0, securePort = 0] = ports
  /** As devices are told: over TLS under a name they can verify. */
  const told = (hostname: string): { url: string | null; port: number } => {
    if (options.deviceUrl != null) return addressForDevices(options.deviceUrl)
    return secure === null ? { url: null, port } : { url: `mqtts://${secure.name ?? hostname}:${securePort}`, port: securePort }
  }

  return {
    port,
    get connected() {
      return !stopped
    },
    onMessage(given) {
      handler = given
      taken.resolve(given)
    },
    onReconnect() {},
    publish: (topic, payload, { qos = 0 } = {}) =>
      new Promise((resolve, reject) => {
        if (stopped) return reject(new BrokerUnavailable('the broker has stopped'))
        // Not awaited: how quickly a device reads is no business of the sender.
        aedes.publish({ cmd: 'publish', topic, payload, qos, retain: false, dup: false }, (error) => {
          if (error) log.warn({ err: error, topic }, 'a message did not go out')
        })
        resolve()
      }),
    async admit({ deviceId, code }, { hostname, signedInBy }) {
      const credential = await options.credentialOf(code)
      if (credential?.deviceId !== deviceId) throw new Error(`there is no device ${code}`)
      return { ...told(hostname), username: code, password: passwordOf(serverKey, credential, signedInBy) }
    },
    disconnect: end,
    async retire(code) {
      retirements.set(code, (retirements.get(code) ?? 0) + 1)
      const credential = await options.credentialOf(code)
      const client = current.get(code)
      if (client === undefined || (credential !== null && opens(credential, sessions.get(client)!.password))) return
      await end(code)
    },
    async stop() {
      if (stopped) return
      stopped = true
      await new Promise<void>((resolve) => aedes.close(resolve))
      const closed = close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

const unavailable = () => Object.assign(new Error('unavailable'), { returnCode: UNAVAILABLE })

/** Why a connection is refused before anybody asks who it is; null where it is not. */
function refusalOf(keepalive: number, will: { topic: string; qos?: number } | undefined, username: string | undefined): string | null {
  if (keepalive < 1 || keepalive > LONGEST_KEEPALIVE_SECONDS) return `keepalive must be 1 to ${LONGEST_KEEPALIVE_SECONDS} seconds`
  if (username === undefined) return 'no account was named'
  if (will === undefined) return null
  return will.topic === deviceTopics(username).status && (will.qos ?? 0) < 2 ? null : 'a last will other than the status'
}
