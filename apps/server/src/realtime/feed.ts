/** Events to live screens: a table of event, destination and rows, gathered to at most ten frames a second. */
import type { OrganisationService } from '../contexts/organisation/index.ts'
import { recordPictured, recordsReceived, watchListHitNoted, type RecordService } from '../contexts/records/index.ts'
import { holdingsChanged } from '../contexts/synchronisation/index.ts'
import { deviceFetched, deviceStatusChanged, type DevicesService } from '../contexts/devices/index.ts'
import { doorsChanged, type DoorsService } from '../contexts/doors/index.ts'
import { topics } from '@gatehouse/contract/realtime'
import type { Platform } from '../platform/context.ts'
import { on } from '../platform/events/events.ts'
import { maskerOf } from '../platform/session/masking.ts'
import { seesWatchList, type Scope } from '../platform/session/session.ts'
import { frameOf, type LiveFrame, type RowMask } from './frame.ts'
import type { Stomp } from './stomp.ts'

const FRAME_EVERY_MS = 100
/** Ids that wait for a frame at most, while rows are slow to be read: the oldest beyond them are only counted. */
const IDS_MAX = 4_096

interface Feed {
  destination: string
  /** By the marks of the topic's rows. */
  mask: RowMask | null
  /** About as many rows as fit a frame: those beyond are counted without being read. */
  fitting: number
  rows(scope: Scope, ids: readonly string[]): Promise<readonly unknown[]>
  /** Those of these ids whose rows exist for whoever asks, in their order. */
  seen(scope: Scope, ids: readonly string[]): Promise<readonly string[]>
  /** Rows tell of persons: the watch list does not exist for everybody. */
  tellsOfPersons?: true
}

/** What rows of a feed are read by for a listener; the same for all to whom the same is shown. */
function shownTo(feed: Feed, { parkId, sees }: Scope): Scope {
  const watchList = feed.tellsOfPersons !== true || seesWatchList({ parkId, ...(sees && { sees }) })
  const deviceGroups = sees?.deviceGroups
  if (watchList && deviceGroups === undefined) return { parkId }
  return { parkId, sees: { watchList, ...(deviceGroups !== undefined && { deviceGroups }) } }
}

/** What waits for the next frame of one destination; kept between frames for their pace. */
interface Gathered {
  feed: Feed
  destination: string
  /** Oldest first, each once. */
  ids: Set<string>
  /** Those that are counted without being read. */
  left: number
  timer: NodeJS.Timeout | null
  sending: boolean
  sentAt: number
}

export interface LiveFeed {
  stop(): void
}

export function createLiveFeed(
  platform: Pick<Platform, 'events' | 'log'>,
  stomp: () => Pick<Stomp, 'send' | 'hasListeners' | 'listeners'>,
  needs: {
    records: Pick<RecordService, 'rows' | 'seen'>
    devices: Pick<DevicesService, 'some' | 'names' | 'fetches'>
    doors: Pick<DoorsService, 'states'>
    organisation: Pick<OrganisationService, 'get'>
  },
): LiveFeed {
  const { records: passages, devices, doors, organisation } = needs
  const records: Feed = {
    destination: topics.accessRecord.destination,
    mask: maskerOf(topics.accessRecord.payload.shape.rows.element),
    fitting: 36,
    rows: (scope, ids) => passages.rows(scope, ids),
    seen: (scope, ids) => passages.seen(scope, ids),
    tellsOfPersons: true,
  }
  /** Nobody listens for whom the watch list does not exist; no row would be theirs either. */
  const hits: Feed = {
    ...records,
    destination: topics.watchListHits.destination,
    rows: async (scope, ids) => (await passages.rows(scope, ids)).filter(({ watchList }) => watchList !== undefined),
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
      const byId = new Map((await devices.some(scope, ids)).map((device) => [device.id, device]))
      return ids.flatMap((id) => {
        const device = byId.get(id)
        if (device === undefined) return []
        const { onlineStatus, authorisationStatus, released, lastSeenAt, onlineSince, personsDesired, personsHeld, personsWithoutPhoto } =
          device
        return [
          { id, onlineStatus, authorisationStatus, released, lastSeenAt, onlineSince, personsDesired, personsHeld, personsWithoutPhoto },
        ]
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
  const gathered = new Map<string, Gathered>()
  let stopped = false

  /**
   * Reads the newest of some ids for whoever is shown so; where that fails, all of them are only counted. What does not exist for
   * somebody is not counted for them either, nor is what nobody has looked at.
   */
  async function frameIn({ feed, destination }: Gathered, scope: Scope, newest: readonly string[], left: number): Promise<LiveFrame> {
    const isWhole = scope.sees === undefined
    try {
      const own = isWhole || newest.length <= feed.fitting ? newest : await feed.seen(scope, newest)
      const ids = own.slice(0, feed.fitting)
      const rows = ids.length === 0 ? [] : await feed.rows(scope, ids)
      return frameOf(rows, (isWhole ? left : 0) + own.length - ids.length, feed.mask)
    } catch (error) {
      platform.log.error({ err: error, destination }, 'rows of a live frame were not read')
      return frameOf([], isWhole ? left + newest.length : 0)
    }
  }

  /** Reads what has gathered, once for all to whom the same is shown. @returns the frame of each listener there is */
  async function framesFrom(entry: Gathered): Promise<(listener: Scope) => LiveFrame> {
    const { feed, destination, left } = entry
    const newest = [...entry.ids].toReversed()
    entry.ids.clear()
    entry.left = 0
    const frames = new Map<string, LiveFrame>()
    const keyOf = (listener: Scope): string => JSON.stringify(shownTo(feed, listener))
    for (;;) {
      // Asked again after each read: somebody may have come meanwhile, or be shown something else.
      const next = stomp()
        .listeners(destination)
        .find((listener) => !frames.has(keyOf(listener)))
      if (next === undefined) return (listener) => frames.get(keyOf(listener))!
      frames.set(keyOf(next), await frameIn(entry, shownTo(feed, next), newest, left))
    }
  }

  /** One frame at a time: rows that are slow to be read must not overtake each other, nor pile up. */
  async function send(entry: Gathered): Promise<void> {
    entry.timer = null
    entry.sending = true
    const isOwed = stomp().send(entry.destination, await framesFrom(entry))
    entry.sentAt = performance.now()
    entry.sending = false
    // Whoever read too slowly for a frame is told how much was in it, even if nothing else happens.
    if (isOwed || entry.left + entry.ids.size > 0) schedule(entry)
  }

  /** The first row goes out at once; those that follow within a tenth of a second travel together. */
  function schedule(entry: Gathered): void {
    if (entry.timer !== null || entry.sending || stopped) return
    const wait = Math.max(0, entry.sentAt + FRAME_EVERY_MS - performance.now())
    entry.timer = setTimeout(() => void send(entry), wait)
  }

  function push(feed: Feed, parkId: string, ids: readonly string[]): void {
    const areaCode = organisation.get(parkId)?.areaCode
    if (areaCode === undefined) return
    const destination = feed.destination.replace('{areaCode}', areaCode)
    if (!stomp().hasListeners(destination)) return
    let entry = gathered.get(destination)
    if (entry === undefined) {
      entry = { feed, destination, ids: new Set(), left: 0, timer: null, sending: false, sentAt: -Infinity }
      gathered.set(destination, entry)
    }
    for (const id of ids) entry.ids.add(id)
    for (const oldest of entry.ids) {
      if (entry.ids.size <= IDS_MAX) break
      entry.ids.delete(oldest)
      entry.left++
    }
    schedule(entry)
  }

  platform.events.consume({
    name: 'realtime.feed',
    mode: 'everyNode',
    handlers: [
      on(recordsReceived, ({ parkId, payload }) => push(records, parkId, payload.recordIds)),
      on(recordPictured, ({ parkId, payload }) => push(records, parkId, [payload.recordId])),
      on(watchListHitNoted, ({ parkId, payload }) => push(hits, parkId, [payload.recordId])),
      on(deviceStatusChanged, ({ parkId, payload }) => push(statuses, parkId, payload.deviceIds)),
      on(deviceFetched, ({ parkId, payload }) => push(fetched, parkId, payload.deviceIds)),
      on(doorsChanged, ({ parkId, payload }) => push(moved, parkId, payload.deviceIds)),
      on(holdingsChanged, ({ parkId, payload }) => push(statuses, parkId, payload.deviceIds)),
    ],
  })
  return {
    stop() {
      stopped = true
      for (const { timer } of gathered.values()) if (timer !== null) clearTimeout(timer)
    },
  }
}
