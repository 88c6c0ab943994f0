/** What each way of delivering messages has in common: by the mail server, or by a provider at which a park has an account. */
import type { MessageOccasion, WechatFields } from '@gatehouse/contract/visitors/messaging'
import { singlePoint } from '../extension-points.ts'
import type { Message } from './messages-types.ts'

/** A message as it leaves. */
export type Outgoing = Pick<Message, 'to' | 'subject' | 'text' | 'attachments' | 'template'>

export interface Carrier {
  /** Whether messages like this can leave now: what they need is set up. */
  carries(message: Pick<Outgoing, 'template'>): boolean
  /**
   * Hand a message over.
   * @param id of the message, the same at each attempt
   * @throws Undelivered; any other error counts as one that may pass
   */
  send(id: string, message: Outgoing): Promise<void>
  stop(): void
}

/** A message was not accepted. */
export class Undelivered extends Error {
  override readonly name = 'Undelivered'
  /** Whether another attempt is useless: the same message is refused again until somebody changes something. */
  readonly isFinal: boolean

  /** @param reason in the provider's words, without secrets */
  constructor(reason: string, isFinal: boolean) {
    super(reason)
    this.isFinal = isFinal
  }
}

/** An account at the provider of text messages. */
export interface SmsAccount {
  accessKey: string
  secret: string
  signature: string
  /** The template of the occasion. */
  template: string
}

/** A mini program or official account. */
export interface WechatAccount {
  app: string
  secret: string
  template: string
  keywords: WechatFields['miniProgramKeywords']
}
export type WechatKind = 'miniProgram' | 'officialAccount'

/** The accounts by which parks send messages, with their secrets, as they are set up now. */
export interface ProviderAccounts {
  /** Null: text messages of this occasion are not set up. */
  sms(parkId: string, occasion: MessageOccasion): SmsAccount | null
  /** Null: not set up. */
  wechat(parkId: string, kind: WechatKind): WechatAccount | null
}

export const providerAccounts = singlePoint<ProviderAccounts>('platform.providerAccounts')
