/** Which messages of the outbox a session may read, besides what a call's permission says. */
import { userCalls } from '@gatehouse/contract/identity/users'
import { mayCall } from '@gatehouse/contract/policy'
import type { OutgoingMessage } from '@gatehouse/contract/system/messages'
import type { StoredMessage } from '../../platform/messages/messages.ts'
import type { Session } from '../../platform/session/session.ts'

/** Return whether the session may read messages to users it covers: a code or first password in a message gives access to the account. */
export const canReadMessagesToUsers = (session: Session): boolean => mayCall(session, userCalls.resetPassword)

/**
 * Return whether the session may read a message. Messages to its own user are refused: users do not need their own codes here, and a person
 * who has only the session must not obtain the password by it. The content of a message without a user is unknown, such as of one from
 * before messages named their user.
 * @param covered users on whose accounts the session may act
 */
export function canReadMessage(session: Session, { userId }: Pick<StoredMessage, 'userId'>, covered: ReadonlySet<string>): boolean {
  if (session.masking) return false
  if (userId === null) return session.circumstances.atRoot && session.circumstances.roleSign === 'admin'
  return userId !== session.userId && covered.has(userId)
}

/** Return what may be done with a message. */
export const messageAbilities = (
  { hasText, canLeave }: Pick<StoredMessage, 'hasText' | 'canLeave'>,
  isReadable: boolean,
): OutgoingMessage['can'] => ({ read: isReadable, retry: isReadable && hasText && canLeave })
