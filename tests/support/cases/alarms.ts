import type { CallCase, Ground } from './case.ts'
import { insertFaceAlarm } from '../face-alarm.ts'
import type { Given } from '../requests.ts'
import { aiBoxCalls } from '@gatehouse/contract/alarms/ai-box'
import { aiBoxDeviceCalls } from '@gatehouse/contract/device/ai-box'
import { faceAlarmCalls } from '@gatehouse/contract/alarms/face-alarms'
import { createClient } from '@gatehouse/dev-env/client'
import { deviceAlarmHandling } from '@gatehouse/contract/enums'
import { deviceEventCalls } from '@gatehouse/contract/alarms/device-events'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { emailAlarmCalls } from '@gatehouse/contract/alarms/email'
import { maintenanceAlarmCalls } from '@gatehouse/contract/alarms/maintenance-alarms'
import { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { numberedCalls } from '@gatehouse/contract/device/numbered'

let samples = 0

/** Let an AI box of the park send an event. */
async function aiBoxAlarm({ site, world }: Ground): Promise<{ id: string }> {
  const { code, secret } = await site.device({ type: deviceType.aiBox })
  const box = createClient(world.url, { basic: [code, secret] })
  const { id } = await box.call(aiBoxDeviceCalls.event, {
    body: { eventId: `sample ${++samples}`, eventType: 'fire', eventTime: world.clock.now(), ipcName: 'Camera' },
  })
  return { id }
}

/** Let a device send an event at its door. */
async function happened({ site, world }: Ground): Promise<{ id: string }> {
  const { id: deviceId, code, secret } = await site.device()
  const event = { seq: 1, kind: 'forced' as const, occurredAt: world.clock.now(), endOf: null, hasPicture: false }
  const body = { epoch: 'walk', oldestSeq: 1, sentAt: world.clock.now(), events: [event] }
  await createClient(world.url, { basic: [code, secret] }).call(numberedCalls.events, { body })
  const { content } = await site.call(deviceEventCalls.list, { body: { deviceId } })
  return { id: content[0]!.id }
}

/** Let a device report that its disk is full. */
async function fullDisk({ site, world }: Ground): Promise<{ id: string }> {
  const { id: deviceId, code, secret } = await site.device()
  await createClient(world.url, { basic: [code, secret] }).call(maintenanceCalls.reportResource, { body: { cpu: 1, memory: 1, disk: 99 } })
  const { content } = await site.call(maintenanceAlarmCalls.list, { query: { deviceId } })
  return { id: content[0]!.id }
}

/** Let there be a row in the list. */
async function listed(ground: Ground): Promise<Given> {
  await fullDisk(ground)
  return {}
}

/** Let there be the alarm of a stranger. */
async function faceAlarm({ world, site }: Ground): Promise<{ id: string; deviceId: string; taskId: string }> {
  const device = await site.device()
  const { id, taskId } = await insertFaceAlarm({ server: world.server, clock: world.clock, park: site.park }, device)
  return { id, deviceId: device.id, taskId }
}

export const cases: readonly CallCase[] = [
  // The walk's device is no AI box, and the id of an event is the box's own.
  {
    call: aiBoxDeviceCalls.event,
    given: () => ({ eventId: 'event', eventType: 'fire', eventTime: 0 }),
    lastWord: [404, 404],
    foreign: false,
  },
  { call: aiBoxCalls.list, given: aiBoxAlarm },
  { call: aiBoxCalls.dispose, given: async (ground) => ({ ...(await aiBoxAlarm(ground)), status: 1 }) },
  { call: emailAlarmCalls.save, needs: { emails: ['guard@example.org'] } },
  { call: deviceEventCalls.dispose, given: happened, needs: { handling: deviceAlarmHandling.followedUp } },
  { call: deviceEventCalls.video, given: happened },
  { call: maintenanceAlarmCalls.list, given: listed },
  { call: maintenanceAlarmCalls.read, given: fullDisk },
  { call: maintenanceAlarmCalls.dispose, given: fullDisk, needs: { handling: deviceAlarmHandling.followedUp } },
  // No event of the device has this number.
  { call: numberedCalls.eventPicture, lastWord: [404, 404] },
  {
    call: faceAlarmCalls.list,
    given: async (ground) => {
      const { deviceId, taskId } = await faceAlarm(ground)
      return { deviceId, taskId }
    },
  },
  { call: faceAlarmCalls.read, given: async (ground) => ({ id: (await faceAlarm(ground)).id }) },
  { call: faceAlarmCalls.handle, given: async (ground) => ({ id: (await faceAlarm(ground)).id }), needs: { status: 2 } },
]
