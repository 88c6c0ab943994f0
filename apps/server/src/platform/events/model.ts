/** Events and their consumers. */
import type { z } from 'zod'

export interface EventDefinition<P = unknown> {
  /** `noun.pastVerb`. */
  name: string
  schema: z.ZodType<P>
}
/** Define an event of one context; payloads contain ids and area only, under 2 kB. */
export const defineEvent = <P>(name: string, schema: z.ZodType<P>): EventDefinition<P> => Object.freeze({ name, schema })

/**
 * An event as handlers receive it. A repeated event has the same `id` and `seq`, by which a handler that must not act twice can recognise
 * it.
 */
export interface EventEnvelope<P = unknown> {
  /** Position among all events of the installation, from 1 without gaps. */
  seq: number
  id: string
  name: string
  parkId: string
  payload: P
}

type Handler = (event: EventEnvelope<never>) => Promise<void> | void
export interface Subscription {
  event: EventDefinition<unknown>
  handle: Handler
}
/** Bind a handler to an event, for the handlers of a consumer. */
export const on = <P>(event: EventDefinition<P>, handle: (event: EventEnvelope<P>) => Promise<void> | void): Subscription => ({
  event: event as EventDefinition<unknown>,
  handle: handle as Handler,
})

export interface Consumer {
  name: string
  /**
   * `once`: runs on the leading node, from a stored cursor; at least once, in order. If a node dies between handling and storing, at most
   * one batch (500 events, or those of one second) is repeated, so a handler must tolerate repeats. A newly registered consumer receives
   * everything the outbox still contains. `everyNode`: runs on each node, from the moment it starts (caches, live screens).
   */
  mode: 'once' | 'everyNode'
  handlers: readonly Subscription[]
}

/** Most events delivered to a consumer between two stores of its cursor. */
export const EVENT_BATCH = 500
