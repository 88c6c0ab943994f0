/** The live connection: STOMP over a websocket, one for the whole console, open while the shell is mounted. */
import type { Client, StompSubscription } from '@stomp/stompjs'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { create } from 'zustand'
import { SOCKET_HEARTBEAT_IN, SOCKET_HEARTBEAT_OUT, SOCKET_RECONNECT } from '@gatehouse/contract'
import { REALTIME_ENDPOINT, type Topic, type TopicPayload } from '@gatehouse/contract/realtime'
import { readAgain, type CachedQueries } from './query.ts'
import { check } from './schema.ts'
import { useMayCall, useSession } from './session.ts'
import { freshToken } from './tokens.ts'

export type LiveState = 'connecting' | 'connected' | 'disconnected'
export const useLiveState = create<{ state: LiveState }>(() => ({ state: 'connecting' }))

/** When the server last sent an event or one of its regular heartbeats; epoch milliseconds. */
export const useLastContact = create<{ at: number | undefined }>(() => ({ at: undefined }))
const noteContact = (): void => useLastContact.setState({ at: Date.now() })

interface Subscription {
  destination: string
  receive: (body: string) => void
  active?: StompSubscription
}
const subscriptions = new Set<Subscription>()
let client: Client | undefined

const setState = (state: LiveState): void => useLiveState.setState({ state })
const open = (subscription: Subscription): void => {
  if (!client?.connected) return
  subscription.active = client.subscribe(subscription.destination, ({ body }) => {
    noteContact()
    subscription.receive(body)
  })
}

async function connect(): Promise<Client> {
  const { Client } = await import('@stomp/stompjs')
  return new Client({
    brokerURL: new URL(REALTIME_ENDPOINT, window.location.href.replace(/^http/, 'ws')).href,
    heartbeatIncoming: SOCKET_HEARTBEAT_IN,
    heartbeatOutgoing: SOCKET_HEARTBEAT_OUT,
    reconnectDelay: SOCKET_RECONNECT,
    beforeConnect: async (self) => {
      // A refused refresh is reported by the next call; until then the connection stays closed.
      const token = await freshToken().catch(() => undefined)
      self.connectHeaders = { Authorization: `Bearer ${token ?? ''}` }
    },
    onHeartbeatReceived: noteContact,
    onConnect: () => {
      noteContact()
      setState('connected')
      for (const subscription of subscriptions) open(subscription)
    },
    onWebSocketClose: () => setState('disconnected'),
  })
}

/** Keep the connection open while mounted; a change of the area connects again. */
export function useLiveConnection(areaCode: string | undefined): void {
  useEffect(() => {
    if (!areaCode) return
    let stopped = false
    setState('connecting')
    void connect().then((connected) => {
      if (stopped) return
      client = connected
      client.activate()
    })
    return () => {
      stopped = true
      void client?.deactivate()
      client = undefined
    }
  }, [areaCode])
}

/**
 * Receive the frames of a topic while the component is mounted: `useLive(topics.accessRecord, ({ rows, more }) => …, [{ queryKey }])`.
 * A session without the topic's permission receives nothing; a frame that does not match the topic is ignored.
 * @param kept queries that the frames keep up to date: read again when listening starts, since earlier changes came in no frame
 */
export function useLive<T extends Topic>(topic: T, receive: (payload: TopicPayload<T>) => void, kept: readonly CachedQueries[]): void {
  const cache = useQueryClient()
  const areaCode = useSession(({ park }) => park?.areaCode)
  const allowed = useMayCall(topic)
  const onFrame = useEffectEvent((body: string) => {
    const frame = check(topic.payload, JSON.parse(body))
    if ('data' in frame) receive(frame.data as TopicPayload<T>)
  })
  const connected = useLiveState(({ state }) => state === 'connected')
  const stands = useRef(false)
  const onListening = useEffectEvent(() => {
    for (const queries of kept) {
      // A page sends its first reads after it listens, so reads in progress are recent enough. Without a connection at that time, they may
      // have been answered before it listened.
      if (stands.current) void readAgain(cache, queries)
      else void cache.invalidateQueries(queries, { cancelRefetch: false })
    }
  })
  const { destination } = topic
  useEffect(() => {
    if (!areaCode || !allowed) return
    const subscription: Subscription = { destination: destination.replace('{areaCode}', areaCode), receive: (body) => onFrame(body) }
    subscriptions.add(subscription)
    open(subscription)
    return () => {
      subscriptions.delete(subscription)
      if (client?.connected) subscription.active?.unsubscribe()
    }
  }, [areaCode, allowed, destination])
  useEffect(() => {
    if (connected && allowed) onListening()
  }, [connected, allowed])
  useEffect(() => {
    stands.current = true
    return () => {
      stands.current = false
    }
  }, [])
}
