/** How a park sends text messages and WeChat messages: its accounts at the providers, on every node in memory, secrets encrypted. */
import type { DataOf, Language, OutputOf } from '@gatehouse/contract'
import {
  MESSAGE_OCCASIONS,
  smsFields,
  templateField,
  wechatFields,
  type MessageOccasion,
  type messagingCalls,
  type SmsFields,
  type SmsSettings,
  type WechatFields,
  type WechatSettings,
} from '@gatehouse/contract/visitors/messaging'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { ProviderAccounts } from '../../platform/messages/carrier.ts'
import type { Scope } from '../../platform/session/session.ts'
import { mailText } from '../../platform/texts.ts'
import { defineSetting, type Setting, type Settings } from '../organisation/index.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import { MESSAGE_TEXTS, shownTime } from './message-texts.ts'

const NO_KEYWORDS: WechatFields['miniProgramKeywords'] = { park: '', time: '', state: '' }

const smsSetting = defineSetting<SmsFields>(
  'visitors.sms',
  smsFields,
  {
    uid: '',
    accessKey: '',
    secret: '',
    signature: '',
    authorisationCodeTemplate: '',
    inviteTemplate: '',
    appointmentTemplate: '',
    approveTemplate: '',
    rejectTemplate: '',
    revokeTemplate: '',
  },
  ['secret'],
)
const wechatSetting = defineSetting<WechatFields>(
  'visitors.wechat',
  wechatFields,
  {
    miniProgramApp: '',
    miniProgramSecret: '',
    miniProgramTemplate: '',
    miniProgramKeywords: NO_KEYWORDS,
    officialAccountApp: '',
    officialAccountSecret: '',
    officialAccountTemplate: '',
    officialAccountKeywords: NO_KEYWORDS,
  },
  ['miniProgramSecret', 'officialAccountSecret'],
)

type SmsChange = OutputOf<(typeof messagingCalls)['changeSms']['body']>
type WechatChange = OutputOf<(typeof messagingCalls)['changeWechat']['body']>
type Test = OutputOf<(typeof messagingCalls)['test']['body']>

export interface Messaging {
  accounts: ProviderAccounts
  sms(scope: Scope): SmsSettings
  /** @throws Conflict */
  changeSms(scope: Scope, change: SmsChange): Promise<SmsSettings>
  wechat(scope: Scope): WechatSettings
  /** @throws Conflict */
  changeWechat(scope: Scope, change: WechatChange): Promise<WechatSettings>
  /** Send a message with sample values. @throws InvalidRequest where this is not set up */
  test(scope: Scope, test: Test, language: Language): Promise<DataOf<(typeof messagingCalls)['test']>>
  /** Return the occasions on which visitors are sent text messages. */
  occasions(scope: Scope): MessageOccasion[]
}

/** What a trial shows in place of a code, and of the page of a visit. */
const SAMPLE = { code: '123456', link: 'https://example.org/visit' }

const isComplete = (account: Record<string, unknown>): boolean => Object.values(account).every((value) => value !== '')

export function createMessaging(
  { messages, transaction, clock }: Pick<Platform, 'messages' | 'transaction' | 'clock'>,
  settings: Settings,
  { organisation }: Pick<VisitorsDependencies, 'organisation'>,
): Messaging {
  const accounts: ProviderAccounts = {
    sms(parkId, occasion) {
      const fields = settings.read(parkId, smsSetting)
      const { accessKey, secret, signature } = fields
      const account = { accessKey, secret, signature, template: fields[templateField(occasion)] }
      return isComplete(account) ? account : null
    },
    wechat(parkId, kind) {
      const fields = settings.read(parkId, wechatSetting)
      const account = { app: fields[`${kind}App`], secret: fields[`${kind}Secret`], template: fields[`${kind}Template`] }
      return isComplete(account) ? { ...account, keywords: fields[`${kind}Keywords`] } : null
    },
  }

  /** @param change secrets that are null are removed */
  function write<T extends object>(
    { parkId }: Scope,
    setting: Setting<T>,
    { version, ...change }: { [Field in keyof T]?: T[Field] | null | undefined } & { version?: number | undefined },
  ): Promise<void> {
    const values = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== null)) as Partial<T>
    const removed = setting.secrets.filter((field) => (change as Partial<Record<string, unknown>>)[field] === null)
    return settings.write(parkId, setting, values, version, removed)
  }

  function sms({ parkId }: Scope): SmsSettings {
    const { secret: _, ...shown } = settings.show(parkId, smsSetting)
    return shown
  }

  function wechat({ parkId }: Scope): WechatSettings {
    const { miniProgramSecret: _, officialAccountSecret: __, ...shown } = settings.show(parkId, wechatSetting)
    return shown
  }

  return {
    accounts,
    sms,
    async changeSms(scope, change) {
      await write(scope, smsSetting, change)
      return sms(scope)
    },
    wechat,
    async changeWechat(scope, change) {
      await write(scope, wechatSetting, change)
      return wechat(scope)
    },
    async test(scope, { channel, to, occasion }, language) {
      const { parkId } = scope
      if (!messages.carries(channel, { parkId, occasion })) throw new InvalidRequest([{ path: 'occasion', rule: 'notSetUp' }])
      const { name: park, zone } = organisation.park(scope)
      const time = shownTime(language, zone, clock.now())
      const { text, subject: state } = mailText(language, MESSAGE_TEXTS[occasion], { ...SAMPLE, park, time, hours: '2', minutes: '10' })
      const isCode = channel === 'sms' && occasion === 'authorisationCode'
      const values: Record<string, string> = isCode ? { code: SAMPLE.code } : { park, time, state, link: SAMPLE.link }
      const template = { parkId, occasion, values }
      const id = await transaction((tx) => messages.send(tx, { channel, to, subject: '', text, userId: null, template }))
      await messages.deliver()
      const { state: outcome, reason } = await messages.read(id)
      return { id, state: outcome, reason }
    },
    occasions: ({ parkId }) =>
      MESSAGE_OCCASIONS.filter((occasion) => occasion !== 'authorisationCode' && accounts.sms(parkId, occasion) !== null),
  }
}
