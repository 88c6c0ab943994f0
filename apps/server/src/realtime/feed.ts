/** Events to live screens: a table of event, destination and rows, gathered to at most ten frames a second. */
import type { OrganisationService } from '../contexts/organisation/index.ts'
import { holdingsChanged, recordPictured, recordsReceived, type AccessService } from '../contexts/access/index.ts'
import { deviceStatusChanged, type DevicesService } from '../contexts/devices/index.ts'
import { topics } from '@gatehouse/contract/realtime'
import type { Platform } from '../platform/context.ts'
import { on } from '../platform/events.ts'
import type { Scope } from '../platform/session.ts'
import { FRAME_LIMIT, type Stomp } from './stomp.ts'

const FRAME_EVERY_MS = 100
/** More rows never fit a frame: those beyond are counted without being read. */
const FRAME_ROWS = 64

interface Feed {
  destination: string
  rows(scope: Scope, ids: readonly string[]): Promise<{ id: string }[]>
}

export interface LiveFeed {
  stop(): void
}

/** A frame of as many rows as fit, the newest first; the rest is only counted. @param total of which `rows` are the first */
export function frameOf(rows: readonly unknown[], total = rows.length): string {
  let taken = rows.length
  for (;;) {
    const body = JSON.stringify({ rows: rows.slice(0, taken), ...(taken < total && { more: total - taken }) })
    // Room for the frame's own headers.
    if (Buffer.byteLength(body) <= FRAME_LIMIT - 512 || taken === 0) return body
    taken = Math.floor(taken / 2)
  }
}

export function createLiveFeed(
  platform: Platform,
  stomp: () => Stomp,
  { access, devices, organisation }: { access: AccessService; devices: DevicesService; organisation: OrganisationService },
): LiveFeed {
  const records: Feed = { destination: topics.accessRecord.destination, rows: (scope, ids) => access.rows(scope, ids) }
  const statuses: Feed = {
    destination: topics.deviceStatus.destination,
    async rows(scope, ids) {
      return (await devices.some(scope, ids)).map(({ id, onlineStatus, lastSeenAt, personsDesired, personsHeld }) => ({ id, onlineStatus, lastSeenAt, personsDesired, personsHeld }))
    },
  }
  const gathered = new Map<string, { feed: Feed; scope: Scope; ids: Set<string>; timer: NodeJS.Timeout | null; sentAt: number }>()

  async function send(key: string): Promise<void> {
    const entry = gathered.get(key)!
    entry.timer = null
    entry.sentAt = platform.clock.now()
    const ids = [...entry.ids].toReversed()
    entry.ids.clear()
    if (stomp().hasListeners(key)) stomp().send(key, frameOf(await entry.feed.rows(entry.scope, ids.slice(0, FRAME_ROWS)), ids.length))
  }

  /** The first row goes out at once; those that follow within a tenth of a second travel together. */
  function push(feed: Feed, parkId: string, ids: readonly string[]): void {
    const scope = { parkId }
    const key = feed.destination.replace('{areaCode}', organisation.park(scope).areaCode)
    let entry = gathered.get(key)
    if (entry === undefined) gathered.set(key, (entry = { feed, scope, ids: new Set(), timer: null, sentAt: 0 }))
    for (const id of ids) entry.ids.add(id)
    if (entry.timer !== null) return
    // A clock that was set back must not hold a frame for longer.
    const wait = Math.min(FRAME_EVERY_MS, Math.max(0, entry.sentAt + FRAME_EVERY_MS - platform.clock.now()))
    entry.timer = setTimeout(() => void send(key).catch((error: unknown) => platform.log.error({ err: error }, 'a live frame was not sent')), wait)
  }

  platform.events.consume({
    name: 'realtime.feed',
    mode: 'everyNode',
    handlers: [
      on(recordsReceived, ({ parkId, payload }) => push(records, parkId, payload.recordIds)),
      on(recordPictured, ({ parkId, payload }) => push(records, parkId, [payload.recordId])),
      on(deviceStatusChanged, ({ parkId, payload }) => push(statuses, parkId, payload.deviceIds)),
      on(holdingsChanged, ({ parkId, payload }) => push(statuses, parkId, payload.deviceIds)),
    ],
  })
  return {
    stop() {
      for (const { timer } of gathered.values()) if (timer !== null) clearTimeout(timer)
    },
  }
}
