/** A device that is no more than its connection: it says what a test has it say, and hears what it is told. */
import mqtt from 'mqtt'
import { onTestFinished } from 'vitest'
import { PROTOCOL_VERSION, deviceProtocolCalls, deviceTopics, type StatusMessage } from '@gatehouse/contract/device/protocol'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import type { MadeDevice } from '@gatehouse/dev-env/world'

export interface WireDevice {
  http: Client
  /** Tells the server how it is; further statuses follow after it was online. */
  say(status: Partial<StatusMessage>): Promise<void>
  /** Messages it was sent, as `kind payload`. */
  heard: string[]
  connected(): boolean
  /** As a power cut does: the broker says for it that it is gone. */
  cut(): void
}

const EPOCH = 'wire'

export const wireClient = (url: string, { code, secret }: Pick<MadeDevice, 'code' | 'secret'>): Client =>
  createClient(url, { basic: [code, secret] })

/** Asks to pair; what comes of it is for the test to say. */
export const askToPair = (http: Client, protocol: number = PROTOCOL_VERSION) =>
  http.ask(deviceProtocolCalls.pair, { body: { protocol, version: 'wire', modelId: 'none', epochs: [EPOCH] } })

/** Pairs, connects and says that it is online; gone when the test ends. */
export async function startWireDevice(
  url: string,
  device: Pick<MadeDevice, 'code' | 'secret'>,
  status: Partial<StatusMessage> = {},
): Promise<WireDevice> {
  const http = wireClient(url, device)
  const { broker } = await http.call(deviceProtocolCalls.pair, {
    body: { protocol: PROTOCOL_VERSION, version: 'wire', modelId: 'none', epochs: [EPOCH] },
  })
  const topics = deviceTopics(device.code)
  const connection = await mqtt.connectAsync(broker.url ?? `mqtt://127.0.0.1:${broker.port}`, {
    username: broker.username,
    password: broker.password,
    reconnectPeriod: 0,
    will: { topic: topics.status, payload: Buffer.from('{"online":false}'), qos: 1, retain: true },
  })
  onTestFinished(() => connection.endAsync(true))
  const heard: string[] = []
  connection.on('error', () => {})
  connection.on('message', (topic, payload) => heard.push(`${topic.split('/').at(-1)} ${payload.toString('utf8')}`))
  await connection.subscribeAsync(`gatehouse/1/${device.code}/down/#`, { qos: 1 })
  const say = async (more: Partial<StatusMessage>): Promise<void> => {
    await connection.publishAsync(topics.status, JSON.stringify({ online: true, version: 'wire', ...more }), { qos: 1, retain: true })
  }
  await say(status)
  return { http, say, heard, connected: () => connection.connected, cut: () => connection.stream.destroy() }
}
