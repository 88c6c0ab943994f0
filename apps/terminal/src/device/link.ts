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
  type CommandMessage,
  type RecordsMessage,
  type StatusMessage,
} from '@gatehouse/contract/device/protocol'
import type { DataOf } from '@gatehouse/contract'
import mqtt, { type MqttClient } from 'mqtt'
import type { z } from 'zod'
import { createBackoff } from './backoff.ts'
import { StoreUnusable } from './database.ts'
import type { DoorAnswer } from './door.ts'
import { ServerRefused, type ServerClient } from './server.ts'
import type { Store } from './store.ts'
import { pull } from './synchroniser.ts'
import type { Uplink } from './uplink.ts'

/**
 * `pairing` and `connecting` on the way, `online`, `away` while the server does not answer, `refused` while it does not
 * take the code and secret, `foreign` when this data folder belongs to a device of another installation.
 */
export type LinkKind = 'pairing' | 'connecting' | 'online' | 'away' | 'refused' | 'foreign'
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
  client: ServerClient
  store: Store
  uplink: Uplink
  clock: () => number
  log: (sentence: string) => void
  /** Runs a remote command on the door. */
  operateDoor: (operateType: number) => Promise<DoorAnswer>
  onChange: () => void
  /** Milliseconds between tries: the first, and the most. */
  retry?: { first: number; limit: number }
}

export interface Link {
  state(): LinkState
  /** Server's clock minus ours when they last met, in milliseconds; null before. */
  clockOffset(): number | null
  /** Says goodbye and ends. */
  stop(): Promise<void>
}

/** The broker misses two of these before it gives the terminal up: seen offline after 15 s. */
const KEEPALIVE_SECONDS = 10
const REMEMBERED_COMMANDS = 100
/** CONNACK codes of MQTT 3.1.1: identifier rejected, bad user name or password, not authorised. */
const REFUSED_BY_BROKER = [2, 4, 5]

type Paired = DataOf<typeof deviceProtocolCalls.pair>

/** Starts connecting; never throws, however the server behaves. */
export function startLink(options: LinkOptions): Link {
  const { code, secret, version, modelId, client, store, uplink, clock, log, onChange } = options
  const topics = deviceTopics(code)
  const stopping = new AbortController()
  const backoff = createBackoff(options.retry?.first ?? 1_000, options.retry?.limit ?? 30_000)
  const commandsSeen = new Map<string, Promise<DoorAnswer>>()
  let state: LinkState = { kind: 'pairing', since: clock(), detail: '' }
  let clockOffset: number | null = null
  let broker: MqttClient | null = null
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
        const paired = await pair()
        await session(paired)
        if (!stopping.signal.aborted) enter('away', 'The connection to the server is lost.')
      } catch (error) {
        if (stopping.signal.aborted) return
        enter(kindOf(error), sentenceOf(error))
        if (error instanceof StoreUnusable) return
      }
      await pause(backoff.next(), undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function pair(): Promise<Paired> {
    const sentAt = clock()
    const paired = await client.request(deviceProtocolCalls.pair, { body: { version, modelId, epoch: store.outbox.epoch() } }, { signal: stopping.signal })
    clockOffset = Math.round(paired.serverTime - (sentAt + clock()) / 2)
    store.bind(paired.deviceId)
    const outcome = store.outbox.reconcile(paired.ackSeq)
    if (outcome === 'resending') log(`The server holds records up to number ${paired.ackSeq} only; later ones are sent again.`)
    if (outcome === 'newEpoch') log('The server holds records this data folder no longer knows; numbering begins anew.')
    return paired
  }

  /** Resolves when the session is over. */
  async function session(paired: Paired): Promise<void> {
    enter('connecting')
    const { connection, closed } = await connect(paired)
    broker = connection
    const pulling = createPulling(connection)
    try {
      connection.on('message', (topic, payload) => receive(connection, pulling, topic, payload))
      const lost = closed.then(() => Promise.reject(new Error('The broker closed the connection.')))
      lost.catch(() => {})
      await Promise.race([lost, connection.subscribeAsync([topics.acknowledged, topics.changed, topics.command], { qos: 1 })])
      await Promise.race([lost, publishStatus(connection)])
      enter('online')
      log(`Connected to ${client.address.origin} as "${paired.name}".`)
      backoff.reset()
      uplink.connected((message: RecordsMessage) => connection.publish(topics.records, JSON.stringify(message), { qos: 1 }))
      pulling.request()
      await closed
    } finally {
      broker = null
      pulling.stop()
      uplink.disconnected()
      connection.end(true)
    }
  }

  async function connect(paired: Paired): Promise<{ connection: MqttClient; closed: Promise<void> }> {
    const url = paired.mqttUrl ?? `mqtt://${client.address.hostname}:${paired.mqttPort}`
    const connection = mqtt.connect(url, {
      username: code,
      password: secret,
      clientId: `gatehouse-terminal-${code}`,
      clean: true,
      keepalive: KEEPALIVE_SECONDS,
      connectTimeout: 5_000,
      reconnectPeriod: 0,
      // A message kept for the next connection would arrive behind those the outbox sends again.
      queueQoSZero: false,
      will: { topic: topics.status, payload: Buffer.from(JSON.stringify({ online: false })), qos: 1, retain: true },
    })
    const ended = Promise.withResolvers<void>()
    const connected = Promise.withResolvers<void>()
    let failure: Error = new Error(`The broker at ${url} cannot be reached.`)
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

  async function publishStatus(connection: MqttClient): Promise<void> {
    // Behind the goodbye it would be the last word, and the terminal online for ever.
    if (stopping.signal.aborted) return
    const address = (connection.stream as { localAddress?: string }).localAddress?.replace(/^::ffff:/, '')
    const status: StatusMessage = { online: true, version, modelId, ...(address && { ip: address }), ...heldPart() }
    await connection.publishAsync(topics.status, JSON.stringify(status), { qos: 1, retain: true })
  }

  function heldPart(): Pick<StatusMessage, 'held'> {
    const held = store.holdings.held()
    return held ? { held } : {}
  }

  /** One pull at a time; what is asked for during one is done after it. */
  function createPulling(connection: MqttClient): { request(): void; stop(): void } {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, stopping.signal])
    const retry = createBackoff(2_000, 60_000)
    let wanted = false
    let busy = false

    async function work(): Promise<void> {
      busy = true
      while (wanted && !signal.aborted) {
        wanted = false
        try {
          const revision = await pull(client, store.holdings, modelId, signal)
          retry.reset()
          const { persons, failed } = store.holdings.counts()
          log(`Holds ${persons} persons of revision ${revision}${failed > 0 ? `; ${failed} could not be taken` : ''}.`)
          await publishStatus(connection)
        } catch (error) {
          if (signal.aborted) return
          log(`The persons cannot be brought up to date: ${sentenceOf(error)}`)
          wanted = true
          await pause(retry.next(), undefined, { signal }).catch(() => {})
        }
        onChange()
      }
      busy = false
    }

    return {
      request() {
        wanted = true
        if (!busy) void work()
      },
      stop: () => over.abort(),
    }
  }

  function receive(connection: MqttClient, pulling: { request(): void }, topic: string, payload: Buffer): void {
    if (topic === topics.acknowledged) {
      const message = read(acknowledgedMessage, topic, payload)
      if (message) uplink.acknowledged(message.epoch, message.ackSeq)
    } else if (topic === topics.changed) {
      const message = read(changedMessage, topic, payload)
      if (message) pulling.request()
    } else if (topic === topics.command) {
      const message = read(commandMessage, topic, payload)
      if (message) void answer(connection, message)
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

  /** A command may arrive twice; it runs once and is answered each time. */
  async function answer(connection: MqttClient, { id, operateType }: CommandMessage): Promise<void> {
    const known = commandsSeen.get(id)
    const outcome = known ?? options.operateDoor(operateType)
    if (!known) {
      commandsSeen.set(id, outcome)
      if (commandsSeen.size > REMEMBERED_COMMANDS) commandsSeen.delete(commandsSeen.keys().next().value!)
    }
    connection.publish(topics.answer, JSON.stringify({ id, ...(await outcome) }), { qos: 1 })
  }

  return {
    state: () => state,
    clockOffset: () => clockOffset,
    async stop() {
      const connection = broker
      stopping.abort()
      if (connection?.connected) {
        // The broker would not send the last will after a proper goodbye.
        const goodbye = connection.publishAsync(topics.status, JSON.stringify({ online: false }), { qos: 1, retain: true }).then(() => connection.endAsync())
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
  if (error instanceof ServerRefused && error.credentials) return `The server does not take this terminal's code and secret: ${error.message}`
  const { message, code } = error as Error & { code?: unknown }
  return message || String(code ?? error)
}
