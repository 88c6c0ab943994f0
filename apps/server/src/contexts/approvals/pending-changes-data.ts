/** Rows of changes that wait for a second person; every function takes the scope first. */
import type { InsertObject } from 'kysely'
import type { Tables } from '../../platform/database/tables.ts'
import type { Breach, PendingState } from '@gatehouse/contract/approvals/written-rules'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { NewPassage } from '../strategies/index.ts'

const columns = columnList([
  'id',
  'kind',
  'subjectId',
  'label',
  'body',
  'breaches',
  'state',
  'requestedById',
  'requestedBy',
  'requestedAt',
  'expiresAt',
  'decidedBy',
  'decidedAt',
  'remark',
])

/**
 * Return a page of changes, newest first. A change that was not decided in time counts as expired, although its stored state is
 * not updated.
 */
export async function listPendingChanges(
  scope: Scope,
  db: Database,
  { state, page, size }: { state?: PendingState | undefined; page: number; size: number },
  now: number,
) {
  let rows = db.selectFrom('pendingChange').select(columns).where('parkId', '=', scope.parkId)
  if (state === 'waiting') rows = rows.where('state', '=', 'waiting').where('expiresAt', '>', timestamp(now))
  else if (state === 'expired') rows = rows.where('state', '=', 'waiting').where('expiresAt', '<=', timestamp(now))
  else if (state !== undefined) rows = rows.where('state', '=', state)
  return readPage(rows.orderBy('requestedAt', 'desc').orderBy('id', 'desc'), { page, size })
}
export type PendingRow = Awaited<ReturnType<typeof listPendingChanges>>['content'][number]

export const findPendingChange = (scope: Scope, db: Database, id: string): Promise<PendingRow | undefined> =>
  db.selectFrom('pendingChange').select(columns).where('parkId', '=', scope.parkId).where('id', '=', id).executeTakeFirst()

/** Return the passages shown to the second person, by rule; null where they were not stored, or the change is decided. */
export async function findShownPassages(scope: Scope, db: Database, id: string): Promise<Record<string, NewPassage[]> | null> {
  const row = await db
    .selectFrom('pendingChange')
    .select('passages')
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .executeTakeFirst()
  return (row?.passages ?? null) as Record<string, NewPassage[]> | null
}

/** Return the newest waiting change of each of these subjects, by subject id. */
export async function findWaitingChanges(
  scope: Scope,
  db: Database,
  subjectIds: readonly string[],
  now: number,
): Promise<Map<string, { id: string; requestedBy: string; expiresAt: number }>> {
  const rows = await db
    .selectFrom('pendingChange')
    .select(['id', 'subjectId', 'requestedBy', 'expiresAt'])
    .where('parkId', '=', scope.parkId)
    .where('subjectId', '=', oneOf(subjectIds))
    .where('state', '=', 'waiting')
    .where('expiresAt', '>', timestamp(now))
    .orderBy('requestedAt')
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ subjectId, expiresAt, ...row }) => [subjectId!, { ...row, expiresAt }]))
}

type Inserted = Pick<PendingRow, 'id' | 'kind' | 'subjectId' | 'label' | 'requestedById' | 'requestedBy'> & {
  body: Buffer
  breaches: readonly Breach[]
  passages: Readonly<Record<string, NewPassage[]>>
  requestedAt: number
  expiresAt: number
}

export async function insertPendingChange(scope: Scope, db: Database, row: Inserted): Promise<void> {
  const values: InsertObject<Tables, 'pendingChange'> = {
    id: row.id,
    parkId: scope.parkId,
    kind: row.kind,
    subjectId: row.subjectId,
    label: row.label,
    body: row.body,
    breaches: JSON.stringify(row.breaches),
    passages: JSON.stringify(row.passages),
    state: 'waiting',
    requestedById: row.requestedById,
    requestedBy: row.requestedBy,
    requestedAt: timestamp(row.requestedAt),
    expiresAt: timestamp(row.expiresAt),
    decidedBy: '',
    decidedAt: null,
    remark: '',
  }
  await db.insertInto('pendingChange').values(values).execute()
}

/** Delete earlier waiting changes of the same subject by the same account: the newest request replaces them. */
export async function deleteAskedBefore(
  scope: Scope,
  db: Database,
  { kind, subjectId, label, requestedById }: Pick<PendingRow, 'kind' | 'subjectId' | 'label' | 'requestedById'>,
): Promise<void> {
  let rows = db
    .deleteFrom('pendingChange')
    .where('parkId', '=', scope.parkId)
    .where('state', '=', 'waiting')
    .where('kind', '=', kind)
    .where('requestedById', '=', requestedById)
  rows = subjectId === null ? rows.where('subjectId', 'is', null).where('label', '=', label) : rows.where('subjectId', '=', subjectId)
  await rows.execute()
}

/** End a change that still waits, and delete its body and passages; return false where it does not wait. */
export async function endPendingChange(
  scope: Scope,
  db: Database,
  id: string,
  { state, decidedBy, remark }: Pick<PendingRow, 'state' | 'decidedBy' | 'remark'>,
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('pendingChange')
    .set({ state, decidedBy, decidedAt: timestamp(now), remark, body: null, passages: null })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('expiresAt', '>', timestamp(now))
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** In all parks, delete the bodies and passages of expired changes, and changes that ended long ago. */
export async function forgetOldUnscoped(db: Database, now: number, longAgo: number): Promise<void> {
  await db
    .updateTable('pendingChange')
    .set({ body: null, passages: null })
    .where('body', 'is not', null)
    .where('expiresAt', '<=', timestamp(now))
    .execute()
  await sql`DELETE FROM pending_change WHERE expires_at < ${timestamp(longAgo)}`.execute(db)
}
