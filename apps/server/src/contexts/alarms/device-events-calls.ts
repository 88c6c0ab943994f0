/** Handlers of events at doors, of devices and of users. */
import { deviceEventCalls } from '@gatehouse/contract/alarms/device-events'
import { numberedCalls } from '@gatehouse/contract/device/numbered'
import { handler, type MountedCall } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { DeviceEvents } from './device-events.ts'
import type { ReceivedEvents } from './device-events-received.ts'

export interface DeviceEventParts {
  events: DeviceEvents
  received: ReceivedEvents
}

export const deviceEventHandlers = ({ events, received }: DeviceEventParts): MountedCall[] => [
  handler(deviceEventCalls.list, ({ scope, body }) => events.list(scope, body)),
  handler(deviceEventCalls.dispose, ({ scope, session, body }) => events.dispose(scope, session, body)),
  handler(deviceEventCalls.video, ({ scope, query }) => events.video(scope, query.id)),
  handler(numberedCalls.events, ({ scope, device, body }) => received.take(scope, device, body)),
  handler(numberedCalls.eventPicture, async ({ scope, device, params, file }) => {
    if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
    await received.attachPicture(scope, device, params, file.bytes)
  }),
]
