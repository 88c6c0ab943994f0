/** One connection of a live screen: its session, its subscriptions, and its heartbeat. */
import type { WebSocket } from 'ws'
import type { NoSession, Session } from '../platform/session/session.ts'
import { createOwnSubscriptions } from './own-subscriptions.ts'
import { createFrameReader, textOf } from './stomp-frames.ts'
import type { StompSessions } from './stomp-types.ts'
import { WAITING_LIMIT } from './subscriptions.ts'
import type { Subscriptions } from './subscriptions-types.ts'

const HEARTBEAT_MS = 10_000
/** Bytes of unread answers at which a client that keeps sending is disconnected. */
const ANSWERS_LIMIT = 4 * WAITING_LIMIT
/** Milliseconds between checks of a session without any report of a change: a token expires by itself. */
const LOOK_AGAIN_MS = 60_000

const NO_SESSION: Record<NoSession, string> = { unknown: '100412', expired: '40120', disabled: '901' }

/** Checks the session of a connection again. @param tokenId the session that changed; null: any */
export type Watcher = (tokenId: string | null) => Promise<void>

export interface ConnectionParts {
  sessions: StompSessions
  registry: Subscriptions
  watchers: Set<Watcher>
}

/** Serve a connection until it ends. */
export function serveConnection(socket: WebSocket, { sessions, registry, watchers }: ConnectionParts): void {
  let session: Session | null = null
  let isConnecting = false
  const subscriptions = createOwnSubscriptions(socket, registry)
  let lastHeard = performance.now()
  let lookedAt = performance.now()

  // A client without a session by then counts as silent, whatever it sends.
  const beat = setInterval(() => {
    if (session === null || performance.now() - lastHeard > HEARTBEAT_MS * 3) return socket.terminate()
    if (performance.now() - lookedAt > LOOK_AGAIN_MS) void lookAgain(null)
    if (socket.bufferedAmount < WAITING_LIMIT) socket.send('\n')
  }, HEARTBEAT_MS)

  function answer(command: string, headers: Record<string, string>): void {
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > ANSWERS_LIMIT) return socket.terminate()
    socket.send(textOf(command, headers))
  }
  const fail = (message: string) => {
    answer('ERROR', { message })
    // A client that lost its permission receives nothing more, however slowly the connection closes.
    subscriptions.clear()
    socket.close()
  }
  const confirm = ({ receipt }: Record<string, string>) => {
    if (receipt !== undefined) answer('RECEIPT', { 'receipt-id': receipt })
  }

  /** End the connection if its session has ended, or no longer permits its subscriptions. */
  async function lookAgain(tokenId: string | null): Promise<void> {
    if (session === null || (tokenId !== null && tokenId !== session.tokenId)) return
    lookedAt = performance.now()
    // While the database is away the session is unknown; the next check will tell.
    const found = await sessions.again(session.tokenId).catch(() => null)
    if (found === null) return
    if (typeof found === 'string') return fail(NO_SESSION[found])
    session = found
    if (!subscriptions.follow(found)) fail('100510')
  }

  async function connect(headers: Record<string, string>): Promise<void> {
    if (isConnecting) return fail('connected already')
    isConnecting = true
    const token = (headers['Authorization'] ?? headers['authorization'] ?? '').replace(/^Bearer /i, '')
    const found = await sessions.session(token)
    if (typeof found === 'string') return fail(NO_SESSION[found])
    // Closed meanwhile: the watcher would never be removed.
    if (socket.readyState !== socket.OPEN) return
    session = found
    watchers.add(lookAgain)
    answer('CONNECTED', { version: '1.2', 'heart-beat': `${HEARTBEAT_MS},${HEARTBEAT_MS}` })
  }

  function subscribe(current: Session, headers: Record<string, string>): void {
    const { id = '', destination = '' } = headers
    const refusal = subscriptions.subscribe(current, id, destination)
    if (refusal === null) confirm(headers)
    else fail(refusal)
  }

  function take(command: string, headers: Record<string, string>): void {
    // Frames of a connection that is being closed are ignored.
    if (socket.readyState !== socket.OPEN) return
    if (command === 'CONNECT' || command === 'STOMP') connect(headers).catch(() => fail('500'))
    else if (session === null) fail('100412')
    else if (command === 'SUBSCRIBE') subscribe(session, headers)
    else if (command === 'UNSUBSCRIBE') subscriptions.unsubscribe(headers['id'] ?? '')
    else if (command === 'DISCONNECT') {
      confirm(headers)
      socket.close()
    } else fail('unsupported')
  }

  const read = createFrameReader(take, fail)
  socket.on('message', (data: Buffer) => {
    lastHeard = performance.now()
    read(data)
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    clearInterval(beat)
    watchers.delete(lookAgain)
    subscriptions.clear()
  })
}
