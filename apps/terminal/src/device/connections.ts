/** HTTP connections of three kinds: plain, to an unproven peer, and to a server whose key is known. */
import { Agent, Client, type buildConnector, type Dispatcher } from 'undici'
import { ForeignKey } from './exchange.ts'
import { openSecurely, type Peer } from './secure-socket.ts'

/** Plain http; shared by all devices of a process. */
const plain = new Agent()
/** Longest time an idle connection is kept, in milliseconds. */
const KEPT_IDLE = 60_000
const KEEP_ALIVE_AFTER = 60_000

/** @param judge throws if nothing may be sent to this peer */
function connectorOf(judge: (peer: Peer) => void): buildConnector.connector {
  return ({ hostname, port }, callback) => {
    openSecurely({ host: hostname, port: Number(port || 443), protocols: ['http/1.1'] })
      .then(({ socket, peer }) => {
        try {
          judge(peer)
        } catch (error) {
          socket.destroy()
          throw error
        }
        return socket.setKeepAlive(true, KEEP_ALIVE_AFTER)
      })
      .then(
        (socket) => callback(null, socket),
        (error: Error) => callback(error, null),
      )
  }
}

/** Where requests are sent; each connection is checked before it is used. */
export interface Connections {
  readonly dispatcher: Dispatcher
  /** Close them when the requests under way have ended. */
  close(): void
  /** Close them at once. */
  destroy(): void
}

/**
 * Return connections for confidential requests. Plain http is not checked.
 * @param keys digests of the server's keys; if empty, its certificates are verified by authorities
 */
export function connectionsTo(origin: URL, keys: readonly string[]): Connections {
  if (origin.protocol === 'http:') return { dispatcher: plain, close() {}, destroy() {} }
  const agent = new Agent({
    keepAliveMaxTimeout: KEPT_IDLE,
    connect: connectorOf(({ keyDigest, untrusted }) => {
      if (keys.length > 0 ? !keys.includes(keyDigest) : untrusted !== null) throw new ForeignKey(keyDigest)
    }),
  })
  return { dispatcher: agent, close: () => void agent.close().catch(() => {}), destroy: () => void agent.destroy().catch(() => {}) }
}

/** One connection to whatever answers, for public requests. */
export interface UnprovenConnection extends Connections {
  /** The peer; null over plain http, and before the first request. */
  peer(): Peer | null
}

/** Return a connection that opens at the first request and is never replaced, so that `peer` is the one that answered. */
export function unprovenConnection(origin: URL): UnprovenConnection {
  if (origin.protocol === 'http:') return { ...connectionsTo(origin, []), peer: () => null }
  let seen: Peer | null = null
  const client = new Client(origin, {
    connect: connectorOf((peer) => {
      if (seen !== null) throw new Error('the connection was closed')
      seen = peer
    }),
  })
  return {
    dispatcher: client,
    close: () => void client.close().catch(() => {}),
    destroy: () => void client.destroy().catch(() => {}),
    peer: () => seen,
  }
}
