/** The outbox of e-mails and text messages, for whoever runs the installation. */
import type { Language } from '@gatehouse/contract'
import { userCalls } from '@gatehouse/contract/identity/users'
import { mask } from '@gatehouse/contract/masking'
import { mayCall } from '@gatehouse/contract/policy'
import { messageCalls, type OutgoingMessage } from '@gatehouse/contract/system/messages'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import type { OpenTransaction } from '../../platform/database/database.ts'
import type { StoredMessage } from '../../platform/messages/messages.ts'
import { InvalidRequest, forbid } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'

export interface MessageDependencies {
  /** Those of these users on whose accounts the caller may act. */
  coveredUsers(session: Session, userIds: readonly string[]): Promise<ReadonlySet<string>>
}

const TEST: Record<Language, { subject: string; text: string }> = {
  en: { subject: 'Gatehouse: test', text: 'This e-mail arrived: Gatehouse can deliver messages.' },
  'zh-CN': { subject: 'Gatehouse：测试邮件', text: '您已收到这封邮件，说明 Gatehouse 可以正常发送消息。' },
  'zh-TW': { subject: 'Gatehouse：測試郵件', text: '您已收到這封郵件，表示 Gatehouse 可以正常寄送訊息。' },
}

/** Of a message about nobody, such as one from before messages named their user, it cannot be told what it holds. */
const seesAll = ({ circumstances }: Session): boolean => circumstances.atRoot && circumstances.roleSign === 'admin'

export function messageHandlers({ messages, transaction, audit }: Platform, { coveredUsers }: MessageDependencies): MountedCall[] {
  /** Which of these messages the caller may read: a code or first password of somebody else is that account, so it takes what resetting the password takes. */
  async function readableOf(session: Session, stored: readonly StoredMessage[]): Promise<(message: StoredMessage) => boolean> {
    if (session.masking) return () => false
    const ids = mayCall(session, userCalls.resetPassword) ? stored.flatMap(({ userId }) => userId ?? []) : []
    const covered = await coveredUsers(session, [...new Set(ids)])
    // Nobody needs a code of their own here: whoever has the session only must not get the password by it.
    return ({ userId }) => (userId === null ? seesAll(session) : userId !== session.userId && covered.has(userId))
  }

  function presented({ hasText, ...message }: StoredMessage, readable: boolean): OutgoingMessage {
    if (readable) return { ...message, textState: hasText ? 'readable' : 'gone' }
    const to = mask(message.channel === 'email' ? 'email' : 'phone', message.to)
    // Mail servers repeat the address they refuse.
    const reason = message.reason?.replaceAll(message.to, to) ?? null
    return { ...message, to, subject: '', userId: null, reason, textState: 'withheld' }
  }

  /** @throws Refusal 100510 where its text is withheld */
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
      const id = await transaction((tx) =>
        messages.send(tx as unknown as OpenTransaction, { channel: 'email', to: body.to, userId: null, ...TEST[language] }),
      )
      await messages.deliver()
      const { state, reason } = await messages.read(id)
      return { id, state, reason }
    }),
  ]
}
