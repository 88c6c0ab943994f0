/** Pages of alarms: their window of time, and the cursor by which they continue. */
import { LIST_OFFSET_MAX, RECORD_WINDOW_MAX, pageOf } from '@gatehouse/contract'
import { isUuid } from '../../platform/database/ids.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'

const DAY = 86_400_000
const DAYS_SHOWN = 7
/** Rows counted exactly; beyond, a list says that there are more. */
export const COUNTED_MAX = LIST_OFFSET_MAX + 1

export interface AlarmCursor {
  time: number
  id: string
}

export interface AlarmPlace {
  page: number
  size: number
  after: AlarmCursor | null
}

/**
 * Return the window of a query, by default the last days. Without an end nothing is cut off: clocks of devices may be ahead.
 * @throws Refusal 900007 a window that ends before it begins or is too long
 */
export function windowOf(
  query: { startTime?: number | undefined; endTime?: number | undefined },
  now: number,
): { from: number; to: number | null } {
  const end = query.endTime ?? now
  const from = query.startTime ?? end - DAYS_SHOWN * DAY
  if (from > end || end - from > RECORD_WINDOW_MAX * DAY) refuse(900007, query.endTime === undefined ? 'startTime' : 'endTime')
  return { from, to: query.endTime ?? null }
}

export const cursorOf = ({ time, id }: AlarmCursor): string => `${time}_${id}`

function readCursor(text: string | undefined): AlarmCursor | null {
  if (text === undefined) return null
  const [time = '', id = ''] = text.split('_')
  if (!/^\d{1,16}$/.test(time) || !isUuid(id)) throw new InvalidRequest([{ path: 'after', rule: 'invalid' }])
  return { time: Number(time), id }
}

/** Return the requested place in a list. @throws InvalidRequest a page beyond row 10,000, a cursor that is none */
export function placeOf(query: Parameters<typeof pageOf>[0] & { after?: string | undefined }): AlarmPlace {
  const { page, size } = pageOf(query)
  const after = readCursor(query.after)
  if (after === null && page * size > LIST_OFFSET_MAX)
    throw new InvalidRequest([{ path: 'page', rule: 'max.number', params: { limit: Math.floor(LIST_OFFSET_MAX / size) } }])
  return { page, size, after }
}
