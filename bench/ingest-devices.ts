/**
 * Devices of the ingest benchmark, in a thread of their own: they use the real protocol and must not share a thread with the server they
 * load. Each sends its next message when the one before it is acknowledged.
 */
import { once, type EventEmitter } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { deviceTopics } from '@gatehouse/contract/device/protocol'
import { createClient } from '@gatehouse/dev-env/client'
import { passage } from '@gatehouse/server/contexts/records/testing/records'
import type { MqttClient } from 'mqtt'
import { connectDevice } from './wire-device.ts'

export interface DevicesTask {
  url: string
  devices: { code: string; secret: string }[]
  personIds: string[]
  /** Records per message, and seconds to send for. */
  records: number
  seconds: number
}

export interface DevicesReport {
  /** Number of records acknowledged in each second. */
  perSecond: number[]
  /** Milliseconds from sending a message to its acknowledgement, ascending. */
  waits: number[]
}

/** Send a picture for each record, several at once; the answer is the seconds it took. */
export interface PicturesTask {
  url: string
  device: { code: string; secret: string }
  recordIds: string[]
  picture: Uint8Array
  atOnce: number
}

const EPOCH = 'bench'
/** A message that is not acknowledged by then ends the benchmark. */
const PATIENCE_MS = 60_000

async function sendRecords({ url, devices, personIds, records, seconds }: DevicesTask): Promise<DevicesReport> {
  const clients: MqttClient[] = []
  for (const device of devices) clients.push(await connectDevice(url, device, EPOCH))
  const perSecond: number[] = Array.from({ length: seconds }, () => 0)
  const waits: number[] = []
  const startedAt = performance.now()
  const end = startedAt + seconds * 1000
  await Promise.all(
    clients.map(async (client, index) => {
      const topics = deviceTopics(devices[index]!.code)
      for (let seq = 1; performance.now() < end; seq += records) {
        const now = Date.now()
        const run = Array.from({ length: records }, (_, step) => {
          const personId = personIds[(seq + step + index) % personIds.length] ?? null
          return passage(seq + step, { occurredAt: now, personId })
        })
        const sentAt = performance.now()
        const acknowledged = acknowledgementOf(client, seq + records - 1)
        client.publish(topics.records, JSON.stringify({ epoch: EPOCH, oldestSeq: seq, sentAt: now, records: run }), { qos: 1 })
        await acknowledged
        const at = performance.now()
        waits.push(at - sentAt)
        const second = Math.floor((at - startedAt) / 1000)
        if (second < seconds) perSecond[second]! += records
      }
    }),
  )
  await Promise.all(clients.map((client) => client.endAsync(true)))
  return { perSecond, waits: waits.toSorted((one, other) => one - other) }
}

async function acknowledgementOf(client: MqttClient, seq: number): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  for (;;) {
    // The client is an emitter of Node; its types list the events it has, and `once` takes any.
    const [, payload] = (await once(client as unknown as EventEmitter, 'message', { signal })) as [string, Buffer]
    if ((JSON.parse(payload.toString()) as { ackSeq: number }).ackSeq >= seq) return
  }
}

async function sendPictures({ url, device, recordIds, picture, atOnce }: PicturesTask): Promise<number> {
  const client = createClient(url, { basic: [device.code, device.secret] })
  const waiting = recordIds.values()
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const id of waiting) await client.call(deviceProtocolCalls.picture, { params: { id }, file: picture })
    }),
  )
  return (performance.now() - startedAt) / 1000
}

const task = workerData as DevicesTask | PicturesTask
const report = 'devices' in task ? await sendRecords(task) : await sendPictures(task)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort!.postMessage(report)
