/** Subscriptions of one connection, checked against the permissions of its session. */
import type { WebSocket } from 'ws'
import { mayCall } from '@gatehouse/contract/policy'
import { topics, type Topic } from '@gatehouse/contract/realtime'
import { limitedSession } from '../platform/session/device-limits.ts'
import type { Scope, Session } from '../platform/session/session.ts'
import type { Subscriptions, Subscription } from './subscriptions-types.ts'

const SUBSCRIPTIONS_MAX = 64
/** Most characters of a subscription id, which the client chooses and every frame repeats. */
const SUBSCRIPTION_ID_MAX = 64

/** Return the topic and the area code of a destination; null for an unknown one. */
function topicOf(destination: string): { topic: Topic; areaCode: string } | null {
  for (const topic of Object.values(topics) as Topic[]) {
    const [before, after] = topic.destination.split('{areaCode}') as [string, string]
    if (destination.startsWith(before) && destination.endsWith(after) && destination.length > before.length + after.length)
      return { topic, areaCode: destination.slice(before.length, destination.length - after.length) }
  }
  return null
}

/** Return the scope of a session on a destination that it may subscribe to. */
const scopeOn = (session: Session, destination: string): Scope => limitedSession(session, topicOf(destination)!.topic).scope

function mayReceive(session: Session, destination: string): boolean {
  const found = topicOf(destination)
  // Another area is refused like a missing permission, so that nothing is revealed about it.
  return found !== null && found.areaCode === session.park.areaCode && mayCall(session, found.topic)
}

export interface OwnSubscriptions {
  /** Subscribe; an id in use is replaced. @returns why it is refused; null: it is subscribed */
  subscribe(session: Session, id: string, destination: string): string | null
  unsubscribe(id: string): void
  /** Apply a changed session. @returns false if it no longer permits one of the subscriptions */
  follow(session: Session): boolean
  /** End all. */
  clear(): void
}

export function createOwnSubscriptions(socket: WebSocket, registry: Subscriptions): OwnSubscriptions {
  const subscriptions = new Map<string, Subscription>()
  /** Number of subscriptions the connection has had so far. */
  let ordinals = 0

  function unsubscribe(id: string): void {
    const subscription = subscriptions.get(id)
    if (subscription !== undefined) registry.remove(subscription)
    subscriptions.delete(id)
  }

  return {
    subscribe(session, id, destination) {
      if (!mayReceive(session, destination)) return '100510'
      unsubscribe(id)
      if (id.length > SUBSCRIPTION_ID_MAX || subscriptions.size >= SUBSCRIPTIONS_MAX) return 'unsupported'
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
      registry.add(subscription)
      return null
    },
    unsubscribe,
    follow(session) {
      for (const subscription of subscriptions.values())
        Object.assign(subscription, { masking: session.masking, scope: scopeOn(session, subscription.destination) })
      return [...subscriptions.values()].every(({ destination }) => mayReceive(session, destination))
    },
    clear() {
      for (const subscription of subscriptions.values()) registry.remove(subscription)
      subscriptions.clear()
    },
  }
}
