/** What an event is, and who hears it. */
import type { z } from 'zod'

export interface EventDefinition<P = unknown> {
  /** `noun.pastVerb`. */
  name: string
  schema: z.ZodType<P>
}
/** Defines an event of one context; payloads are ids and area only, under 2 kB. */
export const defineEvent = <P>(name: string, schema: z.ZodType<P>): EventDefinition<P> => Object.freeze({ name, schema })

/** An event as handlers are given it. A repeat has the same `id` and `seq`: whoever must not act twice remembers either. */
export interface EventEnvelope<P = unknown> {
  /** Place among all events of the installation, from 1 without gaps. */
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
/** Binds a handler to an event, for the list a consumer is made of. */
export const on = <P>(event: EventDefinition<P>, handle: (event: EventEnvelope<P>) => Promise<void> | void): Subscription => ({
  event: event as EventDefinition<unknown>,
  handle: handle as Handler,
})

export interface Consumer {
  name: string
  /**
   * `once`: on the leading node, from a stored cursor; at least once, in order. A node that dies between handling and
   * storing repeats at most one batch (500 events, or those of one second), so a handler must bear a repeat. Registered
   * for the first time it hears everything the outbox still holds.
   * `everyNode`: on each node, from the moment it starts (caches, live screens).
   */
  mode: 'once' | 'everyNode'
  handlers: readonly Subscription[]
}

export interface EventTables {
  outbox: { id: string; name: string; park_id: string; payload: unknown; seq: number | null; created_at: Date }
  outbox_head: { one: boolean; seq: number }
  event_consumer: { name: string; seq: number }
  event_failure: { consumer: string; event_id: string; seq: number; reason: string; created_at: Date }
}

/** Events a consumer is given between two stores of its cursor. */
export const EVENT_BATCH = 500
