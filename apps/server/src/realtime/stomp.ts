/** STOMP 1.2 over WebSocket: bearer in CONNECT, subscriptions checked against permission and area. */
import type { Server } from 'node:http'
import { FrameImpl, Parser } from '@stomp/stompjs'
import { WebSocketServer, type WebSocket } from 'ws'
import { mayCall } from '@gatehouse/contract/policy'
import { REALTIME_ENDPOINT, topics, type Topic } from '@gatehouse/contract/realtime'
import { limitedSession } from '../platform/session/device-limits.ts'
import type { NoSession, Scope, Session } from '../platform/session/session.ts'
import { FRAME_LIMIT, type LiveFrame } from './frame.ts'

const HEARTBEAT_MS = 10_000
/** Bytes kept in memory for a client that reads slowly; rows that come meanwhile are counted for it instead. */
const WAITING_LIMIT = 4 * FRAME_LIMIT
/** Whoever asks on and on without reading the answers is cut off. */
const ANSWERS_LIMIT = 4 * WAITING_LIMIT
const SUBSCRIPTIONS_MAX = 64
/** A client's own word, which every frame to it repeats. */
const SUBSCRIPTION_ID_MAX = 64

/** How often a connection is looked at again though nothing was heard of its session: a token runs out by itself. */
const LOOK_AGAIN_MS = 60_000

/** Who is connected, and what becomes of them. */
export interface StompSessions {
  session(token: string): Promise<Session | NoSession>
  /** What has become of a session, whatever its tokens are by now. */
  again(tokenId: string): Promise<Session | NoSession>
  /** Called when a session ended or changed; null: any of them may have. */
  onChange(listener: (tokenId: string | null) => void): void
}

interface Subscription {
  socket: WebSocket
  id: string
  destination: string
  /** Whether its user sees personal data masked. */
  masking: boolean
  /** What exists for its user, as far as the topic is concerned. */
  scope: Scope
  /** Rows of frames it read too slowly for. */
  missed: number
  /** Tells its messages from those of other subscriptions of the connection. */
  ordinal: number
  /** Messages it was sent. Counted for each: a gap would tell of frames that were for others. */
  sent: number
}

export interface Stomp {
  /**
   * Sends everyone subscribed to a destination the frame of what exists for them. Whoever still has earlier ones to read is not sent it: its
   * rows are counted in a later one. An empty frame goes only to those who are owed such a count.
   * @returns whether somebody is still owed one
   */
  send(destination: string, frameFor: (listener: Scope) => LiveFrame): boolean
  hasListeners(destination: string): boolean
  /** What exists for each of them. */
  listeners(destination: string): Scope[]
  stop(): Promise<void>
}

const textOf = (command: string, headers: Record<string, string>, body = ''): string =>
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

const NO_SESSION: Record<NoSession, string> = { unknown: '100412', expired: '40120', disabled: '901' }

export function serveStomp(server: Server, sessions: StompSessions): Stomp {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_LIMIT,
    handleProtocols: (offered) => (offered.has('v12.stomp') ? 'v12.stomp' : false),
  })
  const byDestination = new Map<string, Set<Subscription>>()
  /** Looks at the sessions of all connections again, or at one. */
  const watchers = new Set<(tokenId: string | null) => Promise<void>>()

  // One change after the other, one connection after the other: a role many hold must not ask for all of them at once.
  let looking = Promise.resolve()
  sessions.onChange((tokenId) => {
    looking = looking.then(async () => {
      for (const look of watchers) await look(tokenId)
    })
  })

  server.on('upgrade', (request, socket, head) => {
    if (request.url?.split('?')[0] !== REALTIME_ENDPOINT) return socket.destroy()
    sockets.handleUpgrade(request, socket, head, (opened) => attend(opened))
  })

  function drop(subscription: Subscription): void {
    const set = byDestination.get(subscription.destination)
    set?.delete(subscription)
    if (set?.size === 0) byDestination.delete(subscription.destination)
  }

  function attend(socket: WebSocket): void {
    let session: Session | null = null
    let asked = false
    const subscriptions = new Map<string, Subscription>()
    /** Subscriptions it has had so far. */
    let ordinals = 0
    let lastHeard = performance.now()
    /** Bytes of a frame that has not come to its end. */
    let unfinished = 0
    let lookedAt = performance.now()

    // Whoever has not shown a session within that time is silent, whatever it sends.
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
      // Whoever is no longer allowed hears nothing more, however slowly the connection closes.
      for (const subscription of subscriptions.values()) drop(subscription)
      subscriptions.clear()
      socket.close()
    }
    const confirm = ({ receipt }: Record<string, string>) => {
      if (receipt !== undefined) answer('RECEIPT', { 'receipt-id': receipt })
    }
    function leave(id: string): void {
      const subscription = subscriptions.get(id)
      if (subscription !== undefined) drop(subscription)
      subscriptions.delete(id)
    }

    /** What exists for a session on a destination it may hear. */
    const scopeOn = (of: Session, destination: string): Scope => limitedSession(of, topicOf(destination)!.topic).scope

    const mayHear = (destination: string): boolean => {
      const found = topicOf(destination)
      // A foreign area answers like a missing right: nothing is told about it.
      return session !== null && found !== null && found.areaCode === session.park.areaCode && mayCall(session, found.topic)
    }

    /** Ends the connection where its session has ended, or no longer allows what it listens to. */
    async function lookAgain(tokenId: string | null): Promise<void> {
      if (session === null || (tokenId !== null && tokenId !== session.tokenId)) return
      lookedAt = performance.now()
      // A database that is away says nothing about a session: the next look will.
      const found = await sessions.again(session.tokenId).catch(() => null)
      if (found === null) return
      if (typeof found === 'string') return fail(NO_SESSION[found])
      session = found
      for (const subscription of subscriptions.values())
        Object.assign(subscription, { masking: found.masking, scope: scopeOn(found, subscription.destination) })
      if ([...subscriptions.values()].some(({ destination }) => !mayHear(destination))) fail('100510')
    }

    async function connect(headers: Record<string, string>): Promise<void> {
      if (asked) return fail('connected already')
      asked = true
      const token = (headers['Authorization'] ?? headers['authorization'] ?? '').replace(/^Bearer /i, '')
      const found = await sessions.session(token)
      if (typeof found === 'string') return fail(NO_SESSION[found])
      // Gone meanwhile: nobody would take it off the watchers again.
      if (socket.readyState !== socket.OPEN) return
      session = found
      watchers.add(lookAgain)
      answer('CONNECTED', { version: '1.2', 'heart-beat': `${HEARTBEAT_MS},${HEARTBEAT_MS}` })
    }

    function subscribe(headers: Record<string, string>): void {
      const { id = '', destination = '' } = headers
      if (session === null || !mayHear(destination)) return fail('100510')
      // The same id again takes the place of what it named before.
      leave(id)
      if (id.length > SUBSCRIPTION_ID_MAX || subscriptions.size >= SUBSCRIPTIONS_MAX) return fail('unsupported')
      const subscription = {
        socket,
        id,
        destination,
        masking: session.masking,
        scope: scopeOn(session, destination),
        missed: 0,
        ordinal: ++ordinals,
        sent: 0,
      }
      subscriptions.set(id, subscription)
      let set = byDestination.get(destination)
      if (set === undefined) byDestination.set(destination, (set = new Set()))
      set.add(subscription)
      confirm(headers)
    }

    function take(command: string, headers: Record<string, string>): void {
      // What still arrives of a client that is being closed changes nothing.
      if (socket.readyState !== socket.OPEN) return
      if (command === 'CONNECT' || command === 'STOMP') connect(headers).catch(() => fail('500'))
      else if (session === null) fail('100412')
      else if (command === 'SUBSCRIBE') subscribe(headers)
      else if (command === 'UNSUBSCRIBE') leave(headers['id'] ?? '')
      else if (command === 'DISCONNECT') {
        confirm(headers)
        socket.close()
      } else fail('unsupported')
    }

    const parser = new Parser(
      (raw) => {
        unfinished = 0
        const { command, headers } = FrameImpl.fromRawFrame(raw, true)
        take(command, headers as Record<string, string>)
      },
      () => {
        unfinished = 0
      },
    )
    socket.on('message', (data: Buffer) => {
      lastHeard = performance.now()
      // Before it is read: a frame in many pieces is no longer than one in a single piece.
      unfinished += data.length
      if (unfinished > 2 * FRAME_LIMIT) return fail('frame too large')
      try {
        parser.parseChunk(data.toString())
      } catch {
        fail('malformed frame')
      }
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      clearInterval(beat)
      watchers.delete(lookAgain)
      for (const subscription of subscriptions.values()) drop(subscription)
      subscriptions.clear()
    })
  }

  return {
    send(destination, frameFor) {
      let isOwed = false
      for (const subscription of byDestination.get(destination) ?? []) {
        const { socket, id, masking, scope, missed } = subscription
        const { count, body } = frameFor(scope)
        if (socket.bufferedAmount >= WAITING_LIMIT) {
          subscription.missed += count
          isOwed ||= subscription.missed > 0
          continue
        }
        if (count + missed === 0) continue
        const message = `${subscription.ordinal}-${++subscription.sent}`
        const headers = { subscription: id, 'message-id': message, destination, 'content-type': 'application/json' }
        socket.send(textOf('MESSAGE', headers, body(missed, masking)))
        subscription.missed = 0
      }
      return isOwed
    },
    hasListeners: (destination) => byDestination.has(destination),
    listeners: (destination) => [...(byDestination.get(destination) ?? [])].map(({ scope }) => scope),
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate()
        sockets.close(() => resolve())
      }),
  }
}
