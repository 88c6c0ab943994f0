/** Addresses of brokers: what the server connects to and what devices are told. */
import { isLoopback } from '../http/loopback.ts'

export interface BrokerAddress {
  /** Without the account. */
  broker: string
  /** As devices are told; null where `broker` only means something on the server's own machine. */
  url: string | null
  port: number
  username: string
  password: string
}

const DEFAULT_PORTS: Record<string, number> = { 'mqtt:': 1883, 'mqtts:': 8883 }

/** MQTT_DEVICE_URL as devices are told. */
export function addressForDevices(text: string): { url: string; port: number } {
  const { protocol, hostname, port } = new URL(text)
  const told = Number(port) || DEFAULT_PORTS[protocol]!
  return { url: `${protocol}//${hostname}:${told}`, port: told }
}

/** @throws Error with a sentence, which does not repeat the password, for an address that is none */
export function brokerAddress(text: string): BrokerAddress {
  const url = URL.parse(text)
  if (url === null || !['mqtt:', 'mqtts:'].includes(url.protocol) || url.hostname === '' || url.username === '')
    throw new Error('MQTT_URL must be mqtt://user:password@host:port or mqtts://user:password@host:port')
  const port = Number(url.port) || DEFAULT_PORTS[url.protocol]!
  const broker = `${url.protocol}//${url.hostname}:${port}`
  const local = url.protocol === 'mqtt:' && isLoopback(url.hostname)
  return {
    broker,
    url: local ? null : broker,
    port,
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  }
}
