/** Extension points of alarms, implemented by areas above it. */
import { extensionPoint } from '../../platform/extension-points.ts'
import type { Scope } from '../../platform/session/session.ts'

/** A recording that covers an event at a door. */
export interface EventClip {
  url: string
  startTime: number
  endTime: number
}

/** Returns the clip of an event of a device; null where no recording covers its time. `endedAt` null: it lasts. */
export type FindEventClip = (
  scope: Scope,
  event: { deviceId: string; startedAt: number; endedAt: number | null },
) => Promise<EventClip | null>
export const eventClips = extensionPoint<FindEventClip>('alarms.eventClips')
