/** Text messages and WeChat of a park: the accounts at their providers, and the templates by which messages leave. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { masked } from '../masking.ts'
import { changeOf, created } from '../schema.ts'
import { messageState } from '../system/messages.ts'
import { secret } from '../unkept.ts'
import { rule } from '../validation.ts'

const call = callsOf('visitors')

/** What a message by a provider is about; a provider sends each by a template of its own. */
export const MESSAGE_OCCASIONS = ['authorisationCode', 'invite', 'appointment', 'approve', 'reject', 'revoke'] as const
export type MessageOccasion = (typeof MESSAGE_OCCASIONS)[number]

/** Characters of a setting, at most. */
export const MESSAGING_TEXT_MAX = 128

const word = z
  .string()
  .trim()
  .max(MESSAGING_TEXT_MAX)
  .refine((value) => !/\s/.test(value), rule('noBlanks'))
const hidden = secret(z.string().max(MESSAGING_TEXT_MAX))

export const smsFields = z.object({
  /** Number of the account at the provider, which its support asks for; no message needs it. */
  uid: word,
  accessKey: word,
  /** Of the access key. Secrets are never returned: they are empty in answers. */
  secret: hidden,
  /** Name that the messages begin with, as the provider has approved it. */
  signature: z.string().trim().max(MESSAGING_TEXT_MAX),
  /** Templates; messages of an occasion without one are not sent. */
  authorisationCodeTemplate: word,
  inviteTemplate: word,
  appointmentTemplate: word,
  approveTemplate: word,
  rejectTemplate: word,
  revokeTemplate: word,
})
export type SmsFields = z.output<typeof smsFields>

/** The template of the text messages of an occasion. */
export const templateField = <Occasion extends MessageOccasion>(occasion: Occasion) => `${occasion}Template` as const

const keyword = word.refine((value) => value === '' || /^[A-Za-z][A-Za-z0-9_]*$/.test(value), rule('invalid'))
/** Names that a template gives to what it shows, such as `thing1`; empty: it does not show this. */
const keywords = z.object({ park: keyword, time: keyword, state: keyword })

export const wechatFields = z.object({
  /** App ids, which WeChat issues. */
  miniProgramApp: word,
  miniProgramSecret: hidden,
  miniProgramTemplate: word,
  miniProgramKeywords: keywords,
  officialAccountApp: word,
  officialAccountSecret: hidden,
  officialAccountTemplate: word,
  officialAccountKeywords: keywords,
})
export type WechatFields = z.output<typeof wechatFields>

const shown = { version: z.number().int(), /** Secrets that are set. */ secretsSet: z.array(z.string()) }
const ofChange = { version: z.number().int().optional() }
/** Absent or empty: unchanged; null: removed. */
const changedSecret = hidden.nullish()

const smsSettings = smsFields.omit({ secret: true }).extend(shown)
export type SmsSettings = z.output<typeof smsSettings>
const wechatSettings = wechatFields.omit({ miniProgramSecret: true, officialAccountSecret: true }).extend(shown)
export type WechatSettings = z.output<typeof wechatSettings>

const base = { service: 'visitor', permission: 'visitor.mp.setting', origin: 'own' } as const

const readSms = call({
  ...base,
  method: 'GET',
  path: '/visitor/messaging/sms',
  summary: 'How the current park sends text messages, without secrets.',
  data: smsSettings,
})
const readWechat = call({
  ...base,
  method: 'GET',
  path: '/visitor/messaging/wechat',
  summary: 'How the current park sends messages by WeChat, without secrets.',
  data: wechatSettings,
})

/** An e-mail is tried in the message outbox. */
export const PROVIDER_CHANNELS = ['sms', 'miniProgram', 'officialAccount'] as const
export type ProviderChannel = (typeof PROVIDER_CHANNELS)[number]

export const messagingCalls = {
  readSms,
  changeSms: call({
    ...base,
    method: 'PUT',
    path: '/visitor/messaging/sms',
    summary: 'Changes how the current park sends text messages; what is left out, and a secret that is empty, stays as it was.',
    record: readSms,
    body: changeOf(smsFields.omit({ secret: true })).extend({ secret: changedSecret, ...ofChange }),
    data: smsSettings,
  }),
  readWechat,
  changeWechat: call({
    ...base,
    method: 'PUT',
    path: '/visitor/messaging/wechat',
    summary: 'Changes how the current park sends messages by WeChat; what is left out, and a secret that is empty, stays as it was.',
    record: readWechat,
    body: changeOf(wechatFields.omit({ miniProgramSecret: true, officialAccountSecret: true })).extend({
      miniProgramSecret: changedSecret,
      officialAccountSecret: changedSecret,
      ...ofChange,
    }),
    data: wechatSettings,
  }),
  test: call({
    ...base,
    method: 'POST',
    path: '/visitor/messaging/test',
    perAddress: { requests: 30, minutes: 15 },
    summary: 'Sends a message with sample values by the settings as they are stored; the answer tells what became of it.',
    body: z.object({
      channel: z.enum(PROVIDER_CHANNELS),
      /** A phone number, or the openid of a WeChat user. */
      to: masked(
        'phone',
        z
          .string()
          .trim()
          .min(1)
          .max(64)
          .refine((value) => /^\+?[\w-]+$/.test(value), rule('invalid')),
      ),
      /** Whose template is used. WeChat has one for all of them. */
      occasion: z.enum(MESSAGE_OCCASIONS),
    }),
    data: created.extend({ state: messageState, reason: z.string().nullable() }),
  }),
  occasions: call({
    ...base,
    method: 'GET',
    path: '/visitor/messaging/occasion',
    permission: 'visitor.temporary.edit',
    summary: 'Occasions on which the current park sends visitors text messages.',
    data: z.object({ sms: z.array(z.enum(MESSAGE_OCCASIONS)) }),
  }),
}
