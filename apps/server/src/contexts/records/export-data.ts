/** Records as they are exported; every function takes the scope first. */
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { listRecords, type RecordCursor, type RecordFilter, type RecordRow } from './records-data.ts'
import type { RecordTables } from './schema.ts'

type Db = Database<RecordTables>

/** Newest first, a page at a time; those that came after `receivedUntil` are left out. */
export async function* readExported(
  scope: Scope,
  db: Db,
  filter: RecordFilter,
  receivedUntil: number,
  size: number,
): AsyncGenerator<RecordRow[]> {
  let after: RecordCursor | null = null
  for (;;) {
    const rows: RecordRow[] = await listRecords(scope, db, filter, { after, offset: 0, limit: size })
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows.filter(({ receivedAt }) => (receivedAt as number) <= receivedUntil)
    if (rows.length < size) return
    after = { time: last.time as number, id: last.id }
  }
}

/** Groups that the persons of these records belonged to when they passed, by record; strangers and persons of other parks had none here. */
export async function findGroupsAt(scope: Scope, db: Db, records: readonly Pick<RecordRow, 'id' | 'time'>[]): Promise<Map<string, string>> {
  if (records.length === 0) return new Map()
  const times = records.map(({ time }) => time as number)
  const rows = await db
    .selectFrom('access_record')
    .select(['id', 'person_group_id as groupId'])
    .where('park_id', '=', scope.parkId)
    .where('id', '=', oneOf(records.map(({ id }) => id)))
    // Months are left out by this alone.
    .where('occurred_at', '>=', timestamp(Math.min(...times)))
    .where('occurred_at', '<=', timestamp(Math.max(...times)))
    .where('person_group_id', 'is not', null)
    .execute()
  return new Map(rows.map(({ id, groupId }) => [id, groupId!]))
}
