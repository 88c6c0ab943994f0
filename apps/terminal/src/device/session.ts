/** An MQTT session: reports the status, sends records, and takes messages and commands until the connection breaks. */
import { setTimeout as pause } from 'node:timers/promises'
import { acknowledgedMessage, type RecordsMessage } from '@gatehouse/contract/device/protocol-records'
import { changedMessage, type DeviceHoldings, type StatusMessage, type DeviceFacts } from '@gatehouse/contract/device/protocol-status'
import { commandMessage, type CommandMessage } from '@gatehouse/contract/device/protocol-commands'
import { deviceTopics } from '@gatehouse/contract/device/protocol'
import type { MqttClient } from 'mqtt'
import type { z } from 'zod'
import { connectBroker, type BrokerOptions } from './broker-client.ts'
import { createCommands, type CommandHandlers, type DoorAnswer } from './commands.ts'
import type { ExceptionsReport } from './exceptions-report.ts'
import type { StoredPersons } from './stored-persons.ts'
import type { Paired } from './pairing.ts'
import { startPulling, type Pulling } from './pulling.ts'
import type { Store, StoredUpTo } from './store.ts'
import type { Synchroniser } from './synchroniser.ts'
import type { Uplink } from './uplink.ts'

export interface SessionOptions extends BrokerOptions {
  version: string
  modelId: string
  store: Store
  stored: StoredPersons
  /** Holdings as reported; null until the persons were taken completely for the first time. */
  storedState: () => DeviceHoldings | null
  synchroniser: Synchroniser
  uplink: Uplink
  log: (sentence: string) => void
  /** Run a remote command on the door. */
  operateDoor: (operateType: number) => Promise<DoorAnswer>
  /** Other commands it carries out. */
  commands?: CommandHandlers | undefined
  /** Facts about the terminal, read at every status. */
  facts?: (() => DeviceFacts) | undefined
  onChange: () => void
  random: () => number
}

export interface Session {
  /**
   * Connect and keep the session up; resolves when it is over.
   * @param startAt record numbers to continue from, if the outbox could not store them
   * @throws Error when the broker cannot be reached, or closes the connection before the session is up
   */
  run(paired: Paired, startAt: readonly StoredUpTo[]): Promise<void>
  /** Send the status again if it has changed; do nothing without a session. */
  reportStatus(): void
  /** Compare what is stored with what should be stored, at once; do nothing without a session. */
  synchronise(): void
  /** Publish that the terminal goes offline, and close the connection; do nothing without one. */
  leave(): Promise<void>
}

/** The parts of its link that a session uses. */
export interface SessionParts {
  exceptions: ExceptionsReport
  /** Aborted when the link stops. */
  stopping: AbortSignal
  enter: (kind: 'connecting' | 'online') => void
  /** Called when the session is up, so that the next attempt to connect starts without delay. */
  onConnected: () => void
}

export function createSession(options: SessionOptions, { exceptions, stopping, enter, onConnected }: SessionParts): Session {
  const { code, version, modelId, client, store, stored, synchroniser, uplink, log, onChange, random } = options
  /** Topics contain the code as it is registered, which may be spelt differently here; pairing returns it. */
  let topics = deviceTopics(code)
  const runCommand = createCommands(options.operateDoor, options.commands)
  let broker: MqttClient | null = null
  let reportStatus: () => void = () => {}
  let synchronise: () => void = () => {}

  async function run(paired: Paired, startAt: readonly StoredUpTo[]): Promise<void> {
    enter('connecting')
    topics = deviceTopics(paired.broker.username)
    const { connection, closed } = await connectBroker(options, paired.broker, topics.status, stopping)
    broker = connection
    let pulling: Pulling | null = null
    let published = ''
    try {
      const lost = closed.then(() => Promise.reject(new Error('The broker closed the connection.')))
      lost.catch(() => {})
      pulling = startPulling({ synchroniser, stored, log, random, report })
      synchronise = pulling.check
      connection.on('message', (topic, payload) => receive(connection, pulling!, topic, payload))
      await Promise.race([lost, connection.subscribeAsync([topics.acknowledged, topics.changed, topics.command], { qos: 1 })])
      await Promise.race([lost, publishStatus()])
      enter('online')
      log(`Connected to ${client.address.origin} as "${paired.name}".`)
      onConnected()
      reportStatus = () => void report(stopping).catch(() => {})
      uplink.connected((message: RecordsMessage) => connection.publish(topics.records, JSON.stringify(message), { qos: 1 }), startAt)
      await closed
    } finally {
      broker = null
      reportStatus = () => {}
      synchronise = () => {}
      uplink.disconnected()
      connection.end(true)
      await pulling?.stop()
    }

    /** The part of the status that is reported again whenever it changes. */
    function changingStatus(): Pick<StatusMessage, 'held' | 'facts'> {
      const state = options.storedState()
      return { ...(state && { held: state }), ...(options.facts && { facts: options.facts() }) }
    }

    async function report(signal: AbortSignal): Promise<void> {
      onChange()
      await exceptions.send({ always: false, signal })
      // A status that was lost with a broken connection is sent by the next one.
      if (JSON.stringify(changingStatus()) !== published) await Promise.race([closed, publishStatus()])
    }

    async function publishStatus(): Promise<void> {
      // Sent after the goodbye it would be the last message, and the terminal would appear online for ever.
      if (stopping.aborted) return
      const address = (connection.stream as { localAddress?: string }).localAddress?.replace(/^::ffff:/, '')
      const changing = changingStatus()
      published = JSON.stringify(changing)
      const status: StatusMessage = { online: true, version, modelId, ...(address && { ip: address }), ...changing }
      await connection.publishAsync(topics.status, JSON.stringify(status), { qos: 1, retain: true })
    }
  }

  function receive(connection: MqttClient, pulling: Pulling, topic: string, payload: Buffer): void {
    if (topic === topics.acknowledged) {
      const message = read(acknowledgedMessage, topic, payload)
      if (!message) return
      const before = carriedOut()
      uplink.acknowledged(message.epoch, message.ackSeq)
      // The last record that named an erased person is acknowledged, and the server waits for this report.
      if (carriedOut() !== before) reportStatus()
    } else if (topic === topics.changed) {
      const message = read(changedMessage, topic, payload)
      if (message) pulling.announced(message)
    } else if (topic === topics.command) {
      const message = read(commandMessage, topic, payload)
      if (message) void answer(connection, message)
    }
  }

  /** Return the last erasure that was carried out; also null if the store cannot be read: the next status reports it then. */
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
    run,
    reportStatus: () => reportStatus(),
    synchronise: () => synchronise(),
    async leave() {
      const connection = broker
      if (connection?.connected) {
        // After a regular disconnect the broker would not send the last will, so the status is published here.
        const goodbye = connection
          .publishAsync(topics.status, JSON.stringify({ online: false }), { qos: 1, retain: true })
          .then(() => connection.endAsync())
        await Promise.race([goodbye, pause(1_000, undefined, { ref: false })]).catch(() => {})
      }
      connection?.end(true)
    },
  }
}
