/** A device that is only a connection: the test decides what it sends, and reads what it receives. */
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
  /** Send a status to the server; further statuses follow after it was online. */
  say(status: Partial<StatusMessage>): Promise<void>
  /** Messages it has received, as `kind payload`. */
  heard: string[]
  connected(): boolean
  /** Break the connection as a power cut does: the broker sends its last will. */
  cut(): void
}

const EPOCH = 'wire'

export const wireClient = (url: string, { code, secret }: Pick<MadeDevice, 'code' | 'secret'>): Client =>
  createClient(url, { basic: [code, secret] })

/** Return the HMAC-SHA256 under the SHA-256 of a secret, by which both sides of a handshake prove that they know it. */
export const proofBy = (secret: string, text: string): string =>
  createHmac('sha256', createHash('sha256').update(secret).digest()).update(text).digest('base64url')

/** Return a client of the device with a token: the device has proved that it knows its secret, without sending it. */
export async function provenClient(url: string, { code, secret }: Pick<MadeDevice, 'code' | 'secret'>): Promise<Client> {
  const http = createClient(url)
  const nonce = randomBytes(16).toString('base64url')
  const { challenge } = await http.call(deviceProtocolCalls.challenge, { body: { code, nonce } })
  const proof = proofBy(secret, deviceProofText({ code, nonce, challenge }))
  const { token } = await http.call(deviceProtocolCalls.token, { body: { code, nonce, challenge, proof } })
  return http.as({ bearer: token })
}

/** Send the pairing request; the test decides what to do with the answer. */
export const askToPair = (http: Client, protocol: number = PROTOCOL_VERSION) =>
  http.ask(deviceProtocolCalls.pair, { body: { protocol, version: 'wire', modelId: 'none', epochs: [EPOCH] } })

/** Pair, connect and report that it is online; closed when the test ends. @param http how it authenticates; by its secret unless given */
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
