/** Addresses of brokers: for the server's connection, and for devices. */
import { isLoopback } from '../http/loopback.ts'

export interface BrokerAddress {
  /** Without the account. */
  broker: string
  /** Address for devices; null where `broker` is reachable from the server's own machine only. */
  url: string | null
  port: number
  username: string
  password: string
}

const DEFAULT_PORTS: Record<string, number> = { 'mqtt:': 1883, 'mqtts:': 8883 }

/** Return the address for devices that MQTT_DEVICE_URL states. */
export function addressForDevices(text: string): { url: string; port: number } {
  const { protocol, hostname, port } = new URL(text)
  const devicePort = Number(port) || DEFAULT_PORTS[protocol]!
  return { url: `${protocol}//${hostname}:${devicePort}`, port: devicePort }
}

/** Return a percent-decoded part of an address; null where the encoding is invalid. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** Read the address of a broker. @throws Error with a sentence, which does not repeat the password, for an invalid address */
export function brokerAddress(text: string): BrokerAddress {
  const url = URL.parse(text)
  if (url === null || !['mqtt:', 'mqtts:'].includes(url.protocol) || url.hostname === '' || url.username === '')
    throw new Error('MQTT_URL must be mqtt://user:password@host:port or mqtts://user:password@host:port')
  const [username, password] = [decoded(url.username), decoded(url.password)]
  if (username === null || password === null) throw new Error('MQTT_URL must have %25 for each % of its user and password')
  const port = Number(url.port) || DEFAULT_PORTS[url.protocol]!
  const broker = `${url.protocol}//${url.hostname}:${port}`
  const local = url.protocol === 'mqtt:' && isLoopback(url.hostname)
  return {
    broker,
    url: local ? null : broker,
    port,
    username,
    password,
  }
}
