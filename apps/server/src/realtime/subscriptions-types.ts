/** The interface of subscriptions. */
import type { WebSocket } from 'ws'
import type { Scope } from '../platform/session/session.ts'
import type { Stomp } from './stomp-types.ts'

export interface Subscription {
  socket: WebSocket
  id: string
  destination: string
  /** Whether its user sees personal data masked. */
  masking: boolean
  /** The scope of its user for this topic. */
  scope: Scope
  /** Rows of frames that were skipped because it reads slowly. */
  missed: number
  /** Distinguishes its messages from those of the connection's other subscriptions. */
  ordinal: number
  /** Messages sent to it. Counted per subscription: a gap would reveal frames for others. */
  sent: number
}
export interface Subscriptions extends Pick<Stomp, 'send' | 'hasListeners' | 'listeners'> {
  add(subscription: Subscription): void
  remove(subscription: Subscription): void
}
