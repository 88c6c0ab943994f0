/** Handlers of e-mails about alarms. */
import { emailAlarmCalls } from '@gatehouse/contract/alarms/email'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { AlarmMails } from './alarm-mails.ts'
import type { AlarmSettings } from './alarm-settings.ts'

export const emailHandlers = (settings: AlarmSettings, mails: AlarmMails): MountedCall[] => [
  handler(emailAlarmCalls.read, async ({ scope }) => settings.email(scope)),
  handler(emailAlarmCalls.save, ({ scope, session, body }) => settings.saveEmail(scope, body, session.masking)),
  handler(emailAlarmCalls.unsent, ({ scope, query }) => mails.unsent(scope, query)),
]
