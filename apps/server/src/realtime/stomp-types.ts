/** The interface of the STOMP server, and the sessions that its connections belong to. */
import type { NoSession, Scope, Session } from '../platform/session/session.ts'
import type { LiveFrame } from './frame.ts'

/** Access to the sessions of connections. */

export interface StompSessions {
  session(token: string): Promise<Session | NoSession>
  /** Return the present state of a session, even if its tokens have changed. */
  again(tokenId: string): Promise<Session | NoSession>
  /** Set the function that is called when a session ended or changed; null: any session may have. */
  onChange(listener: (tokenId: string | null) => void): void
}
export interface Stomp {
  /**
   * Send each subscriber of a destination the frame for its scope. A subscriber that still has earlier frames to read is not sent it: its
   * rows are counted in a later one. An empty frame goes only to subscribers who are owed such a count.
   * @returns whether a subscriber is still owed one
   */
  send(destination: string, frameFor: (listener: Scope) => LiveFrame): boolean
  hasListeners(destination: string): boolean
  /** Return the scopes of the subscribers of a destination. */
  listeners(destination: string): Scope[]
  stop(): Promise<void>
}
