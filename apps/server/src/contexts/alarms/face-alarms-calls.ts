/** Handlers of alarms of faces. */
import { faceAlarmCalls } from '@gatehouse/contract/alarms/face-alarms'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { FaceAlarms } from './face-alarms.ts'

export const faceAlarmHandlers = (alarms: FaceAlarms): MountedCall[] => [
  handler(faceAlarmCalls.list, ({ scope, body }) => alarms.list(scope, body)),
  handler(faceAlarmCalls.read, ({ scope, query }) => alarms.read(scope, query.id)),
  handler(faceAlarmCalls.handle, ({ scope, session, body }) => alarms.handle(scope, session, body)),
]
