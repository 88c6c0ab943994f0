/** A device that only exists on the wire: it speaks the device protocol as a terminal does, and has no door and no camera. */
import { connectAsync } from 'mqtt'
import {
  acknowledgedMessage,
  commandMessage,
  deviceProtocolCalls,
  deviceTopics,
  type Manifest,
  type RecordObject,
  type RecordsMessage,
  type StatusMessage,
} from '@gatehouse/contract/device/protocol'
import { recordId } from '@gatehouse/server/platform/ids'
import { createClient } from '../client.ts'

export interface SimulatedDevice {
  /** The manifest last fetched. */
  manifest(): Manifest
  /** Highest number the server has stored of this device's epoch. */
  stored(): number
  /** Sends numbered records and waits until the server has stored them. @throws Error when it does not, or `signal` aborts */
  send(records: readonly RecordObject[]): Promise<void>
  /** Sends the picture of a record that was stored. */
  sendPicture(seq: number, picture: Uint8Array): Promise<void>
  stop(): Promise<void>
}

export interface SimulatedDeviceOptions {
  server: string
  code: string
  secret: string
  /** Names the run its records are numbered in. */
  epoch: string
  modelId: string
  signal?: AbortSignal
}

const VERSION = 'simulated'
/** Records of one message; the protocol takes 500. */
const BATCH = 500
const PATIENCE_MS = 30_000

/** Pairs, connects and reports what it holds; from then on it follows changes and answers commands. */
export async function startSimulatedDevice({ server, code, secret, epoch, modelId, signal }: SimulatedDeviceOptions): Promise<SimulatedDevice> {
  const client = createClient(server, { basic: [code, secret] })
  const topics = deviceTopics(code)
  const paired = await client.call(deviceProtocolCalls.pair, { body: { version: VERSION, modelId, epoch } }, signal)
  let manifest = await client.call(deviceProtocolCalls.manifest, {}, signal)
  let stored = paired.ackSeq
  let onStored: () => void = () => {}

  const offline = JSON.stringify({ online: false } satisfies StatusMessage)
  const mqtt = await connectAsync(paired.mqttUrl ?? `mqtt://${new URL(server).hostname}:${paired.mqttPort}`, {
    username: code,
    password: secret,
    clientId: `gatehouse-simulated-${code}`,
    will: { topic: topics.status, payload: Buffer.from(offline), qos: 1, retain: true },
  })
  const publish = (topic: string, message: unknown, retain = false) => mqtt.publishAsync(topic, JSON.stringify(message), { qos: 1, retain })
  const report = () =>
    publish(topics.status, { online: true, version: VERSION, modelId, held: { revision: manifest.revision, persons: manifest.persons.length, failed: [] } }, true)

  async function receive(topic: string, payload: Buffer): Promise<void> {
    const message: unknown = JSON.parse(payload.toString('utf8'))
    if (topic === topics.acknowledged) {
      const { epoch: acknowledged, ackSeq } = acknowledgedMessage.parse(message)
      if (acknowledged === epoch) stored = Math.max(stored, ackSeq)
      onStored()
    } else if (topic === topics.changed) {
      manifest = await client.call(deviceProtocolCalls.manifest, {})
      await report()
    } else if (topic === topics.command) await publish(topics.answer, { id: commandMessage.parse(message).id, isSuccess: true, errorType: null })
  }
  // A device of a removed demo is refused: what it was doing is over.
  mqtt.on('message', (topic, payload) => void receive(topic, payload).catch(() => {}))
  mqtt.on('error', () => mqtt.end(true))
  mqtt.on('connect', () => void report().catch(() => {}))
  await mqtt.subscribeAsync([topics.acknowledged, topics.changed, topics.command], { qos: 1 })
  await report()

  async function sendBatch(records: RecordObject[]): Promise<void> {
    const last = records.at(-1)!.seq
    const done = new Promise<void>((resolve, reject) => {
      const giveUp = (why: string) => () => {
        clearTimeout(timer)
        reject(new Error(`device ${code}: ${why}`))
      }
      const timer = setTimeout(giveUp(`the server did not store record ${last} within ${PATIENCE_MS / 1000} s`), PATIENCE_MS)
      const aborted = giveUp('stopped')
      signal?.addEventListener('abort', aborted, { once: true })
      onStored = () => {
        if (stored < last) return
        clearTimeout(timer)
        signal?.removeEventListener('abort', aborted)
        resolve()
      }
    })
    const message: RecordsMessage = { epoch, sentAt: Date.now(), records }
    await Promise.all([publish(topics.records, message), done])
  }

  return {
    manifest: () => manifest,
    stored: () => stored,
    async send(records) {
      const missing = records.filter(({ seq }) => seq > stored)
      for (let from = 0; from < missing.length; from += BATCH) {
        signal?.throwIfAborted()
        await sendBatch(missing.slice(from, from + BATCH))
      }
    },
    async sendPicture(seq, picture) {
      await client.call(deviceProtocolCalls.picture, { params: { id: recordId(paired.deviceId, epoch, seq) }, file: picture }, signal)
    },
    async stop() {
      if (mqtt.connected) await publish(topics.status, JSON.parse(offline), true).catch(() => {})
      await mqtt.endAsync(true)
    },
  }
}
