/** Feeds of live screens: for each destination its rows, and which of them a listener may see. */
import type { LiveAlarms } from '../contexts/alarms/index.ts'
import type { OrganisationService } from '../contexts/organisation/index.ts'
import type { RecordService, Span } from '../contexts/records/index.ts'
import type { DevicesService } from '../contexts/devices/index.ts'
import type { DoorsService } from '../contexts/doors/index.ts'
import type { VisitAlerts } from '../contexts/visitors/index.ts'
import { topics } from '@gatehouse/contract/realtime'
import { inOrderOf } from '../platform/database/in-order.ts'
import { maskerOf } from '../platform/session/masking.ts'
import { seesWatchList, type Scope } from '../platform/session/session.ts'
import type { RowMask } from './frame.ts'

export interface Feed {
  destination: string
  /** Derived from the marks of the topic's rows. */
  mask: RowMask | null
  /** About as many rows as fit into a frame; further ones are counted without being read. */
  fitting: number
  rows(scope: Scope, ids: readonly string[], span: Span | undefined): Promise<readonly unknown[]>
  /** Return those of the ids whose rows are visible in a scope, in their order. */
  seen(scope: Scope, ids: readonly string[], span: Span | undefined): Promise<readonly string[]>
  /** Rows show persons, some of whom are visible only with sight of the watch list. */
  showsPersons?: true
}

/** Return the scope in which rows of a feed are read for a listener; equal for all listeners that see the same rows. */
export function shownTo(feed: Feed, { parkId, sees }: Scope): Scope {
  const watchList = feed.showsPersons !== true || seesWatchList({ parkId, ...(sees && { sees }) })
  const deviceGroups = sees?.deviceGroups
  if (watchList && deviceGroups === undefined) return { parkId }
  return { parkId, sees: { watchList, ...(deviceGroups !== undefined && { deviceGroups }) } }
}

export interface FeedNeeds {
  records: Pick<RecordService, 'rows' | 'seen'>
  devices: Pick<DevicesService, 'some' | 'names' | 'fetches'>
  doors: Pick<DoorsService, 'states'>
  visits: VisitAlerts
  alarms: LiveAlarms
  organisation: Pick<OrganisationService, 'get'>
}

/** The topics of alarms: all have rows of one kind. */
type AlarmTopic = (typeof topics)['faceAlarms' | 'ruleAlarms' | 'aiBoxEvents' | 'deviceEvents' | 'deviceAlerts']

export function createFeeds({ records: passages, devices, doors, visits, alarms }: FeedNeeds) {
  const records: Feed = {
    destination: topics.accessRecord.destination,
    mask: maskerOf(topics.accessRecord.payload.shape.rows.element),
    fitting: 36,
    rows: (scope, ids, span) => passages.rows(scope, ids, span),
    seen: (scope, ids, span) => passages.seen(scope, ids, span),
    showsPersons: true,
  }
  /** Only callers with sight of the watch list may subscribe; without it a scope has no rows here either. */
  const hits: Feed = {
    ...records,
    destination: topics.watchListHits.destination,
    rows: async (scope, ids, span) => (await passages.rows(scope, ids, span)).filter(({ watchList }) => watchList !== undefined),
  }
  async function seenDevices(scope: Scope, ids: readonly string[]): Promise<string[]> {
    const there = new Set((await devices.names(scope, ids)).map(({ id }) => id))
    return ids.filter((id) => there.has(id))
  }
  const statuses: Feed = {
    destination: topics.deviceStatus.destination,
    mask: maskerOf(topics.deviceStatus.payload.shape.rows.element),
    fitting: 128,
    async rows(scope, ids) {
      return inOrderOf(ids, await devices.some(scope, ids)).map((device) => {
        const {
          id,
          onlineStatus,
          authorisationStatus,
          released,
          lastSeenAt,
          onlineSince,
          personsDesired,
          personsHeld,
          personsWithoutPhoto,
        } = device
        return {
          id,
          onlineStatus,
          authorisationStatus,
          released,
          lastSeenAt,
          onlineSince,
          personsDesired,
          personsHeld,
          personsWithoutPhoto,
        }
      })
    },
    seen: seenDevices,
  }
  const fetched: Feed = {
    destination: topics.deviceFetched.destination,
    mask: null,
    fitting: 64,
    rows: (scope, ids) => devices.fetches(scope, ids),
    seen: seenDevices,
  }
  const moved: Feed = {
    destination: topics.doors.destination,
    mask: null,
    fitting: 96,
    rows: (scope, ids) => doors.states(scope, ids),
    seen: seenDevices,
  }
  const waiting: Feed = {
    destination: topics.visitorCheckAlert.destination,
    mask: maskerOf(topics.visitorCheckAlert.payload.shape.rows.element),
    fitting: 24,
    rows: (scope, ids) => visits.waiting(scope, ids),
    seen: (scope, ids) => visits.existing(scope, ids),
  }
  const arrived: Feed = {
    ...waiting,
    destination: topics.visitorArriveAlert.destination,
    rows: (scope, ids) => visits.arrived(scope, ids),
  }
  const alarmFeed = (topic: AlarmTopic, fitting: number, rows: LiveAlarms[keyof LiveAlarms]): Feed => ({
    destination: topic.destination,
    mask: maskerOf(topic.payload.shape.rows.element),
    fitting,
    ...rows,
  })
  const faces: Feed = { ...alarmFeed(topics.faceAlarms, 24, alarms.faces), showsPersons: true }
  const rules: Feed = { ...alarmFeed(topics.ruleAlarms, 20, alarms.rules), showsPersons: true }
  const boxes = alarmFeed(topics.aiBoxEvents, 32, alarms.boxes)
  const deviceEvents = alarmFeed(topics.deviceEvents, 32, alarms.deviceEvents)
  const deviceAlerts = alarmFeed(topics.deviceAlerts, 64, alarms.maintenance)
  return { records, hits, statuses, fetched, moved, waiting, arrived, faces, boxes, rules, deviceEvents, deviceAlerts }
}
