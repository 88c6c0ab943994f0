/** Events at doors: listed, shown live, and handled once each. */
import { pageOf, type DataOf } from '@gatehouse/contract'
import type { DeviceEvent, DeviceEventBubble, deviceEventCalls } from '@gatehouse/contract/alarms/device-events'
import { EVENT_ALARM_STATES } from '@gatehouse/contract/alarms/handling'
import { alertBubbleType } from '@gatehouse/contract/enums'
import type { z } from 'zod'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { inOrderOf } from '../../platform/database/in-order.ts'
import { momentsOf, newestFirst, placeOf } from '../../platform/http/newest-first.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import * as data from './device-events-data.ts'
import { picturesSince } from './device-events-received.ts'
import { HANDLED_AS, handlingOf } from './disposal.ts'
import { deviceEventsChanged } from './events.ts'
import { eventClips } from './extension-points.ts'
import { deviceEventAbilities } from './policy.ts'

export interface DeviceEvents {
  /** Newest first. @throws Refusal 900007; InvalidRequest a page beyond row 10,000, a cursor that is none */
  list(scope: Scope, query: z.output<typeof deviceEventCalls.list.body>): Promise<DataOf<typeof deviceEventCalls.list>>
  /** @throws Refusal 500012 an event that does not exist, 500013 one that is handled */
  dispose(scope: Scope, actor: Actor, change: z.output<typeof deviceEventCalls.dispose.body>): Promise<DeviceEvent>
  /** @throws Refusal 500012 */
  video(scope: Scope, id: string): Promise<DataOf<typeof deviceEventCalls.video>>
  /** Rows for live screens, in the order of the ids; those that the scope does not see are left out. */
  rows(scope: Scope, ids: readonly string[]): Promise<DeviceEventBubble[]>
  /** Return those of the ids that the scope sees, in their order. */
  seen(scope: Scope, ids: readonly string[]): Promise<string[]>
  /** Delete handled events that are old, and pictures that a park keeps no longer. */
  dropOld(): Promise<{ deviceEvents: number; pictures: number }>
  erasePark(tx: Transaction, scope: Scope): Promise<number>
}

const DAY = 86_400_000
/** What was handled is kept as long as lists look back: 366 days. What is unhandled stays until somebody has seen to it. */
const HANDLED_KEPT_DAYS = 366
/** Events deleted in one transaction. */
const AT_ONCE = 1_000

export function createDeviceEvents(
  platform: Platform,
  { organisation }: { organisation: Pick<OrganisationService, 'parks' | 'accessSettings'> },
): DeviceEvents {
  const { db, clock, storage, extensions } = platform

  function present(scope: Scope, { time, pictureFileId, ...row }: data.EventRow): DeviceEvent {
    return {
      ...row,
      alertTime: time as number,
      imageUrl: pictureFileId === null ? '' : storage.address(scope, pictureFileId, 'full'),
      hasVideo: extensions.all(eventClips).length > 0,
      handling: handlingOf(row.status),
      can: deviceEventAbilities(row),
    }
  }

  function bubbleOf(scope: Scope, row: data.EventRow): DeviceEventBubble {
    const { id, deviceId, deviceName, deviceType, type, level, alertTime, endedAt, imageUrl, status, escalatedAt } = present(scope, row)
    const bubbleType = alertBubbleType.deviceAlarm
    return { id, bubbleType, deviceId, deviceName, deviceType, type, level, alertTime, endedAt, imageUrl, status, escalatedAt }
  }

  async function inOrder(scope: Scope, ids: readonly string[]): Promise<data.EventRow[]> {
    return inOrderOf(ids, await data.findEvents(scope, db, ids))
  }

  /** Repeat a deletion of a park until it finds less than it may. @returns how many were deleted */
  async function inParts(
    parkId: string,
    drop: (tx: Transaction) => Promise<{ count: number; fileIds: readonly string[] }>,
  ): Promise<number> {
    for (let total = 0; ;) {
      const dropped = await platform.transaction(async (tx) => {
        const { count, fileIds } = await drop(tx)
        await storage.release(tx, { parkId }, fileIds)
        return count
      })
      total += dropped
      if (dropped < AT_ONCE) return total
    }
  }

  return {
    async list(scope, query) {
      const { page, size } = pageOf(query)
      const { tab, status, type, deviceId } = query
      const ofTab = tab === undefined ? undefined : EVENT_ALARM_STATES[tab]
      const statuses = status === undefined ? ofTab : [status].filter((one) => ofTab?.includes(one) ?? true)
      const filter = { ...momentsOf(query, clock.now()), statuses, type, deviceId }
      const [rows, total] = await Promise.all([
        data.listEvents(scope, db, filter, placeOf({ page, size, after: query.after })),
        data.countEvents(scope, db, filter),
      ])
      return newestFirst(
        { page, size },
        total,
        rows,
        rows.slice(0, size).map((row) => present(scope, row)),
      )
    },
    dispose: (scope, { operator }, { id, handling, dealingRecord = '' }) =>
      platform.transaction(async (tx) => {
        const event = await data.lockEvent(scope, tx, id)
        if (event === undefined) refuse(500012, 'id')
        if (!deviceEventAbilities(event).dispose) refuse(500013)
        const [now, status] = [clock.now(), HANDLED_AS[handling]]
        await data.handleEvent(scope, tx, id, { status, operator, dealingRecord }, now)
        platform.audit.note({
          entity: 'deviceEvent',
          id,
          label: event.deviceName,
          before: { handling: null },
          after: { handling },
        })
        await platform.events.announce(tx, deviceEventsChanged, scope.parkId, { eventIds: [id] })
        return present(scope, { ...event, status, operator, dealingRecord, dealtAt: now })
      }),
    async video(scope, id) {
      const [event] = await data.findEvents(scope, db, [id])
      if (event === undefined) refuse(500012, 'id')
      const { deviceId, time, endedAt } = event
      for (const find of extensions.all(eventClips)) {
        const clip = await find(scope, { deviceId, startedAt: time as number, endedAt })
        if (clip !== null) return { available: true, ...clip }
      }
      return { available: false, url: '', startTime: null, endTime: null }
    },
    rows: async (scope, ids) => (await inOrder(scope, ids)).map((row) => bubbleOf(scope, row)),
    seen: async (scope, ids) => (await inOrder(scope, ids)).map(({ id }) => id),
    async dropOld() {
      const now = clock.now()
      const counts = { deviceEvents: 0, pictures: 0 }
      for (const { id: parkId } of organisation.parks()) {
        const scope = { parkId }
        counts.deviceEvents += await inParts(parkId, (tx) => data.deleteHandled(scope, tx, now - HANDLED_KEPT_DAYS * DAY, AT_ONCE))
        const since = picturesSince(organisation.accessSettings(scope), now)
        if (since === null) continue
        counts.pictures += await inParts(parkId, async (tx) => {
          const fileIds = await data.takePicturesOff(scope, tx, since, AT_ONCE)
          return { count: fileIds.length, fileIds }
        })
      }
      return counts
    },
    async erasePark(tx, scope) {
      const { count, fileIds } = await data.deleteEventsOfPark(scope, tx)
      await storage.release(tx, scope, fileIds)
      return count
    },
  }
}
