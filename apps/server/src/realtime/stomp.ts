/** STOMP 1.2 over WebSocket: bearer in CONNECT, subscriptions checked against permission and area. */
import type { Server } from 'node:http'
import { FrameImpl, Parser } from '@stomp/stompjs'
import { WebSocketServer, type WebSocket } from 'ws'
import { REALTIME_ENDPOINT, topics, type Topic } from '@gatehouse/contract/realtime'
import { mayCall } from '../platform/policy.ts'
import type { Authenticator, Session } from '../platform/session.ts'

const HEARTBEAT_MS = 10_000
export const FRAME_LIMIT = 16_384

interface Subscription {
  socket: WebSocket
  id: string
  destination: string
}

export interface Stomp {
  /** Sends a body to everyone subscribed to a destination; answers how many. */
  send(destination: string, body: string): number
  hasListeners(destination: string): boolean
  stop(): Promise<void>
}

const frame = (command: string, headers: Record<string, string>, body = ''): string =>
  String(FrameImpl.marshall({ command, headers, body, escapeHeaderValues: true }))

/** The topic a destination belongs to, and its area. */
function topicOf(destination: string): { topic: Topic; areaCode: string } | null {
  for (const topic of Object.values(topics) as Topic[]) {
    const [before, after] = topic.destination.split('{areaCode}') as [string, string]
    if (destination.startsWith(before) && destination.endsWith(after) && destination.length > before.length + after.length)
      return { topic, areaCode: destination.slice(before.length, destination.length - after.length) }
  }
  return null
}

export function serveStomp(server: Server, authenticator: Authenticator): Stomp {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_LIMIT, handleProtocols: (offered) => (offered.has('v12.stomp') ? 'v12.stomp' : false) })
  const byDestination = new Map<string, Set<Subscription>>()

  server.on('upgrade', (request, socket, head) => {
    if (new URL(request.url ?? '/', 'http://local').pathname !== REALTIME_ENDPOINT) return socket.destroy()
    sockets.handleUpgrade(request, socket, head, (opened) => attend(opened))
  })

  function attend(socket: WebSocket): void {
    let session: Session | null = null
    const subscriptions = new Map<string, Subscription>()
    let lastHeard = Date.now()
    let beat: NodeJS.Timeout | undefined

    const fail = (message: string) => {
      socket.send(frame('ERROR', { message }))
      socket.close()
    }
    const drop = (subscription: Subscription) => {
      const set = byDestination.get(subscription.destination)
      set?.delete(subscription)
      if (set?.size === 0) byDestination.delete(subscription.destination)
    }

    async function connect(headers: Record<string, string>): Promise<void> {
      const token = (headers['Authorization'] ?? headers['authorization'] ?? '').replace(/^Bearer /i, '')
      const found = await authenticator.session(token)
      if (typeof found === 'string') return fail(found === 'expired' ? '40120' : '100412')
      session = found
      socket.send(frame('CONNECTED', { version: '1.2', 'heart-beat': `${HEARTBEAT_MS},${HEARTBEAT_MS}` }))
      beat = setInterval(() => {
        if (Date.now() - lastHeard > HEARTBEAT_MS * 3) return socket.terminate()
        socket.send('\n')
      }, HEARTBEAT_MS)
    }

    function subscribe(headers: Record<string, string>): void {
      const { id = '', destination = '' } = headers
      const found = topicOf(destination)
      // A foreign area answers like a missing right: nothing is told about it.
      if (session === null || found === null || found.areaCode !== session.park.areaCode || !mayCall(session, found.topic.permission))
        return fail('100510')
      const subscription = { socket, id, destination }
      subscriptions.set(id, subscription)
      let set = byDestination.get(destination)
      if (set === undefined) byDestination.set(destination, (set = new Set()))
      set.add(subscription)
      if (headers['receipt'] !== undefined) socket.send(frame('RECEIPT', { 'receipt-id': headers['receipt'] }))
    }

    const parser = new Parser(
      (raw) => {
        const { command, headers } = FrameImpl.fromRawFrame(raw, true)
        const known = headers as Record<string, string>
        if (command === 'CONNECT' || command === 'STOMP') connect(known).catch(() => fail('500'))
        else if (session === null) fail('100412')
        else if (command === 'SUBSCRIBE') subscribe(known)
        else if (command === 'UNSUBSCRIBE') {
          const subscription = subscriptions.get(known['id'] ?? '')
          if (subscription !== undefined) drop(subscription)
          subscriptions.delete(known['id'] ?? '')
        } else if (command === 'DISCONNECT') {
          if (known['receipt'] !== undefined) socket.send(frame('RECEIPT', { 'receipt-id': known['receipt'] }))
          socket.close()
        } else fail('unsupported')
      },
      () => {},
    )
    socket.on('message', (data) => {
      lastHeard = Date.now()
      try {
        parser.parseChunk(data.toString())
      } catch {
        fail('malformed frame')
      }
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      clearInterval(beat)
      for (const subscription of subscriptions.values()) drop(subscription)
    })
  }

  let number = 0
  return {
    send(destination, body) {
      const set = byDestination.get(destination)
      if (set === undefined) return 0
      const message = `${++number}`
      for (const { socket, id } of set)
        socket.send(frame('MESSAGE', { subscription: id, 'message-id': message, destination, 'content-type': 'application/json' }, body))
      return set.size
    },
    hasListeners: (destination) => byDestination.has(destination),
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate()
        sockets.close(() => resolve())
      }),
  }
}
