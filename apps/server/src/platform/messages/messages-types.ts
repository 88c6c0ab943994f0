/** A message to a person. */

export interface Message {
  channel: 'email' | 'sms'
  /** An e-mail address or phone number. */
  to: string
  /** Subject of an e-mail. Lists show it, so it must contain no code or password. */
  subject: string
  text: string
  /** The user it is about: callers who may not act on that account must not read it. Null: about no user, without secrets. */
  userId: string | null
  /** Milliseconds for which its text is useful; a week by default. */
  usefulMs?: number
}
