/** A device of a benchmark that is only a connection. */
import { PROTOCOL_VERSION, deviceTopics } from '@gatehouse/contract/device/protocol'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { createClient } from '@gatehouse/dev-env/client'
import { connectAsync, type MqttClient } from 'mqtt'

const VERSION = 'bench'

/** Pair and connect, receive acknowledgements, and report that it is online. @param epoch in which its records are numbered */
export async function connectDevice(url: string, { code, secret }: { code: string; secret: string }, epoch: string): Promise<MqttClient> {
  const { broker } = await createClient(url, { basic: [code, secret] }).call(deviceProtocolCalls.pair, {
    body: { protocol: PROTOCOL_VERSION, version: VERSION, modelId: '', epochs: [epoch] },
  })
  const address = broker.url ?? `mqtt://${new URL(url).hostname}:${broker.port}`
  const client = await connectAsync(address, { clientId: code, username: broker.username, password: broker.password, reconnectPeriod: 0 })
  await client.subscribeAsync(deviceTopics(code).acknowledged, { qos: 1 })
  await client.publishAsync(deviceTopics(code).status, JSON.stringify({ online: true, version: VERSION }), { qos: 1, retain: true })
  return client
}
