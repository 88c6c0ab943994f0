/** Messages of devices from an external broker, limited to what the server can process. */
import { UPLINK_PATTERN } from '@gatehouse/contract/device/protocol'
import type { MqttClient } from 'mqtt'
import type { Logger } from '../log.ts'
import type { DynamicSecurity } from './mosquitto.ts'
import type { MessageHandler } from './types.ts'

/** Most messages being handled; beyond it no further one is taken from the broker. */
const MOST_UNDER_WAY = 500

export interface Uplink {
  setHandler(handler: MessageHandler): void
  /** Subscribe if there is a handler: retained statuses arrive with the subscription. */
  listen(): Promise<void>
  /** Deliver no further messages. */
  stop(): void
}

export function createUplink(client: MqttClient, security: Pick<DynamicSecurity, 'answers' | 'take'>, log: Logger): Uplink {
  let handler: MessageHandler | null = null
  let isStopped = false
  let underWay = 0
  /** Acknowledgements of messages that wait for room. */
  const pending: (() => void)[] = []

  client.on('message', (topic, payload) => {
    if (topic === security.answers) return security.take(payload)
    if (payload.length === 0 || handler === null || isStopped) return
    const work = handler(topic, payload)
    if (work === undefined) return
    underWay++
    work
      .catch((error: unknown) => log.error({ err: error, topic }, 'a message of a device was not handled'))
      .finally(() => {
        underWay--
        while (underWay < MOST_UNDER_WAY && pending.length > 0) pending.shift()!()
      })
  })
  client.handleMessage = (_packet, done) => {
    if (underWay < MOST_UNDER_WAY) done()
    else pending.push(() => done())
  }

  return {
    setHandler(newHandler) {
      handler = newHandler
    },
    async listen() {
      if (handler !== null && client.connected) await client.subscribeAsync(UPLINK_PATTERN, { qos: 1 })
    },
    stop() {
      isStopped = true
    },
  }
}
