/** STOMP 1.2 over WebSocket: a bearer token in CONNECT, subscriptions checked against permission and area. */
import type { Server } from 'node:http'
import { WebSocketServer } from 'ws'
import { REALTIME_ENDPOINT } from '@gatehouse/contract/realtime'
import { createTurns } from '../platform/async/turns.ts'
import { serveConnection, type Watcher } from './connection.ts'
import { FRAME_LIMIT } from './frame.ts'
import { createSubscriptions } from './subscriptions.ts'
import type { Stomp, StompSessions } from './stomp-types.ts'

export function serveStomp(server: Server, sessions: StompSessions): Stomp {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_LIMIT,
    handleProtocols: (offered) => (offered.has('v12.stomp') ? 'v12.stomp' : false),
  })
  const registry = createSubscriptions()
  const watchers = new Set<Watcher>()

  // One change and one connection at a time: a change of a role with many users must not look up all their sessions at once.
  const turns = createTurns()
  sessions.onChange((tokenId) => {
    void turns.during('sessions', async () => {
      for (const look of watchers) await look(tokenId)
    })
  })

  server.on('upgrade', (request, socket, head) => {
    if (request.url?.split('?')[0] !== REALTIME_ENDPOINT) return socket.destroy()
    sockets.handleUpgrade(request, socket, head, (opened) => serveConnection(opened, { sessions, registry, watchers }))
  })

  return {
    send: registry.send,
    hasListeners: registry.hasListeners,
    listeners: registry.listeners,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate()
        sockets.close(() => resolve())
      }),
  }
}
