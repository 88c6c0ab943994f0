/** Handlers of the calls of text messages and WeChat. */
import { messagingCalls } from '@gatehouse/contract/visitors/messaging'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { Messaging } from './messaging.ts'

export const messagingHandlers = (messaging: Messaging): MountedCall[] => [
  handler(messagingCalls.readSms, async ({ scope }) => messaging.sms(scope)),
  handler(messagingCalls.changeSms, ({ scope, body }) => messaging.changeSms(scope, body)),
  handler(messagingCalls.readWechat, async ({ scope }) => messaging.wechat(scope)),
  handler(messagingCalls.changeWechat, ({ scope, body }) => messaging.changeWechat(scope, body)),
  handler(messagingCalls.test, ({ scope, body, language }) => messaging.test(scope, body, language)),
  handler(messagingCalls.occasions, async ({ scope }) => ({ sms: messaging.occasions(scope) })),
]
