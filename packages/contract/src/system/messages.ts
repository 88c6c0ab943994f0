/** Messages sent by e-mail, text message and WeChat, or kept because nothing delivers them. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { USER_TEXT_MAX } from '../limits.ts'
import { masked } from '../masking.ts'
import { abilities, created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { rule } from '../validation.ts'

const call = callsOf('system')

/** How messages leave: by the mail server of the installation, or by a provider at which a park has an account. */
export const MESSAGE_CHANNELS = ['email', 'sms', 'miniProgram', 'officialAccount'] as const
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number]

export const messageState = z.enum(['waiting', 'sent', 'failed', 'kept'])
export type MessageState = z.output<typeof messageState>

/**
 * Whether the caller may read the text of a message. `gone`: it was delivered, or is not needed any more, and the text was deleted.
 * `withheld`: it is about the caller, or about a user with more permissions than the caller; for callers with masked personal data, every
 * message is withheld.
 */
export const messageText = z.enum(['readable', 'gone', 'withheld'])
export type MessageText = z.output<typeof messageText>

export const outgoingMessage = z.object({
  id,
  channel: z.enum(MESSAGE_CHANNELS),
  /** An e-mail address, a phone number or the openid of a WeChat user; masked if the text is withheld. */
  to: masked('email', z.string()),
  /** Contains no code and no password; empty if the text is withheld. */
  subject: z.string(),
  /** The user whom it is about; null if there is none, or the text is withheld. */
  userId: id.nullable(),
  textState: messageText,
  /** `kept`: nothing is configured that delivers it. */
  state: messageState,
  attempts: z.number().int(),
  /** Why the last attempt failed, in the words of the mail server or provider. */
  reason: z.string().nullable(),
  createdAt: instant,
  sentAt: instant.nullable(),
  /** Time of the next attempt of a waiting message. */
  nextAt: instant.nullable(),
  can: abilities('read', 'retry'),
})
export type OutgoingMessage = z.output<typeof outgoingMessage>

export const messageCalls = {
  messages: call({
    method: 'GET',
    service: 'biz',
    path: '/system/message/list',
    permission: 'installation',
    besides: ['system.base'],
    summary: 'Outgoing messages of the last week, newest first, without their texts; of those that are withheld, what became of them.',
    query: pageQuery.extend({ state: messageState.optional() }),
    data: pageData(outgoingMessage),
    origin: 'own',
  }),
  message: call({
    method: 'GET',
    service: 'biz',
    path: '/system/message/{id}',
    permission: 'installation',
    besides: ['system.base'],
    freshPassword: true,
    summary:
      'One message with its text, which may hold a code or a first password; refused where the text is withheld, null where it is gone.',
    params: idParams,
    data: outgoingMessage.extend({ text: z.string().nullable() }),
    errors: [100510],
    origin: 'own',
  }),
  retryMessage: call({
    method: 'POST',
    service: 'biz',
    path: '/system/message/{id}/retry',
    permission: 'installation',
    besides: ['system.base'],
    summary:
      'Tries again at once what failed, waits or was kept; refused where nothing here delivers it, the text is gone, or it is withheld.',
    params: idParams,
    data: outgoingMessage,
    errors: [100510],
    origin: 'own',
  }),
  testMessage: call({
    method: 'POST',
    service: 'biz',
    path: '/system/message/test',
    permission: 'installation',
    besides: ['system.base'],
    summary: 'Sends an e-mail that says it arrived; the answer tells what became of it.',
    body: z.object({
      to: masked(
        'email',
        z
          .string()
          .trim()
          .min(1)
          .max(USER_TEXT_MAX)
          .refine((value) => /^[^\s@*]+@[^\s@]+\.[^\s@.]+$/.test(value), rule('email')),
      ),
    }),
    data: created.extend({ state: messageState, reason: z.string().nullable() }),
    origin: 'own',
  }),
}
