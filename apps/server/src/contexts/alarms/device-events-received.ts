/** Events at doors as devices send them: stored once, in order, acknowledged after the commit; pictures follow. */
import type { DataOf } from '@gatehouse/contract'
import type { DeviceEventObject, DoorEventKind, numberedCalls } from '@gatehouse/contract/device/numbered'
import { alarmLevel, alarmType } from '@gatehouse/contract/enums'
import type { z } from 'zod'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { recordId } from '../../platform/database/ids.ts'
import { eventBatches } from '../../platform/events/batches.ts'
import { NotFound, refuse } from '../../platform/http/refusal.ts'
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'
import type { DevicesService, Numbered } from '../devices/index.ts'
import type { OrganisationService } from '../organisation/index.ts'
import type { AlarmMails } from './alarm-mails.ts'
import * as data from './device-events-data.ts'
import { deviceEventsChanged } from './events.ts'

type Sender = Pick<DevicePrincipal, 'deviceId'>
type Message = z.output<typeof numberedCalls.events.body>

export interface ReceivedEventsNeeds {
  mails: Pick<AlarmMails, 'note'>
  devices: Pick<DevicesService, 'some'>
  numbered: Numbered
  organisation: Pick<OrganisationService, 'accessSettings'>
}

export interface ReceivedEvents {
  /** Store what a message adds. @returns how far the epoch is stored @throws NotFound a device that is deleted meanwhile */
  take(scope: Scope, device: Sender, message: Message): Promise<DataOf<typeof numberedCalls.events>>
  /** Store the picture of a device's own event; an event that has one keeps it. @throws NotFound; Refusal 200205 unreadable */
  attachPicture(scope: Scope, device: Sender, event: { epoch: string; seq: number }, picture: Uint8Array): Promise<void>
}

/** Type and level of each kind of event. The specification does not say what its type 110 means; here it is a forced door. */
const KINDS: Readonly<Record<DoorEventKind, { type: number; level: 0 | 1 | 2 | 3 }>> = {
  fire: { type: alarmType.fire, level: alarmLevel.high },
  forced: { type: alarmType.type110, level: alarmLevel.high },
  tamper: { type: alarmType.tamper, level: alarmLevel.high },
  heldOpen: { type: alarmType.gateOvertime, level: alarmLevel.medium },
  slope: { type: alarmType.slope, level: alarmLevel.low },
}
const DAY = 86_400_000

/** Return the moment from which an event has no picture any more; null: pictures are kept as long as the event. */
export const picturesSince = ({ pictureDays }: { pictureDays: number }, now: number): number | null =>
  pictureDays === 0 ? null : now - pictureDays * DAY

export function createReceivedEvents(platform: Platform, { devices, numbered, organisation, mails }: ReceivedEventsNeeds): ReceivedEvents {
  const { storage, clock } = platform
  const announce = async (tx: Transaction, { parkId }: Scope, eventIds: readonly string[]) => {
    for (const batch of eventBatches(eventIds)) await platform.events.announce(tx, deviceEventsChanged, parkId, { eventIds: batch })
  }

  /** Store events in their order. @returns the ids of those that are new or have ended */
  async function store(
    tx: Transaction,
    scope: Scope,
    device: { id: string; name: string; type: number },
    { epoch, sentAt, events }: Message,
  ): Promise<string[]> {
    const now = clock.now()
    /** The clock of the device set right; what is yet to come happened now. */
    const corrected = (moment: number) => Math.max(0, Math.min(moment + now - sentAt, now))
    const rows = new Map<string, data.NewEvent>()
    const changed = new Set<string>()
    for (const { seq, kind, occurredAt, endOf } of events) {
      const { type, level } = KINDS[kind]
      const at = corrected(occurredAt)
      if (endOf !== null) {
        const id = recordId(device.id, epoch, endOf)
        const row = rows.get(id)
        if (row) row.endedAt ??= Math.max(row.occurredAt, at)
        else if (await data.endEvent(scope, tx, device.id, id, at)) changed.add(id)
        continue
      }
      // An event of this kind whose end was not sent is over, or this one could not begin.
      for (const id of await data.endLasting(scope, tx, device.id, type, at)) changed.add(id)
      for (const row of rows.values()) if (row.type === type) row.endedAt ??= Math.max(row.occurredAt, at)
      const id = recordId(device.id, epoch, seq)
      rows.set(id, {
        id,
        deviceId: device.id,
        deviceName: device.name,
        deviceType: device.type,
        type,
        level,
        occurredAt: at,
        endedAt: null,
      })
    }
    const inserted = await data.insertEvents(scope, tx, [...rows.values()], now)
    for (const id of inserted) {
      const { occurredAt: at, type, level } = rows.get(id)!
      const about = { alarmId: id, kind: 'deviceEvent' as const, at, key: `${device.id} ${type}`, level, event: String(type) }
      await mails.note(tx, scope, { ...about, deviceId: device.id, deviceName: device.name })
    }
    return [...new Set([...inserted, ...changed])]
  }

  return {
    async take(scope, { deviceId }, message) {
      const [device] = await devices.some(scope, [deviceId])
      if (device === undefined) throw new NotFound()
      const { epoch, oldestSeq, events: items } = message
      return platform.transaction(async (tx) => {
        const { fresh, ackSeq } = await numbered.take(tx, { deviceId, parkId: scope.parkId }, 'event', { epoch, oldestSeq, items })
        await announce(tx, scope, await store(tx, scope, device, { ...message, events: fresh as DeviceEventObject[] }))
        return { ackSeq }
      })
    },
    async attachPicture(scope, { deviceId }, { epoch, seq }, picture) {
      const id = recordId(deviceId, epoch, seq)
      const event = await data.findPictured(scope, platform.db, deviceId, id)
      if (event === undefined) throw new NotFound()
      if (event.pictureFileId !== null) return
      // Answered with success, so that the device deletes it, but not kept: it would be deleted the next night.
      const since = picturesSince(organisation.accessSettings(scope), clock.now())
      if (since !== null && event.time < since) return
      const fileId = await storage.writeCapture(scope, picture)
      // A permanent refusal: after a temporary fault the device would send it again for ever.
      if (fileId === null) refuse(200205, 'file')
      const isAdded = await platform.transaction(async (tx) => {
        if (!(await data.putPicture(scope, tx, id, fileId))) return false
        await storage.keepCapture(tx, scope, fileId)
        await announce(tx, scope, [id])
        return true
      })
      if (!isAdded) await storage.discardCapture(fileId)
    },
  }
}
