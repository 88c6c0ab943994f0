/** Delivery of events to live screens: which event sends which rows to which destination. */
import { deviceResourceAlert } from '../contexts/maintenance/index.ts'
import { recordPictured, recordsReceived, spanOf, watchListHitNoted, type Span } from '../contexts/records/index.ts'
import { holdingsChanged } from '../contexts/synchronisation/index.ts'
import { deviceFetched, deviceStatusChanged } from '../contexts/devices/index.ts'
import { doorsChanged } from '../contexts/doors/index.ts'
import { aiBoxAlarmsChanged, deviceEventsChanged, faceAlarmsChanged, ruleAlarmsChanged } from '../contexts/alarms/index.ts'
import { visitsArrived, visitsWaiting } from '../contexts/visitors/index.ts'
import type { Platform } from '../platform/context.ts'
import { on } from '../platform/events/events.ts'
import { createFeeds, type Feed, type FeedNeeds } from './feeds.ts'
import { createGathering } from './gathering.ts'
import type { Stomp } from './stomp-types.ts'

export interface LiveFeed {
  stop(): void
}

export function createLiveFeed(
  platform: Pick<Platform, 'events' | 'log'>,
  stomp: () => Pick<Stomp, 'send' | 'hasListeners' | 'listeners'>,
  needs: FeedNeeds,
): LiveFeed {
  const { records, hits, statuses, fetched, moved, waiting, arrived, faces, boxes, rules, deviceEvents, deviceAlerts } = createFeeds(needs)
  const gathering = createGathering(stomp, platform.log)

  function push(feed: Feed, parkId: string, ids: readonly string[], span?: Span): void {
    const areaCode = needs.organisation.get(parkId)?.areaCode
    if (areaCode !== undefined) gathering.add(feed, feed.destination.replace('{areaCode}', areaCode), ids, span)
  }

  platform.events.consume({
    name: 'realtime.feed',
    mode: 'everyNode',
    handlers: [
      on(recordsReceived, ({ parkId, payload }) => push(records, parkId, payload.recordIds, spanOf(payload))),
      on(recordPictured, ({ parkId, payload }) => push(records, parkId, [payload.recordId], spanOf(payload))),
      on(watchListHitNoted, ({ parkId, payload }) => push(hits, parkId, [payload.recordId], spanOf(payload))),
      on(deviceStatusChanged, ({ parkId, payload }) => push(statuses, parkId, payload.deviceIds)),
      on(deviceFetched, ({ parkId, payload }) => push(fetched, parkId, payload.deviceIds)),
      on(doorsChanged, ({ parkId, payload }) => push(moved, parkId, payload.deviceIds)),
      on(visitsWaiting, ({ parkId, payload }) => push(waiting, parkId, payload.visitIds)),
      on(visitsArrived, ({ parkId, payload }) => push(arrived, parkId, payload.visitIds)),
      on(faceAlarmsChanged, ({ parkId, payload }) => push(faces, parkId, payload.alarmIds)),
      on(ruleAlarmsChanged, ({ parkId, payload }) => push(rules, parkId, payload.ids)),
      on(aiBoxAlarmsChanged, ({ parkId, payload }) => push(boxes, parkId, payload.ids)),
      on(deviceEventsChanged, ({ parkId, payload }) => push(deviceEvents, parkId, payload.eventIds)),
      on(deviceResourceAlert, ({ parkId, payload }) => push(deviceAlerts, parkId, [payload.alertId])),
      on(holdingsChanged, ({ parkId, payload }) => push(statuses, parkId, payload.deviceIds)),
    ],
  })
  return { stop: gathering.stop }
}
