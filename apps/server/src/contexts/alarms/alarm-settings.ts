/** What a park sets for its alarms: how long bubbles stay, and to whom alarms are sent by e-mail. */
import type { z } from 'zod'
import type { DataOf, Language, OutputOf } from '@gatehouse/contract'
import type { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { ALARM_CONFIG_DEFAULT, alarmConfig, type AlarmConfig } from '@gatehouse/contract/alarms/config'
import { emailAlarmFields, type EmailAlarm, type emailAlarmCalls } from '@gatehouse/contract/alarms/email'
import { alarmLevel, alarmSound } from '@gatehouse/contract/enums/alarms'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest, forbid } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { defineSetting, type Settings } from '../organisation/index.ts'
import { checkedAddresses, unmasked } from './addresses.ts'
import { enumWord } from './alarm-words.ts'
import { maySetAlarms } from './policy.ts'

const configSetting = defineSetting<AlarmConfig>('alarms.config', alarmConfig, ALARM_CONFIG_DEFAULT)

type EmailFields = z.output<typeof emailAlarmFields>
const emailSetting = defineSetting<EmailFields>('alarms.email', emailAlarmFields, {
  enabled: false,
  emails: [],
  language: 'zh-CN',
  minLevel: alarmLevel.medium,
  groupMinutes: 10,
  budgetPerHour: 20,
})

type StoredConfig = DataOf<(typeof alarmsCalls)['config']>

export interface AlarmSettings {
  config(scope: Scope): StoredConfig
  /** @throws Conflict */
  saveConfig(scope: Scope, change: OutputOf<(typeof alarmsCalls)['saveConfig']['body']>): Promise<StoredConfig>
  sounds(language: Language): DataOf<(typeof alarmsCalls)['sounds']>
  email(scope: Scope): EmailAlarm
  /**
   * @param masking addresses may have come back masked
   * @throws Conflict; Refusal 1200001, 1200002; InvalidRequest where nobody would be sent anything
   */
  saveEmail(scope: Scope, change: OutputOf<(typeof emailAlarmCalls)['save']['body']>, masking: boolean): Promise<EmailAlarm>
}

export function createAlarmSettings({ messages }: Pick<Platform, 'messages'>, settings: Settings): AlarmSettings {
  function config({ parkId }: Scope): StoredConfig {
    const { secretsSet: _, ...shown } = settings.show(parkId, configSetting)
    return shown
  }

  function email({ parkId }: Scope): EmailAlarm {
    const { secretsSet: _, ...shown } = settings.show(parkId, emailSetting)
    return { ...shown, delivers: messages.delivers }
  }

  return {
    config,
    async saveConfig(scope, { version, ...change }) {
      if (!maySetAlarms(scope)) forbid()
      await settings.write(scope.parkId, configSetting, change, version)
      return config(scope)
    },
    sounds: (language) => alarmSound.values.map((value) => ({ value, name: enumWord(language, alarmSound.name, value) })),
    email,
    async saveEmail(scope, { version, emails, ...change }, masking) {
      if (!maySetAlarms(scope)) forbid()
      const before = email(scope)
      const checked = emails && checkedAddresses(masking ? unmasked(emails, before.emails) : emails)
      const after = { enabled: change.enabled ?? before.enabled, emails: checked ?? before.emails }
      if (after.enabled && after.emails.length === 0) throw new InvalidRequest([{ path: 'emails', rule: 'required' }])
      await settings.write(scope.parkId, emailSetting, { ...change, emails: checked }, version)
      return email(scope)
    },
  }
}
