/** Records as they are exported; every function takes the scope first. */
import type { Database } from '../../platform/database.ts'
import type { Scope } from '../../platform/session.ts'
import { listRecords, type RecordCursor, type RecordFilter, type RecordRow } from './records-data.ts'
import type { AccessTables } from './schema.ts'

type Db = Database<AccessTables>

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
