/** The list of visits: its filters, its order and its counts. */
import { countUpTo } from '../../platform/database/page.ts'
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import type { Scope } from '../../platform/session/session.ts'
import { phoneQuery } from '../people/index.ts'
import { visitColumns, type VisitRow } from './visits-data.ts'

export interface VisitFilter {
  keyword?: string | undefined
  status?: readonly number[] | undefined
  source?: number | undefined
  intervieweeId?: string | undefined
  visitorGroupId?: string | undefined
  from: number | null
  to: number | null
  /** Only visits whose authorisation has not ended by then; absent: all. */
  validAt?: number
}

export interface VisitCursor {
  time: number
  id: string
}

/** Rows counted exactly; beyond, a list says that there are more. */
export const COUNTED_MAX = 10_001

function filtered(scope: Scope, { db, crypto }: { db: Database; crypto: Pick<Crypto, 'blindIndex'> }, filter: VisitFilter) {
  let rows = db.selectFrom('visit').where('parkId', '=', scope.parkId)
  if (filter.from !== null) rows = rows.where('visitAt', '>=', timestamp(filter.from))
  if (filter.to !== null) rows = rows.where('visitAt', '<=', timestamp(filter.to))
  if (filter.status !== undefined && filter.status.length > 0) rows = rows.where('status', 'in', [...filter.status])
  if (filter.source !== undefined) rows = rows.where('source', '=', filter.source)
  if (filter.intervieweeId !== undefined) rows = rows.where('hostId', '=', filter.intervieweeId)
  if (filter.visitorGroupId !== undefined) rows = rows.where('visitorGroupId', '=', filter.visitorGroupId)
  if (filter.validAt !== undefined) rows = rows.where('expiresAt', '>=', timestamp(filter.validAt)).where('enabled', '=', true)
  if (filter.keyword) {
    const pattern = personalPattern(scope, filter.keyword)
    const { whole, ending } = phoneQuery(crypto, scope, filter.keyword)
    rows = rows.where(
      sql<boolean>`(name ILIKE ${pattern} OR host_name ILIKE ${pattern}
        OR phone_index = ANY(${sql.val(whole)}::bytea[]) OR phone_ending = ${ending}::bytea)`,
    )
  }
  return rows
}

type From = Parameters<typeof filtered>[1]

/** Return at most `limit` visits after the cursor, the latest first; without a cursor, from the offset on. */
export function listVisits(
  scope: Scope,
  from: From,
  filter: VisitFilter,
  { after, offset, limit }: { after: VisitCursor | null; offset: number; limit: number },
): Promise<VisitRow[]> {
  let rows = filtered(scope, from, filter)
  if (after !== null) rows = rows.where(sql<boolean>`(visit_at, id) < (${timestamp(after.time)}, ${after.id}::uuid)`)
  return rows
    .select(visitColumns)
    .orderBy('visitAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .$if(after === null && offset > 0, (later) => later.offset(offset))
    .execute()
}

export const countVisits = (scope: Scope, from: From, filter: VisitFilter): Promise<number> =>
  countUpTo(from.db, filtered(scope, from, filter).select('id'), COUNTED_MAX)

export interface DayCounts {
  pending: number
  expected: number
  present: number
  overdue: number
  gone: number
}

/** Return the counts of a day of the park; `pending` and `present` are of any day. */
export async function countDay(scope: Scope, db: Database, day: { from: number; to: number; now: number }): Promise<DayCounts> {
  const [from, to, now] = [timestamp(day.from), timestamp(day.to), timestamp(day.now)]
  const [open, ended] = await Promise.all([
    db
      .selectFrom('visit')
      .select((eb) => [
        eb.fn.countAll<number>().filterWhere('status', 'in', [0, 5]).as('pending'),
        eb.fn.countAll<number>().filterWhere('status', 'in', [1, 9]).filterWhere('visitAt', '<', to).as('expected'),
        eb.fn.countAll<number>().filterWhere('status', '=', 2).as('present'),
        eb.fn.countAll<number>().filterWhere('status', '=', 2).filterWhere('visitEndAt', '<', now).as('overdue'),
      ])
      .where('parkId', '=', scope.parkId)
      .where('status', 'in', [0, 1, 2, 5, 9])
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('visit')
      .select((eb) => eb.fn.countAll<number>().as('gone'))
      .where('parkId', '=', scope.parkId)
      .where('endedAt', '>=', from)
      .where('endedAt', '<', to)
      .where('status', 'in', [3, 8])
      .executeTakeFirstOrThrow(),
  ])
  return { ...open, ...ended }
}
