/** Windows of time and pages of lists that show the newest first. */
import { LIST_OFFSET_MAX, RECORD_WINDOW_DEFAULT, RECORD_WINDOW_MAX } from '@gatehouse/contract'
import { isUuid } from '../database/ids.ts'
import { InvalidRequest, refuse } from './refusal.ts'

const DAY = 86_400_000
/** The latest moment that a date has. */
const LATEST = 8_640_000_000_000_000

/** A window in epoch milliseconds, both ends inclusive; `to` null: nothing is cut off, since clocks of devices may be ahead. */
export interface MomentWindow {
  from: number
  to: number | null
}

/** The place of a row in an order by time. */
export interface Cursor {
  time: number
  id: string
}

/** The position where a page starts. */
export interface Place {
  /** The last row of the page before it; null: the page is counted by `offset`. */
  after: Cursor | null
  offset: number
  /** Rows of the page and one more, which shows whether the list goes on. */
  limit: number
}

/**
 * Return the window of a query, by default the last `days` up to now.
 * @throws Refusal 900007 for a window that ends before it begins or is too long
 */
export function momentsOf(
  query: { startTime?: number | undefined; endTime?: number | undefined },
  now: number,
  days: number = RECORD_WINDOW_DEFAULT,
): MomentWindow {
  const end = query.endTime ?? now
  const from = query.startTime ?? end - days * DAY
  if (from > end || end - from > RECORD_WINDOW_MAX * DAY) refuse(900007, query.endTime === undefined ? 'startTime' : 'endTime')
  return { from, to: query.endTime ?? null }
}

/** Return the position where a page starts. @throws InvalidRequest for a page beyond row 10,000, or a malformed cursor */
export function placeOf({ page, size, after }: { page: number; size: number; after?: string | undefined }): Place {
  if (after !== undefined) {
    const [time = '', id = '', more] = after.split('_')
    if (!/^\d{1,16}$/.test(time) || Number(time) > LATEST || !isUuid(id) || more !== undefined)
      throw new InvalidRequest([{ path: 'after', rule: 'invalid' }])
    return { after: { time: Number(time), id }, offset: 0, limit: size + 1 }
  }
  if (page * size > LIST_OFFSET_MAX)
    throw new InvalidRequest([{ path: 'page', rule: 'max.number', params: { limit: Math.floor(LIST_OFFSET_MAX / size) } }])
  return { after: null, offset: (page - 1) * size, limit: size + 1 }
}

/** Return a page, with the cursor of the next one where there is one. @param rows of the page, and one more if there is one */
export function newestFirst<Row extends { id: string; time: unknown }, Shown>(
  query: { page: number; size: number },
  total: number,
  rows: readonly Row[],
  content: Shown[],
) {
  const last = rows[query.size - 1]
  return {
    total,
    totalExact: total <= LIST_OFFSET_MAX,
    content,
    page: query.page,
    size: query.size,
    ...(rows.length > query.size && last !== undefined && { next: `${last.time as number}_${last.id}` }),
  }
}
