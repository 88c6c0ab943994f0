/** An MQTT connection to the broker that the server named when pairing. */
import mqtt, { MqttClient, type IClientOptions } from 'mqtt'
import { openBrokerConnection } from './broker-connection.ts'
import type { Paired } from './pairing.ts'
import type { ServerConnection } from './server.ts'

export interface BrokerOptions {
  code: string
  client: ServerConnection
  /** For a broker over TLS, in PEM: authorities trusted besides the usual ones, and the certificate to present if one is requested. */
  tls?: { ca?: string; cert?: string; key?: string } | undefined
}

/** The broker considers the terminal lost after one and a half intervals: it is seen offline after 15 s. */
const KEEPALIVE_SECONDS = 10

/**
 * Connect to the broker.
 *
 * @param willTopic topic of the last will, which says that the terminal is offline
 * @returns the connection, and a promise that resolves when it is closed
 * @throws Error when there is no connection, also after an abort
 */
export async function connectBroker(
  { code, client, tls }: BrokerOptions,
  { url: announcedUrl, port, username, password }: Paired['broker'],
  willTopic: string,
  signal: AbortSignal,
): Promise<{ connection: MqttClient; closed: Promise<void> }> {
  const url = new URL(announcedUrl ?? `mqtt://${client.address.hostname}:${port}`)
  const settings: IClientOptions = {
    username,
    password,
    clientId: `gatehouse-terminal-${code}`,
    clean: true,
    keepalive: KEEPALIVE_SECONDS,
    connectTimeout: 5_000,
    reconnectPeriod: 0,
    // A message kept for the next connection would arrive after those that the outbox sends again.
    queueQoSZero: false,
    will: { topic: willTopic, payload: Buffer.from(JSON.stringify({ online: false })), qos: 1, retain: true },
  }

  /** CONNECT contains the password and is sent only after the broker's key is accepted. */
  async function overTls(): Promise<MqttClient> {
    const socket = await openBrokerConnection(url, { tls, vouchesFor: (keyDigest) => client.vouchesFor(keyDigest, signal), signal })
    return new MqttClient(() => socket, settings)
  }

  const connection = url.protocol === 'mqtts:' ? await overTls() : mqtt.connect(url.href, settings)
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
  signal.addEventListener('abort', abandon, { once: true })
  try {
    await connected.promise
  } finally {
    signal.removeEventListener('abort', abandon)
  }
  return { connection, closed: ended.promise }
}
