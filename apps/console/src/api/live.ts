/** The live connection: STOMP over a websocket, one for the whole console, up while the shell stands. */
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

/** When the server was last heard of, in epoch milliseconds; by an event, or by the sign of life it gives every few seconds. */
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
      // A refused refresh is spoken of by the next call; until then the connection simply stays down.
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

/** Holds the connection while mounted; a change of the area connects again. */
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
 * Receives the frames of a topic while the page is visible: `useLive(topics.accessRecord, ({ rows, more }) => …, [{ queryKey }])`.
 * A session without the topic's permission receives nothing; a frame that does not fit the topic is left out.
 * @param kept what the frames keep true: read again where it begins to listen, as what happened before came in no frame
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
      // What a page reads as it appears is asked after it listens; what it asked before there was a connection may have been answered then.
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
