/** Windows and pages of the logs. */
import { LIST_OFFSET_MAX, RECORD_WINDOW_DEFAULT, RECORD_WINDOW_MAX } from '@gatehouse/contract'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type * as data from './data.ts'
import type { Viewer } from './service-types.ts'

const DAY = 86_400_000
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Return a filter with its window of time in epoch milliseconds. @throws Refusal 900007 for a window that is empty or too long */
export function within<Query extends { startTime?: number | undefined; endTime?: number | undefined }>(
  { scope: { sees } }: Viewer,
  query: Query,
  now: number,
): data.Within<Query> {
  const end = query.endTime ?? now
  const from = query.startTime ?? end - RECORD_WINDOW_DEFAULT * DAY
  if (from > end || end - from > RECORD_WINDOW_MAX * DAY) refuse(900007, query.endTime === undefined ? 'startTime' : 'endTime')
  return { ...query, from, to: query.endTime ?? null, ...(sees !== undefined && { sees }) }
}

/** Return the position where a page starts. @throws InvalidRequest for a page beyond row 10,000, or a malformed cursor */
export function placeOf({ page, size, after }: { page: number; size: number; after?: string | undefined }): data.Place {
  if (after !== undefined) {
    const [time = '', id = ''] = after.split('_')
    if (!/^\d{1,16}$/.test(time) || !UUID.test(id)) throw new InvalidRequest([{ path: 'after', rule: 'invalid' }])
    return { after: { time: Number(time), id }, offset: 0, limit: size + 1 }
  }
  if (page * size > LIST_OFFSET_MAX)
    throw new InvalidRequest([{ path: 'page', rule: 'max.number', params: { limit: Math.floor(LIST_OFFSET_MAX / size) } }])
  // One row more than the page has shows whether the list goes on.
  return { after: null, offset: (page - 1) * size, limit: size + 1 }
}

/** Return a page, with the cursor of the next one where there is one. @param rows of the page, and one more if there is one */
export function pageOf<Row extends { id: string; time: unknown }, Shown>(
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
