/** The server's connection to an external broker. */
import { randomUUID } from 'node:crypto'
import mqtt, { type MqttClient } from 'mqtt'
import type { BrokerAddress } from './address.ts'
import { BrokerUnavailable } from './types.ts'

/** Milliseconds between two attempts to connect. */
export const RECONNECT_MS = 1_000
const CONNECT_MS = 10_000

export interface BrokerClient {
  client: MqttClient
  /** Resolve when the broker has a message. @throws BrokerUnavailable while it is away */
  publish(topic: string, payload: string, qos: 0 | 1, retain?: boolean): Promise<void>
  /** Drop QoS 1 messages that the broker has not confirmed, so that they are not sent again after the next connection. */
  dropUnconfirmed(): void
}

/** Connect, and reconnect whenever the broker was away. */
export function connectToBroker({ broker, username, password }: BrokerAddress): BrokerClient {
  /** Numbers of QoS 1 messages the broker has not confirmed. */
  const unconfirmed = new Set<number>()
  const client = mqtt.connect(broker, {
    username,
    password,
    clientId: `gatehouse-${randomUUID()}`,
    clean: true,
    protocolVersion: 4,
    keepalive: 15,
    reconnectPeriod: RECONNECT_MS,
    connectTimeout: CONNECT_MS,
    reconnectOnConnackError: true,
    resubscribe: false,
    queueQoSZero: false,
  })
  return {
    client,
    publish(topic, payload, qos, retain = false) {
      // The client would store the message and send it when the broker is back.
      if (!client.connected) return Promise.reject(new BrokerUnavailable('the broker is away'))
      return new Promise((resolve, reject) => {
        let id = 0
        client.publish(topic, payload, { qos, retain }, (error) => {
          unconfirmed.delete(id)
          if (error) reject(new BrokerUnavailable('the broker went away', { cause: error }))
          else resolve()
        })
        if (qos === 0) return
        id = client.getLastMessageId()
        unconfirmed.add(id)
      })
    },
    dropUnconfirmed() {
      for (const id of unconfirmed) client.removeOutgoingMessage(id)
    },
  }
}

/** Return whether the connection closes within `ms` milliseconds. */
export function closesWithin(client: MqttClient, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const onClose = () => resolve(true)
  client.once('close', onClose)
  const timer = setTimeout(resolve, ms, false)
  return promise.finally(() => {
    clearTimeout(timer)
    client.off('close', onClose)
  })
}
