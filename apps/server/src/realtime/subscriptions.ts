/** The subscriptions of each destination, and sending to them. */
import { FRAME_LIMIT } from './frame.ts'
import { textOf } from './stomp-frames.ts'
import type { Subscription, Subscriptions } from './subscriptions-types.ts'

/** Bytes kept in memory for a client that reads slowly; further rows are only counted for it. */
export const WAITING_LIMIT = 4 * FRAME_LIMIT

export function createSubscriptions(): Subscriptions {
  const byDestination = new Map<string, Set<Subscription>>()
  return {
    add(subscription) {
      const { destination } = subscription
      let set = byDestination.get(destination)
      if (set === undefined) byDestination.set(destination, (set = new Set()))
      set.add(subscription)
    },
    remove(subscription) {
      const set = byDestination.get(subscription.destination)
      set?.delete(subscription)
      if (set?.size === 0) byDestination.delete(subscription.destination)
    },
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
  }
}
