/** Windows of the logs. */
import { momentsOf } from '../../platform/http/newest-first.ts'
import type * as data from './data.ts'
import type { Viewer } from './service-types.ts'

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Return a filter with its window of time in epoch milliseconds. @throws Refusal 900007 for a window that is empty or too long */
export function within<Query extends { startTime?: number | undefined; endTime?: number | undefined }>(
  { scope: { sees } }: Viewer,
  query: Query,
  now: number,
): data.Within<Query> {
  return { ...query, ...momentsOf(query, now), ...(sees !== undefined && { sees }) }
}
