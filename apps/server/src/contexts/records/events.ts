/** Events of this area. Their moments say which months the records lie in; events of earlier versions have no moments. */
import { z } from 'zod'
import { defineEvent } from '../../platform/events/events.ts'

/** Records were stored; `from` and `to` are the moments of the earliest and the latest. */
export const recordsReceived = defineEvent(
  'records.received',
  z.object({ recordIds: z.array(z.string()), from: z.number().optional(), to: z.number().optional() }),
)
/** The picture of a record arrived. */
export const recordPictured = defineEvent('record.pictured', z.object({ recordId: z.string(), time: z.number().optional() }))
/** A person of the watch list was found on the picture of a record. */
export const watchListHitNoted = defineEvent('watchListHit.noted', z.object({ recordId: z.string(), time: z.number().optional() }))

/** Return the moments between which the records of an event lie; undefined where the event has none. */
export function spanOf({ from, to, time }: { from?: number | undefined; to?: number | undefined; time?: number | undefined }) {
  const [earliest, latest] = [from ?? time, to ?? time]
  return earliest === undefined || latest === undefined ? undefined : { from: earliest, to: latest }
}
