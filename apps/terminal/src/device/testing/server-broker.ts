/** The broker of the terminal's test server, and its handling of the device's messages. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { Aedes } from 'aedes'
import { answerMessage } from '@gatehouse/contract/device/protocol-commands'
import { deviceTopics } from '@gatehouse/contract/device/protocol'
import { recordsMessage, type RecordObject } from '@gatehouse/contract/device/protocol-records'
import { statusMessage } from '@gatehouse/contract/device/protocol-status'
import type { TestCertificate } from './certificates.ts'
import { DEVICE } from './objects.ts'
import type { TestServer, TestServerParts } from './server-types.ts'

/** Credentials sent when pairing; they differ from the device's own. */
export const BROKER = { username: DEVICE.code, password: 'broker secret' }

export const topics = deviceTopics(DEVICE.code)

/** Start the broker on a free port of the loopback. */
export async function startBroker(brokerTls: TestCertificate | undefined): Promise<{ aedes: Aedes; mqtt: Server }> {
  const aedes = await Aedes.createBroker()
  aedes.authenticate = (_client, username, password, done) => {
    const accepted = username === BROKER.username && password?.toString() === BROKER.password
    done(accepted ? null : Object.assign(new Error('refused'), { returnCode: 5 as const }), accepted)
  }
  const mqtt: Server = brokerTls
    ? createTlsServer({ key: brokerTls.key, cert: brokerTls.certificate }, aedes.handle)
    : createServer(aedes.handle)
  mqtt.listen(0, '127.0.0.1')
  await once(mqtt, 'listening')
  return { aedes, mqtt }
}

/** Return the number up to which all records of an epoch are stored. */
export function storedOf(server: TestServer, epoch: string): number {
  const numbers = server.records.get(epoch)
  let ackSeq = 0
  while (numbers?.has(ackSeq + 1)) ackSeq++
  return ackSeq
}

export interface Messages {
  publish(topic: string, message: unknown): void
  acknowledge(epoch: string): void
}

/** Receive the messages of the device, and send it others. */
export function exchangeMessages({ aedes, server }: TestServerParts): Messages {
  const publish = (topic: string, message: unknown) =>
    aedes.publish({ cmd: 'publish', topic, payload: Buffer.from(JSON.stringify(message)), qos: 1, retain: false, dup: false }, () => {})
  const acknowledge = (epoch: string) => publish(topics.acknowledged, { epoch, ackSeq: storedOf(server(), epoch) })

  aedes.on('publish', (packet, client) => {
    if (!client && packet.topic !== topics.status) return
    const message = () => JSON.parse(packet.payload.toString())
    if (packet.topic === topics.status) {
      const status = statusMessage.parse(message())
      server().statuses.push(status)
      if (status.held) server().audience.calls.push('status with held')
      if (status.online) server().changed()
    }
    if (packet.topic === topics.answer) server().answers.push(answerMessage.parse(message()))
    if (packet.topic === topics.records) {
      const { epoch, records, ...rest } = recordsMessage.parse(message())
      server().batches.push({ epoch, ...rest })
      const numbers = server().records.get(epoch) ?? new Map<number, RecordObject>()
      server().records.set(epoch, numbers)
      for (const record of records) {
        server().arrivals.push({ epoch, seq: record.seq })
        numbers.set(record.seq, record)
      }
      if (server().acknowledging) acknowledge(epoch)
    }
  })

  return { publish, acknowledge }
}
