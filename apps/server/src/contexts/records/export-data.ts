/** Records as they are exported; every function takes the scope first. */
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import type { Cursor } from '../../platform/http/newest-first.ts'
import type { Scope } from '../../platform/session/session.ts'
import { listRecords, type RecordFilter, type RecordRow } from './records-data.ts'

/** Yield records newest first, a page at a time, without those received after `receivedUntil`. */
export async function* readExported(
  scope: Scope,
  db: Database,
  filter: RecordFilter,
  receivedUntil: number,
  size: number,
): AsyncGenerator<RecordRow[]> {
  let after: Cursor | null = null
  for (;;) {
    const rows: RecordRow[] = await listRecords(scope, db, filter, { after, offset: 0, limit: size })
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.filter(({ receivedAt }) => receivedAt <= receivedUntil)
    if (rows.length < size) return
    after = { time: last.time, id: last.id }
  }
}

/**
 * Return the group each person belonged to when they passed, by record id. Records of strangers and of persons of other parks
 * have none.
 */
export async function findGroupsAt(
  scope: Scope,
  db: Database,
  records: readonly Pick<RecordRow, 'id' | 'time'>[],
): Promise<Map<string, string>> {
  if (records.length === 0) return new Map()
  const times = records.map(({ time }) => time)
  const rows = await db
    .selectFrom('accessRecord')
    .select(['id', 'personGroupId as groupId'])
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(records.map(({ id }) => id)))
    // Without these bounds every month's partition would be searched.
    .where('occurredAt', '>=', timestamp(Math.min(...times)))
    .where('occurredAt', '<=', timestamp(Math.max(...times)))
    .where('personGroupId', 'is not', null)
    .execute()
  return new Map(rows.map(({ id, groupId }) => [id, groupId!]))
}
