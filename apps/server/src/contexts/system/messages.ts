/** The outbox of e-mails and text messages, for whoever runs the installation. */
import type { Language } from '@gatehouse/contract'
import { messageCalls } from '@gatehouse/contract/system/messages'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import type { OpenTransaction } from '../../platform/database.ts'
import type { StoredMessage } from '../../platform/messages.ts'
import { InvalidRequest } from '../../platform/refusal.ts'

const TEST: Record<Language, { subject: string; text: string }> = {
  en: { subject: 'Gatehouse: test', text: 'This e-mail arrived: Gatehouse can deliver messages.' },
  'zh-CN': { subject: 'Gatehouse：测试邮件', text: '您已收到这封邮件，说明 Gatehouse 可以正常发送消息。' },
  'zh-TW': { subject: 'Gatehouse：測試郵件', text: '您已收到這封郵件，表示 Gatehouse 可以正常寄送訊息。' },
}

const withoutText = ({ text: _text, ...message }: StoredMessage): Omit<StoredMessage, 'text'> => message

export const messageHandlers = ({ messages, transaction, audit }: Platform): MountedCall[] => [
  handler(messageCalls.messages, async ({ query: { page, size, state } }) => {
    const { total, content } = await messages.list({ page, size, state })
    return { total, content: content.map(withoutText), page, size }
  }),
  handler(messageCalls.message, ({ params }) => messages.read(params.id)),
  handler(messageCalls.retryMessage, async ({ params: { id } }) => {
    const before = await messages.read(id)
    if (!(await messages.retry(id)))
      throw new InvalidRequest([{ path: '', rule: before.channel === 'email' ? 'noMail' : 'noTextMessages' }])
    const after = await messages.read(id)
    audit.note({ entity: 'message', id, label: before.subject, before: { state: before.state }, after: { state: after.state } })
    return withoutText(after)
  }),
  handler(messageCalls.testMessage, async ({ body, language }) => {
    const id = await transaction((tx) =>
      messages.send(tx as unknown as OpenTransaction, { channel: 'email', to: body.to, ...TEST[language] }),
    )
    await messages.deliver()
    const { state, reason } = await messages.read(id)
    return { id, state, reason }
  }),
]
