/** Accounts as their administrators see them. */
import type { Language } from '@gatehouse/contract'
import type { User } from '@gatehouse/contract/identity/users'
import type { Session } from '../../platform/session/session.ts'
import type { UserRow } from './users-data.ts'

export interface UserRows {
  /** Return accounts as calls answer them, in the order of their rows. */
  present(session: Session, rows: readonly UserRow[], language: Language): Promise<User[]>
  /** Return an account in the caller's part of the tree. @throws NotFound */
  visible(session: Session, id: string): Promise<UserRow>
  /**
   * Return an account that the caller may act on. With a new password the caller could take the account over, so it may have no more
   * permissions than theirs. @throws NotFound; Refusal 100510
   */
  actedOn(session: Session, id: string): Promise<UserRow>
}
