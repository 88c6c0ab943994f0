/** What was sent to people by e-mail and text message, or would have been. */
import { z } from 'zod'
import { call } from '../call.ts'
import { USER_TEXT_MAX } from '../limits.ts'
import { masked } from '../masking.ts'
import { created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { rule } from '../validation.ts'

export const messageState = z.enum(['waiting', 'sent', 'failed', 'kept'])
export type MessageState = z.output<typeof messageState>

export const outgoingMessage = z.object({
  id,
  channel: z.enum(['email', 'sms']),
  /** An e-mail address or phone number. */
  to: masked('email', z.string()),
  subject: z.string(),
  /** `kept`: nothing here delivers it. */
  state: messageState,
  attempts: z.number().int(),
  /** Why the last attempt failed, in the words of the mail server. */
  reason: z.string().nullable(),
  createdAt: instant,
  sentAt: instant.nullable(),
  /** When a waiting one is tried next. */
  nextAt: instant.nullable(),
})
export type OutgoingMessage = z.output<typeof outgoingMessage>

export const messageCalls = {
  messages: call({
    method: 'GET',
    service: 'biz',
    path: '/system/message/list',
    permission: 'installation',
    summary: 'Outgoing messages of the last week, newest first, without their texts.',
    query: pageQuery.extend({ state: messageState.optional() }),
    data: pageData(outgoingMessage),
    origin: 'own',
  }),
  message: call({
    method: 'GET',
    service: 'biz',
    path: '/system/message/{id}',
    permission: 'installation',
    summary: 'One message with its text, which may hold a code or a first password.',
    params: idParams,
    data: outgoingMessage.extend({ text: z.string() }),
    origin: 'own',
  }),
  retryMessage: call({
    method: 'POST',
    service: 'biz',
    path: '/system/message/{id}/retry',
    permission: 'installation',
    summary: 'Tries again at once what failed, waits or was kept; refused where nothing here delivers it.',
    params: idParams,
    data: outgoingMessage,
    origin: 'own',
  }),
  testMessage: call({
    method: 'POST',
    service: 'biz',
    path: '/system/message/test',
    permission: 'installation',
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
