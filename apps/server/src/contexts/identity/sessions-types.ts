/** What sessions offer. */
import type { NoSession, Session } from '../../platform/session/session.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Tokens } from '@gatehouse/contract/identity/calls'
import type * as data from './token-data.ts'

export type OwnerKey = { userId: string } | { clientId: string }
/** Owner of the tokens, and park in which the session starts. */

export interface Grant {
  owner: OwnerKey
  parkId: string
  ip?: string
  agent?: string
  /**
   * Seconds; by default those of the console: a user's session ends a fixed number of hours after the login, however often it is refreshed.
   */
  accessSeconds?: number
  refreshSeconds?: number
  /** Seconds for which the session counts as confirmed by the password; by default none. */
  confirmedSeconds?: number
}
export interface Sessions {
  issue(tx: Transaction, grant: Grant): Promise<Tokens>
  /**
   * Replace both tokens. A refresh token that was replaced before returns the same tokens again while these are unused: the answer was
   * lost. Once they were used, it ends its session: one of its two holders is not the user who logged in.
   *
   * @param clientId client whose credentials were sent: an API user's token is refreshed by that API user, a user's by the console
   * @returns new tokens, or why there are none
   */
  refresh(refreshToken: string, clientId: string): Promise<Tokens | 'unknown' | 'disabled'>
  session(token: string): Promise<Session | NoSession>
  /** Return the current state of a session, whatever its tokens are by now; not from the cache. */
  again(tokenId: string): Promise<Session | NoSession>
  /** Prolong a session. @returns seconds for which it is valid from now on */
  keep(session: Session): Promise<number>
  /** Note that the user has typed the password again. @returns end of the confirmation in epoch milliseconds */
  confirm(session: Pick<Session, 'tokenId'>): Promise<number>
  /** Return whether the session is confirmed by the password; not from the cache, since another node may have received the confirmation. */
  isConfirmed(session: Pick<Session, 'tokenId'>): Promise<boolean>
  revoke(session: Pick<Session, 'tokenId' | 'park'>): Promise<void>
  /** End all sessions of an owner but one. @returns how many */
  revokeAll(owner: OwnerKey, except: string | null): Promise<number>
  /** The same within a transaction; call `forgetOwners` once it is committed. */
  revokeAllIn(tx: Transaction, owner: OwnerKey, except: string | null): Promise<number>
  /** Return the open sessions of a user. */
  openOf(userId: string): Promise<data.OpenToken[]>
  move(session: Session, parkId: string): Promise<void>
  /** Announce to all nodes that the permissions of these owners must be read again; absent: all owners. */
  refreshOwners(tx: Transaction, ownerIds?: readonly string[]): Promise<void>
  /** Run a change of these owners, which applies to their sessions at once, on every node. */
  changing(ownerIds: readonly string[], work: (tx: Transaction) => Promise<void>): Promise<void>
  forgetToken(tokenId: string): void
  forgetOwners(ownerIds?: readonly string[]): void
  /** Call with the id of each token that ended or changed, so that live connections are checked again; null: any may have. */
  onChange(listener: (tokenId: string | null) => void): void
  dropExpired(): Promise<number>
}
