/** Access rules of the embedded broker: who may connect, what devices may publish, and what they receive. */
import { TLSSocket } from 'node:tls'
import type { Aedes, Client } from 'aedes'
import { deviceTopics } from '@gatehouse/contract/device/protocol'
import type { Logger } from '../log.ts'
import type { DeviceSessions } from './embedded-sessions.ts'

/** Bytes a device may leave unread before it is disconnected. */
const MOST_UNREAD = 1024 * 1024
/** Without a keepalive a session would stay open for ever after a cable was cut. */
const LONGEST_KEEPALIVE_SECONDS = 300
const MOST_SUBSCRIPTIONS = 16
/** MQTT 3.1.1: server unavailable; the device tries again. */
const UNAVAILABLE = 3

export interface GuardParts {
  log: Logger
  sessions: DeviceSessions
  /** Whether devices must present a certificate with their code as the common name. */
  needsCertificate: boolean
  isStopped(): boolean
  /** Handle a message of a device; its next message waits for that. */
  take(topic: string, payload: Buffer): Promise<void>
}

/** Install the access rules of a broker. */
export function guardBroker(aedes: Aedes, { log, sessions, needsCertificate, isStopped, take }: GuardParts): void {
  let connections = 0

  /** Return whether a connection has a certificate for the code, where one is required. */
  function isCertified(client: Client, code: string): boolean {
    if (!needsCertificate) return true
    const socket: unknown = client.conn
    if (!(socket instanceof TLSSocket)) return false
    return socket.getPeerCertificate().subject?.CN === code
  }

  aedes.preConnect = (client, packet, done) => {
    const refusal = refusalOf(packet.keepalive ?? 0, packet.will, packet.username)
    if (refusal !== null) return done(new Error(refusal), false)
    // The broker identifies sessions by client id. A generated id keeps a device from replacing another one, or from using a property
    // name of the language. No session state is stored: changes are sent again after each status.
    packet.clientId = `connection-${++connections}`
    packet.clean = true
    done(null, true)
  }

  aedes.authenticate = (client, username, password, done) => {
    const presented = password?.toString('utf8') ?? ''
    // No code contains NUL, and the database cannot look it up.
    if (username?.includes('\0') === true) return done(null, false)
    sessions.isOpenedBy(username ?? '', presented).then(
      (isOpened) => {
        // A device does not retry after a refusal, so while the server stops it is told to come again.
        if (isStopped()) return done(unavailable(), false)
        if (!isOpened || client.closed || !isCertified(client, username!)) return done(null, false)
        sessions.open(client, username!, presented)
        done(null, true)
      },
      (error: unknown) => {
        log.error({ err: error, device: username }, 'a device could not be let in')
        done(unavailable(), false)
      },
    )
  }

  // The broker's first hook for a message, and the only one that still sees those of a device in their order: later stages take different
  // times for different kinds.
  aedes.authorizePublish = (client, packet, done) => {
    const session = client === null ? undefined : sessions.of(client)
    if (session === undefined || session.isOver) return done(new Error('no session'))
    if (!packet.topic.startsWith(`gatehouse/1/${session.code}/up/`)) return done(new Error('not a topic of this device'))
    if (packet.qos === 2) return done(new Error('QoS 2 is not offered'))
    if (packet.retain && packet.topic !== session.topics.status) return done(new Error('only the status is retained'))
    // Only the server may read a status, and it has received it now.
    packet.retain = false
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload
    take(packet.topic, payload).then(
      () => done(null),
      (error: unknown) => {
        log.error({ err: error, topic: packet.topic }, 'a message of a device was not handled')
        done(null)
      },
    )
  }

  // A refused subscription is answered with 0x80 and keeps the connection, as on other brokers.
  aedes.authorizeSubscribe = (client, subscription, done) => {
    const session = sessions.of(client)
    const isOwn =
      session !== undefined && subscription.topic.startsWith(`gatehouse/1/${session.code}/down/`) && subscription.topic.length <= 128
    if (!isOwn || (session.subscriptions.size >= MOST_SUBSCRIPTIONS && !session.subscriptions.has(subscription.topic)))
      return done(null, null)
    session.subscriptions.add(subscription.topic)
    done(null, subscription)
  }

  aedes.authorizeForward = (client, packet) => {
    const session = sessions.of(client)
    if (session === undefined || session.isOver) return null
    if (client.conn.writableLength <= MOST_UNREAD) return packet
    log.warn({ device: session.code }, 'a device does not read what it is told; its connection is ended')
    client.conn.destroy()
    return null
  }
}

const unavailable = () => Object.assign(new Error('unavailable'), { returnCode: UNAVAILABLE })

/** Return why a connection is refused before authentication; null where it is not. */
function refusalOf(keepalive: number, will: { topic: string; qos?: number } | undefined, username: string | undefined): string | null {
  if (keepalive < 1 || keepalive > LONGEST_KEEPALIVE_SECONDS) return `keepalive must be 1 to ${LONGEST_KEEPALIVE_SECONDS} seconds`
  if (username === undefined) return 'no account was named'
  if (will === undefined) return null
  return will.topic === deviceTopics(username).status && (will.qos ?? 0) < 2 ? null : 'a last will other than the status'
}
