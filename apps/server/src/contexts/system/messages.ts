/** The outbox of e-mails and messages by providers, for the people who run the installation. */
import type { Language } from '@gatehouse/contract'
import { mask, type MaskKind } from '@gatehouse/contract/masking'
import { messageCalls, type MessageChannel, type OutgoingMessage } from '@gatehouse/contract/system/messages'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import type { StoredMessage } from '../../platform/messages/messages.ts'
import { InvalidRequest, forbid } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import { canReadMessage, canReadMessagesToUsers, messageAbilities } from './policy.ts'

export interface MessageDependencies {
  /** Return those of these users on whose accounts the caller may act. */
  coveredUsers(session: Session, userIds: readonly string[]): Promise<ReadonlySet<string>>
}

const TEST: Record<Language, { subject: string; text: string }> = {
  en: { subject: 'Gatehouse: test', text: 'This e-mail arrived: Gatehouse can deliver messages.' },
  'zh-CN': { subject: 'Gatehouse：测试邮件', text: '您已收到这封邮件，说明 Gatehouse 可以正常发送消息。' },
  'zh-TW': { subject: 'Gatehouse：測試郵件', text: '您已收到這封郵件，表示 Gatehouse 可以正常寄送訊息。' },
}

const MASKS: Record<MessageChannel, MaskKind> = { email: 'email', sms: 'phone', miniProgram: 'idNumber', officialAccount: 'idNumber' }

export function messageHandlers({ messages, transaction, audit }: Platform, { coveredUsers }: MessageDependencies): MountedCall[] {
  /** Return a function that says which of these messages the caller may read. */
  async function readableOf(session: Session, stored: readonly StoredMessage[]): Promise<(message: StoredMessage) => boolean> {
    const ids = canReadMessagesToUsers(session) ? stored.flatMap(({ userId }) => userId ?? []) : []
    const covered = await coveredUsers(session, [...new Set(ids)])
    return (message) => canReadMessage(session, message, covered)
  }

  function presented({ hasText, canLeave, ...stored }: StoredMessage, readable: boolean): OutgoingMessage {
    const message = { ...stored, can: messageAbilities({ hasText, canLeave }, readable) }
    if (readable) return { ...message, textState: hasText ? 'readable' : 'gone' }
    const to = mask(MASKS[message.channel], message.to)
    // Mail servers and providers repeat the address they refuse.
    const reason = message.reason?.replaceAll(message.to, to) ?? null
    return { ...message, to, subject: '', userId: null, reason, textState: 'withheld' }
  }

  /** Return a message that the session may read. @throws Refusal 100510 where its text is withheld */
  async function demandReadable(session: Session, id: string): Promise<StoredMessage> {
    const message = await messages.read(id)
    if (!(await readableOf(session, [message]))(message)) forbid()
    return message
  }

  return [
    handler(messageCalls.messages, async ({ session, query: { page, size, state } }) => {
      const { total, content } = await messages.list({ page, size, state })
      const isReadable = await readableOf(session, content)
      return { total, content: content.map((message) => presented(message, isReadable(message))), page, size }
    }),
    handler(messageCalls.message, async ({ session, params: { id } }) => {
      const message = await demandReadable(session, id)
      const text = await messages.textOf(id)
      return { ...presented({ ...message, hasText: text !== null }, true), text }
    }),
    handler(messageCalls.retryMessage, async ({ session, params: { id } }) => {
      const before = await demandReadable(session, id)
      const fault = await messages.retry(id)
      if (fault !== null) throw new InvalidRequest([{ path: '', rule: fault }])
      const after = await messages.read(id)
      audit.note({ entity: 'message', id, label: before.subject, before: { state: before.state }, after: { state: after.state } })
      return presented(after, true)
    }),
    handler(messageCalls.testMessage, async ({ body, language }) => {
      const id = await transaction((tx) => messages.send(tx, { channel: 'email', to: body.to, userId: null, ...TEST[language] }))
      await messages.deliver()
      const { state, reason } = await messages.read(id)
      return { id, state, reason }
    }),
  ]
}
