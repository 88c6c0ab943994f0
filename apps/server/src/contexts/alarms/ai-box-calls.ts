/** Handlers of alarms of AI boxes. */
import { aiBoxCalls } from '@gatehouse/contract/alarms/ai-box'
import { aiBoxDeviceCalls } from '@gatehouse/contract/device/ai-box'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { AiBoxAlarms, AiBoxReceiving } from './ai-box-types.ts'

export const aiBoxHandlers = (alarms: AiBoxAlarms, receiving: AiBoxReceiving): MountedCall[] => [
  handler(aiBoxDeviceCalls.event, ({ device, body, ip }) => receiving.receive(device, body, ip)),
  handler(aiBoxCalls.range, ({ scope }) => alarms.cameras(scope)),
  handler(aiBoxCalls.level, async ({ language }) => alarms.levels(language)),
  handler(aiBoxCalls.event, ({ scope, language }) => alarms.events(scope, language)),
  handler(aiBoxCalls.list, ({ scope, body, language }) => alarms.list(scope, body, language)),
  handler(aiBoxCalls.dispose, ({ scope, session, body, language }) => alarms.dispose(scope, session, body, language)),
]
