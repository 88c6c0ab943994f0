/** A device that is no more than its connection: it says what a test has it say, and hears what it is told. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import mqtt from 'mqtt'
import { onTestFinished } from 'vitest'
import { deviceProofText } from '@gatehouse/contract/device/handshake'
import { PROTOCOL_VERSION, deviceTopics } from '@gatehouse/contract/device/protocol'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { StatusMessage } from '@gatehouse/contract/device/protocol-status'
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

/** HMAC-SHA256 under the SHA-256 of a secret, as both sides of a handshake prove that they know it. */
export const proofBy = (secret: string, text: string): string =>
  createHmac('sha256', createHash('sha256').update(secret).digest()).update(text).digest('base64url')

/** A client of the device by a token: it has proved that it knows its secret, and not sent it. */
export async function provenClient(url: string, { code, secret }: Pick<MadeDevice, 'code' | 'secret'>): Promise<Client> {
  const http = createClient(url)
  const nonce = randomBytes(16).toString('base64url')
  const { challenge } = await http.call(deviceProtocolCalls.challenge, { body: { code, nonce } })
  const proof = proofBy(secret, deviceProofText({ code, nonce, challenge }))
  const { token } = await http.call(deviceProtocolCalls.token, { body: { code, nonce, challenge, proof } })
  return http.as({ bearer: token })
}

/** Asks to pair; what comes of it is for the test to say. */
export const askToPair = (http: Client, protocol: number = PROTOCOL_VERSION) =>
  http.ask(deviceProtocolCalls.pair, { body: { protocol, version: 'wire', modelId: 'none', epochs: [EPOCH] } })

/** Pairs, connects and says that it is online; gone when the test ends. @param http how it says who it is; by its secret unless told */
export async function startWireDevice(
  url: string,
  device: Pick<MadeDevice, 'code' | 'secret'>,
  status: Partial<StatusMessage> = {},
  http: Client = wireClient(url, device),
): Promise<WireDevice> {
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
