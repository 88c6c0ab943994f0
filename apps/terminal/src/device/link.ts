/**
 * The terminal's connection: pairs over HTTP, then keeps an MQTT session until it breaks, and begins again. The door
 * works all the while.
 */
import { setTimeout as pause } from 'node:timers/promises'
import {
  acknowledgedMessage,
  changedMessage,
  commandMessage,
  deviceProtocolCalls,
  deviceTopics,
  PROTOCOL_VERSION,
  type CommandMessage,
  type HeldState,
  type RecordsMessage,
  type StatusMessage,
  type ToldFacts,
} from '@gatehouse/contract/device/protocol'
import type { DataOf } from '@gatehouse/contract'
import mqtt, { MqttClient, type IClientOptions } from 'mqtt'
import type { z } from 'zod'
import { createBackoff } from './backoff.ts'
import { openBrokerConnection } from './broker-connection.ts'
import { createCommands, type CommandHandlers, type DoorAnswer } from './commands.ts'
import { createExceptionsReport } from './exceptions-report.ts'
import type { HeldPersons } from './held-persons.ts'
import { startPulling, type Pulling } from './pulling.ts'
import { createRemoval } from './removal.ts'
import type { SealedCredentials } from './sealed-credentials.ts'
import { ServerRefused, ServerUnproven, type ServerConnection } from './server.ts'
import { StoreUnusable, type Store, type StoredUpTo } from './store.ts'
import type { Synchroniser } from './synchroniser.ts'
import type { Uplink } from './uplink.ts'

export type { DoorAnswer } from './commands.ts'

/**
 * `pairing` and `connecting` on the way, `online`, `away` while the server does not answer, `refused` while it does not
 * take the code and secret, or proves nothing itself, `foreign` when this data folder belongs to a device of another installation, `removed` when
 * the server has deleted this device, and it has let go of everything.
 */
export type LinkKind = 'pairing' | 'connecting' | 'online' | 'away' | 'refused' | 'foreign' | 'removed'
export interface LinkState {
  kind: LinkKind
  /** Epoch milliseconds of the last change of `kind`. */
  since: number
  /** What the last failure said, in English, for the log and the technician; empty when there was none. */
  detail: string
}

export interface LinkOptions {
  code: string
  secret: string
  version: string
  modelId: string
  client: ServerConnection
  store: Store
  held: HeldPersons
  /** What the server is told to be held; null until the persons were taken whole for the first time. */
  heldState: () => HeldState | null
  synchroniser: Synchroniser
  sealedCredentials: SealedCredentials
  uplink: Uplink
  clock: () => number
  log: (sentence: string) => void
  /** Runs a remote command on the door. */
  operateDoor: (operateType: number) => Promise<DoorAnswer>
  /** Other commands it carries out. */
  commands?: CommandHandlers | undefined
  /** What it tells of itself; read at every status. */
  facts?: (() => ToldFacts) | undefined
  onChange: () => void
  /** For a broker over TLS, in PEM: whom to trust besides the usual authorities, and what to show where a certificate is asked for. */
  tls?: { ca?: string; cert?: string; key?: string } | undefined
  /** Milliseconds between tries: the first, and the most. */
  retry?: { first: number; limit: number }
  random: () => number
}

export interface Link {
  state(): LinkState
  /** Server's clock minus ours when they last met, in milliseconds; null before. */
  clockOffset(): number | null
  /** What `facts` answers has changed. */
  factsChanged(): void
  /** Compares what is held with what should be, now; nothing while there is no session. */
  synchronise(): void
  /** Says goodbye and ends. */
  stop(): Promise<void>
}

/** The broker misses two of these before it gives the terminal up: seen offline after 15 s. */
const KEEPALIVE_SECONDS = 10
/** Epochs named when pairing at most; each ends with a restored data folder, so nobody ever has as many. */
const EPOCHS = 100
/** CONNACK codes of MQTT 3.1.1: identifier rejected, bad user name or password, not authorised. */
const REFUSED_BY_BROKER = [2, 4, 5]

type Paired = DataOf<typeof deviceProtocolCalls.pair>

/** Starts connecting; never throws, however the server behaves. */
export function startLink(options: LinkOptions): Link {
  const { code, version, modelId, client, store, held, synchroniser, sealedCredentials, uplink, clock, log, onChange, random } = options
  /** By the code as it is registered, which may be spelt otherwise than it was typed here; told when pairing. */
  let topics = deviceTopics(code)
  const stopping = new AbortController()
  const backoff = createBackoff(options.retry?.first ?? 1_000, options.retry?.limit ?? 30_000, random)
  const runCommand = createCommands(options.operateDoor, options.commands)
  const exceptions = createExceptionsReport(client, held, log)
  const removal = createRemoval({ code, secret: options.secret, client, store, held, log, onChange })
  let state: LinkState = { kind: 'pairing', since: clock(), detail: '' }
  let clockOffset: number | null = null
  let broker: MqttClient | null = null
  /** Numbers to send on from, where the outbox could not note them. */
  let startAt: readonly StoredUpTo[] = []
  /** Sends the status again where it says something else by now; nothing while there is no session. */
  let reportStatus: () => void = () => {}
  let checkHeld: () => void = () => {}
  const running = run()

  function enter(kind: LinkKind, detail = ''): void {
    if (kind === state.kind && detail === state.detail) return
    if (detail && detail !== state.detail) log(detail)
    state = { kind, since: kind === state.kind ? state.since : clock(), detail }
    onChange()
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await session(await pair())
        if (!stopping.signal.aborted) enter('away', 'The connection to the server is lost.')
      } catch (error) {
        if (stopping.signal.aborted) return
        const kind = kindOf(error)
        if (kind === 'refused') await removal.wasRemoved(stopping.signal)
        // Once removed, a server that is away changes nothing about it.
        if (store.removed() === null || kind === 'foreign') enter(kind, sentenceOf(error))
        else enter('removed', 'The server has removed this device.')
        if (error instanceof StoreUnusable) return
      }
      await pause(backoff.next(), undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function pair(): Promise<Paired> {
    const sentAt = clock()
    const body = {
      protocol: PROTOCOL_VERSION,
      version,
      modelId,
      epochs: store.outbox.epochs().slice(-EPOCHS),
      sealingKey: sealedCredentials.begin(),
    } as const
    const paired = await client.request(deviceProtocolCalls.pair, { body }, { signal: stopping.signal })
    clockOffset = Math.round(paired.serverTime - (sentAt + clock()) / 2)
    store.bind(paired.deviceId)
    sealedCredentials.take(paired.credentialsKey)
    reconcile(paired.stored)
    // Before the status: whoever reads there what is held must know by then who of it cannot be recognised.
    await exceptions.send({ always: true, signal: stopping.signal })
    return paired
  }

  /** A full disk cannot take over what the server has; it goes on from there all the same. */
  function reconcile(stored: Paired['stored']): void {
    startAt = []
    try {
      const outcome = store.outbox.reconcile(stored)
      if (outcome === 'resending') log('The server no longer has all records it acknowledged; they are sent again.')
      if (outcome === 'newEpoch') log('The server holds records this device no longer knows; numbering begins anew.')
    } catch (error) {
      startAt = stored
      log(`What the server has could not be noted: ${sentenceOf(error)}`)
    }
  }

  /** Resolves when the session is over. */
  async function session(paired: Paired): Promise<void> {
    enter('connecting')
    topics = deviceTopics(paired.broker.username)
    const { connection, closed } = await connect(paired.broker)
    broker = connection
    let pulling: Pulling | null = null
    let published = ''
    try {
      const lost = closed.then(() => Promise.reject(new Error('The broker closed the connection.')))
      lost.catch(() => {})
      pulling = startPulling({ synchroniser, held, log, random, report })
      checkHeld = pulling.check
      connection.on('message', (topic, payload) => receive(connection, pulling!, topic, payload))
      await Promise.race([lost, connection.subscribeAsync([topics.acknowledged, topics.changed, topics.command], { qos: 1 })])
      await Promise.race([lost, publishStatus()])
      enter('online')
      log(`Connected to ${client.address.origin} as "${paired.name}".`)
      backoff.reset()
      reportStatus = () => void report(stopping.signal).catch(() => {})
      uplink.connected((message: RecordsMessage) => connection.publish(topics.records, JSON.stringify(message), { qos: 1 }), startAt)
      await closed
    } finally {
      broker = null
      reportStatus = () => {}
      checkHeld = () => {}
      uplink.disconnected()
      connection.end(true)
      await pulling?.stop()
    }

    /** What is said again whenever it changes. */
    function told(): Pick<StatusMessage, 'held' | 'facts'> {
      const now = options.heldState()
      return { ...(now && { held: now }), ...(options.facts && { facts: options.facts() }) }
    }

    async function report(signal: AbortSignal): Promise<void> {
      onChange()
      await exceptions.send({ always: false, signal })
      // A status that a broken connection swallowed is sent by the next one.
      if (JSON.stringify(told()) !== published) await Promise.race([closed, publishStatus()])
    }

    async function publishStatus(): Promise<void> {
      // Behind the goodbye it would be the last word, and the terminal online for ever.
      if (stopping.signal.aborted) return
      const address = (connection.stream as { localAddress?: string }).localAddress?.replace(/^::ffff:/, '')
      const now = told()
      published = JSON.stringify(now)
      const status: StatusMessage = { online: true, version, modelId, ...(address && { ip: address }), ...now }
      await connection.publishAsync(topics.status, JSON.stringify(status), { qos: 1, retain: true })
    }
  }

  async function connect({
    url: told,
    port,
    username,
    password,
  }: Paired['broker']): Promise<{ connection: MqttClient; closed: Promise<void> }> {
    const url = new URL(told ?? `mqtt://${client.address.hostname}:${port}`)
    const wishes: IClientOptions = {
      username,
      password,
      clientId: `gatehouse-terminal-${code}`,
      clean: true,
      keepalive: KEEPALIVE_SECONDS,
      connectTimeout: 5_000,
      reconnectPeriod: 0,
      // A message kept for the next connection would arrive behind those the outbox sends again.
      queueQoSZero: false,
      will: { topic: topics.status, payload: Buffer.from(JSON.stringify({ online: false })), qos: 1, retain: true },
    }
    const connection = url.protocol === 'mqtts:' ? await overTls(url, wishes) : mqtt.connect(url.href, wishes)
    const ended = Promise.withResolvers<void>()
    const connected = Promise.withResolvers<void>()
    let failure: Error = new Error(`The broker at ${url.host} cannot be reached.`)
    connection.on('error', (error) => {
      failure = error
    })
    connection.once('connect', () => connected.resolve())
    connection.once('close', () => {
      connected.reject(failure)
      ended.resolve()
    })
    const abandon = () => connection.end(true)
    stopping.signal.addEventListener('abort', abandon, { once: true })
    try {
      await connected.promise
    } finally {
      stopping.signal.removeEventListener('abort', abandon)
    }
    return { connection, closed: ended.promise }
  }

  /** Connect over TLS. CONNECT, which carries the password, is sent once the key of the broker is accepted. */
  async function overTls(url: URL, wishes: IClientOptions): Promise<MqttClient> {
    const { signal } = stopping
    const socket = await openBrokerConnection(url, {
      tls: options.tls,
      vouchesFor: (keyDigest) => client.vouchesFor(keyDigest, signal),
      signal,
    })
    return new MqttClient(() => socket, wishes)
  }

  function receive(connection: MqttClient, pulling: Pulling, topic: string, payload: Buffer): void {
    if (topic === topics.acknowledged) {
      const message = read(acknowledgedMessage, topic, payload)
      if (!message) return
      const before = carriedOut()
      uplink.acknowledged(message.epoch, message.ackSeq)
      // The last record that named somebody erased is done with: the server waits to hear of it.
      if (carriedOut() !== before) reportStatus()
    } else if (topic === topics.changed) {
      const message = read(changedMessage, topic, payload)
      if (message) pulling.told(message)
    } else if (topic === topics.command) {
      const message = read(commandMessage, topic, payload)
      if (message) void answer(connection, message)
    }
  }

  /** Null as well where the store cannot be read: it is told with the next status then. */
  function carriedOut(): string | null {
    try {
      return store.erasures.carriedOut()
    } catch {
      return null
    }
  }

  function read<Output>(schema: z.ZodType<Output>, topic: string, payload: Buffer): Output | null {
    try {
      return schema.parse(JSON.parse(payload.toString()))
    } catch {
      log(`A message on ${topic} cannot be read; it is ignored.`)
      return null
    }
  }

  async function answer(connection: MqttClient, command: CommandMessage): Promise<void> {
    connection.publish(topics.answer, JSON.stringify(await runCommand(command)), { qos: 1 })
  }

  return {
    state: () => state,
    clockOffset: () => clockOffset,
    factsChanged: () => reportStatus(),
    synchronise: () => checkHeld(),
    async stop() {
      const connection = broker
      stopping.abort()
      if (connection?.connected) {
        // The broker would not send the last will after a proper goodbye.
        const goodbye = connection
          .publishAsync(topics.status, JSON.stringify({ online: false }), { qos: 1, retain: true })
          .then(() => connection.endAsync())
        await Promise.race([goodbye, pause(1_000, undefined, { ref: false })]).catch(() => {})
      }
      connection?.end(true)
      await running
    },
  }
}

function kindOf(error: unknown): LinkKind {
  if (error instanceof StoreUnusable) return 'foreign'
  if (error instanceof ServerRefused && error.credentials) return 'refused'
  if (REFUSED_BY_BROKER.includes((error as { code?: unknown }).code as number)) return 'refused'
  return 'away'
}

function sentenceOf(error: unknown): string {
  if (error instanceof ServerRefused && error.credentials && !(error instanceof ServerUnproven))
    return `The server does not take this terminal's code and secret: ${error.message}`
  const { message, code } = error as Error & { code?: unknown }
  return message || String(code ?? error)
}
