/** MQTT_URL, taken apart: what the server connects to and what devices are told. */

export interface BrokerAddress {
  /** Without the account. */
  broker: string
  /** As devices are told; null where `broker` only means something on the server's own machine. */
  url: string | null
  port: number
  username: string
  password: string
}

const LOCAL_HOSTS = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** @throws Error with a sentence, which does not repeat the password, for an address that is none */
export function brokerAddress(text: string): BrokerAddress {
  const url = URL.parse(text)
  if (url === null || !['mqtt:', 'mqtts:'].includes(url.protocol) || url.hostname === '' || url.username === '')
    throw new Error('MQTT_URL must be mqtt://user:password@host:port or mqtts://user:password@host:port')
  const port = Number(url.port) || (url.protocol === 'mqtts:' ? 8883 : 1883)
  const broker = `${url.protocol}//${url.hostname}:${port}`
  const local = url.protocol === 'mqtt:' && LOCAL_HOSTS.test(url.hostname)
  return { broker, url: local ? null : broker, port, username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
}
