/** Events to live screens: a table of event, destination and rows, gathered to at most ten frames a second. */
import type { OrganisationService } from '../contexts/organisation/index.ts'
import { holdingsChanged, recordPictured, recordsReceived, type AccessService } from '../contexts/access/index.ts'
import { deviceFetched, deviceStatusChanged, type DevicesService } from '../contexts/devices/index.ts'
import { doorsChanged, type DoorsService } from '../contexts/doors/index.ts'
import { topics } from '@gatehouse/contract/realtime'
import type { Platform } from '../platform/context.ts'
import { on } from '../platform/events.ts'
import { maskerOf } from '../platform/masking.ts'
import type { Scope } from '../platform/session.ts'
import { frameOf, type RowMask } from './frame.ts'
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
  /** Rows tell of persons: not everybody is shown all of them. */
  tellsOfPersons?: true
}

/** What waits for the next frame of one destination; kept between frames for their pace. */
interface Gathered {
  feed: Feed
  destination: string
  scope: Scope
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
  stomp: () => Pick<Stomp, 'send' | 'hasListeners' | 'hasLimited'>,
  needs: {
    access: Pick<AccessService, 'rows'>
    devices: Pick<DevicesService, 'some' | 'fetches'>
    doors: Pick<DoorsService, 'states'>
    organisation: Pick<OrganisationService, 'get'>
  },
): LiveFeed {
  const { access, devices, doors, organisation } = needs
  const records: Feed = {
    destination: topics.accessRecord.destination,
    mask: maskerOf(topics.accessRecord.payload.shape.rows.element),
    fitting: 36,
    rows: (scope, ids) => access.rows(scope, ids),
    tellsOfPersons: true,
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
        const { onlineStatus, authorisationStatus, released, lastSeenAt, personsDesired, personsHeld } = device
        return [{ id, onlineStatus, authorisationStatus, released, lastSeenAt, personsDesired, personsHeld }]
      })
    },
  }
  const fetched: Feed = {
    destination: topics.deviceFetched.destination,
    mask: null,
    fitting: 64,
    rows: (scope, ids) => devices.fetches(scope, ids),
  }
  const moved: Feed = { destination: topics.doors.destination, mask: null, fitting: 96, rows: (scope, ids) => doors.states(scope, ids) }
  const gathered = new Map<string, Gathered>()
  let stopped = false

  /** Reads the newest rows of what has gathered; where that fails, all of it is only counted. */
  async function frameFrom(entry: Gathered) {
    const { feed, scope, left } = entry
    const newest = [...entry.ids].toReversed()
    entry.ids.clear()
    entry.left = 0
    const ids = newest.slice(0, feed.fitting)
    const frameIn = async (of: Scope) =>
      frameOf(ids.length === 0 ? [] : await feed.rows(of, ids), left + newest.length - ids.length, feed.mask)
    try {
      const frame = await frameIn(scope)
      const isLimited = feed.tellsOfPersons === true && stomp().hasLimited(entry.destination)
      return isLimited ? { ...frame, limited: await frameIn({ ...scope, sees: { watchList: false } }) } : frame
    } catch (error) {
      platform.log.error({ err: error, destination: entry.destination }, 'rows of a live frame were not read')
      return frameOf([], left + newest.length)
    }
  }

  /** One frame at a time: rows that are slow to be read must not overtake each other, nor pile up. */
  async function send(entry: Gathered): Promise<void> {
    entry.timer = null
    entry.sending = true
    const frame = await frameFrom(entry)
    const isOwed = stomp().send(entry.destination, frame)
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
      entry = { feed, destination, scope: { parkId }, ids: new Set(), left: 0, timer: null, sending: false, sentAt: -Infinity }
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
