/** Texts of messages about visits. */
import type { Language } from '@gatehouse/contract'
import type { MessageOccasion } from '@gatehouse/contract/visitors/messaging'

/** The text that says in the outbox what a message by a provider is about. */
export const MESSAGE_TEXTS = {
  authorisationCode: 'phoneCode',
  invite: 'visitInvitation',
  appointment: 'visitReserved',
  approve: 'visitAccepted',
  reject: 'visitRefused',
  revoke: 'visitCancelled',
} as const satisfies Record<MessageOccasion, string>

/** Return date and time on a clock of the park. */
export const shownTime = (language: Language, zone: string, instant: number): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(instant)
