/**
 * Devices of the live benchmark, in a thread of their own: they use the real protocol at a steady pace, whether or not their previous
 * messages have been acknowledged.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { deviceTopics } from '@gatehouse/contract/device/protocol'
import { passage } from '@gatehouse/server/contexts/records/testing/records'
import type { MqttClient } from 'mqtt'
import { connectDevice } from './wire-device.ts'

export interface LiveDevicesTask {
  url: string
  devices: { code: string; secret: string }[]
  personIds: string[]
  epoch: string
  /** Records per second of all devices together, records per message, and seconds to send for. */
  perSecond: number
  perMessage: number
  seconds: number
}

export interface LiveDevicesReport {
  sent: number
  /** Records that were sent more than a tenth of a second late. */
  late: number
}

const TICK_MS = 10
const LATE_MS = 100

async function sendSteadily({
  url,
  devices,
  personIds,
  epoch,
  perSecond,
  perMessage,
  seconds,
}: LiveDevicesTask): Promise<LiveDevicesReport> {
  const clients: MqttClient[] = []
  for (const device of devices) clients.push(await connectDevice(url, device, epoch))
  const messages = Math.floor((perSecond * seconds) / perMessage)
  const everyMs = (1000 * perMessage) / perSecond
  let late = 0
  const startedAt = performance.now()
  for (let message = 0; message < messages;) {
    for (; message < messages && startedAt + message * everyMs <= performance.now(); message++) {
      if (performance.now() - startedAt - message * everyMs > LATE_MS) late += perMessage
      const index = message % clients.length
      const first = Math.floor(message / clients.length) * perMessage + 1
      const sentAt = Date.now()
      const records = Array.from({ length: perMessage }, (_, step) =>
        passage(first + step, { occurredAt: sentAt, personId: personIds[(message * perMessage + step) % personIds.length] ?? null }),
      )
      clients[index]!.publish(deviceTopics(devices[index]!.code).records, JSON.stringify({ epoch, oldestSeq: 1, sentAt, records }), {
        qos: 1,
      })
    }
    await delay(TICK_MS)
  }
  // Acknowledgements of the broker may still be on their way: the connections end after them.
  await Promise.all(clients.map((client) => client.endAsync()))
  return { sent: messages * perMessage, late }
}

const report = await sendSteadily(workerData as LiveDevicesTask)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort!.postMessage(report)
