/**
 * Devices of the live benchmark, in a thread of their own: they speak the real protocol at a steady pace, whether or not
 * what they sent before has been acknowledged.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { deviceProtocolCalls, deviceTopics, PROTOCOL_VERSION } from '@gatehouse/contract/device/protocol'
import { createClient } from '@gatehouse/dev-env/client'
import { passage } from '@gatehouse/server/contexts/access/testing-records'
import { connectAsync, type MqttClient } from 'mqtt'

export interface LiveDevicesTask {
  url: string
  devices: { code: string; secret: string }[]
  personIds: string[]
  epoch: string
  /** Records a second of all devices together, records of a message, and seconds to go on for. */
  perSecond: number
  perMessage: number
  seconds: number
}

export interface LiveDevicesReport {
  sent: number
  /** Records that were sent more than a tenth of a second after their turn. */
  late: number
}

const VERSION = 'bench'
const TICK_MS = 10
const LATE_MS = 100

async function connect(url: string, { code, secret }: LiveDevicesTask['devices'][number], epoch: string): Promise<MqttClient> {
  const { broker } = await createClient(url, { basic: [code, secret] }).call(deviceProtocolCalls.pair, {
    body: { protocol: PROTOCOL_VERSION, version: VERSION, modelId: '', epochs: [epoch] },
  })
  const address = broker.url ?? `mqtt://${new URL(url).hostname}:${broker.port}`
  const client = await connectAsync(address, { clientId: code, username: broker.username, password: broker.password, reconnectPeriod: 0 })
  await client.subscribeAsync(deviceTopics(code).acknowledged, { qos: 1 })
  await client.publishAsync(deviceTopics(code).status, JSON.stringify({ online: true, version: VERSION }), { qos: 1, retain: true })
  return client
}

async function sendSteadily({ url, devices, personIds, epoch, perSecond, perMessage, seconds }: LiveDevicesTask): Promise<LiveDevicesReport> {
  const clients: MqttClient[] = []
  for (const device of devices) clients.push(await connect(url, device, epoch))
  const messages = Math.floor((perSecond * seconds) / perMessage)
  const everyMs = (1000 * perMessage) / perSecond
  let late = 0
  const startedAt = performance.now()
  for (let message = 0; message < messages; ) {
    for (; message < messages && startedAt + message * everyMs <= performance.now(); message++) {
      if (performance.now() - startedAt - message * everyMs > LATE_MS) late += perMessage
      const index = message % clients.length
      const first = Math.floor(message / clients.length) * perMessage + 1
      const sentAt = Date.now()
      const records = Array.from({ length: perMessage }, (_, step) =>
        passage(first + step, { occurredAt: sentAt, personId: personIds[(message * perMessage + step) % personIds.length] ?? null }),
      )
      clients[index]!.publish(deviceTopics(devices[index]!.code).records, JSON.stringify({ epoch, oldestSeq: 1, sentAt, records }), { qos: 1 })
    }
    await delay(TICK_MS)
  }
  // Whatever is still to be acknowledged by the broker is on its way: the connections end after it.
  await Promise.all(clients.map((client) => client.endAsync()))
  return { sent: messages * perMessage, late }
}

const report = await sendSteadily(workerData as LiveDevicesTask)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort!.postMessage(report)
