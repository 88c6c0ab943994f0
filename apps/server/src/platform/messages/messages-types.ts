/** A message to a person. */
import type { MessageChannel } from '@gatehouse/contract/system/messages'
import type { MessageOccasion } from '@gatehouse/contract/visitors/messaging'

/** A text file beside an e-mail. */
export interface Attachment {
  filename: string
  contentType: string
  text: string
}

/** What a provider sends: a template of the park's account, with these values. */
export interface Template {
  parkId: string
  occasion: MessageOccasion
  /** By the names that the park's templates use, such as `code`. */
  values: Readonly<Record<string, string>>
}

export interface Message {
  channel: MessageChannel
  /** An e-mail address, a phone number, or the openid of a WeChat user. */
  to: string
  /** Subject of an e-mail. Lists show it, so it must contain no code or password. */
  subject: string
  /** Of a message by a provider: what an administrator reads in the outbox; the provider sends the template. */
  text: string
  /** The user it is about: callers who may not act on that account must not read it. Null: about no user, without secrets. */
  userId: string | null
  /** Milliseconds for which its text is useful; a week by default. */
  usefulMs?: number
  /** Of an e-mail. */
  attachments?: readonly Attachment[]
  /** Of a message by a provider. Absent: it cannot be delivered, and is kept. */
  template?: Template
}
