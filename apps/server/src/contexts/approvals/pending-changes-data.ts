/** Rows of changes that wait for a second person; every function takes the scope first. */
import type { Breach, PendingState } from '@gatehouse/contract/approvals/written-rules'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { readPage } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { NewPassage } from '../strategies/index.ts'
import type { WrittenRuleTables } from './written-rules-schema.ts'

type Db = Database<WrittenRuleTables>

const columns = columnList([
  'id',
  'kind',
  'subject_id as subjectId',
  'label',
  'body',
  'breaches',
  'state',
  'requested_by_id as requestedById',
  'requested_by as requestedBy',
  'requested_at as requestedAt',
  'expires_at as expiresAt',
  'decided_by as decidedBy',
  'decided_at as decidedAt',
  'remark',
])

/** One that nobody decided in time has expired, though nobody wrote that down. */
export async function listPendingChanges(
  scope: Scope,
  db: Db,
  { state, page, size }: { state?: PendingState | undefined; page: number; size: number },
  now: number,
) {
  let rows = db.selectFrom('pending_change').select(columns).where('park_id', '=', scope.parkId)
  if (state === 'waiting') rows = rows.where('state', '=', 'waiting').where('expires_at', '>', timestamp(now))
  else if (state === 'expired') rows = rows.where('state', '=', 'waiting').where('expires_at', '<=', timestamp(now))
  else if (state !== undefined) rows = rows.where('state', '=', state)
  return readPage(rows.orderBy('requested_at', 'desc').orderBy('id', 'desc'), { page, size })
}
export type PendingRow = Awaited<ReturnType<typeof listPendingChanges>>['content'][number]

export const findPendingChange = (scope: Scope, db: Db, id: string): Promise<PendingRow | undefined> =>
  db.selectFrom('pending_change').select(columns).where('park_id', '=', scope.parkId).where('id', '=', id).executeTakeFirst()

/** By rule, what whoever agrees has been shown; null where that was not kept, or it is decided. */
export async function findShownPassages(scope: Scope, db: Db, id: string): Promise<Record<string, NewPassage[]> | null> {
  const row = await db
    .selectFrom('pending_change')
    .select('passages')
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .executeTakeFirst()
  return (row?.passages ?? null) as Record<string, NewPassage[]> | null
}

/** The newest change of each of these things that waits, by what it would change. */
export async function findWaitingChanges(
  scope: Scope,
  db: Db,
  subjectIds: readonly string[],
  now: number,
): Promise<Map<string, { id: string; requestedBy: string; expiresAt: number }>> {
  const rows = await db
    .selectFrom('pending_change')
    .select(['id', 'subject_id as subjectId', 'requested_by as requestedBy', 'expires_at as expiresAt'])
    .where('park_id', '=', scope.parkId)
    .where('subject_id', '=', oneOf(subjectIds))
    .where('state', '=', 'waiting')
    .where('expires_at', '>', timestamp(now))
    .orderBy('requested_at')
    .orderBy('id')
    .execute()
  return new Map(rows.map(({ subjectId, expiresAt, ...row }) => [subjectId!, { ...row, expiresAt: expiresAt as number }]))
}

type Inserted = Pick<PendingRow, 'id' | 'kind' | 'subjectId' | 'label' | 'requestedById' | 'requestedBy'> & {
  body: Buffer
  breaches: readonly Breach[]
  passages: Readonly<Record<string, NewPassage[]>>
  requestedAt: number
  expiresAt: number
}

export async function insertPendingChange(scope: Scope, db: Db, row: Inserted): Promise<void> {
  const values: WrittenRuleTables['pending_change'] = {
    id: row.id,
    park_id: scope.parkId,
    kind: row.kind,
    subject_id: row.subjectId,
    label: row.label,
    body: row.body,
    breaches: JSON.stringify(row.breaches),
    passages: JSON.stringify(row.passages),
    state: 'waiting',
    requested_by_id: row.requestedById,
    requested_by: row.requestedBy,
    requested_at: timestamp(row.requestedAt),
    expires_at: timestamp(row.expiresAt),
    decided_by: '',
    decided_at: null,
    remark: '',
  }
  await db.insertInto('pending_change').values(values).execute()
}

/** Takes back what the same account asked for of the same thing before: what it asks for now is what counts. */
export async function deleteAskedBefore(
  scope: Scope,
  db: Db,
  { kind, subjectId, label, requestedById }: Pick<PendingRow, 'kind' | 'subjectId' | 'label' | 'requestedById'>,
): Promise<void> {
  let rows = db
    .deleteFrom('pending_change')
    .where('park_id', '=', scope.parkId)
    .where('state', '=', 'waiting')
    .where('kind', '=', kind)
    .where('requested_by_id', '=', requestedById)
  rows = subjectId === null ? rows.where('subject_id', 'is', null).where('label', '=', label) : rows.where('subject_id', '=', subjectId)
  await rows.execute()
}

/** Ends one that still waits; false where it does not. What it would have saved is forgotten. */
export async function endPendingChange(
  scope: Scope,
  db: Db,
  id: string,
  { state, decidedBy, remark }: Pick<PendingRow, 'state' | 'decidedBy' | 'remark'>,
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('pending_change')
    .set({ state, decided_by: decidedBy, decided_at: timestamp(now), remark, body: null, passages: null })
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('expires_at', '>', timestamp(now))
    .executeTakeFirst()
  return Number(result.numUpdatedRows) === 1
}

/** In all parks: forgets what expired ones would have saved, and those that ended long ago altogether. */
export async function forgetOldUnscoped(db: Db, now: number, longAgo: number): Promise<void> {
  await db
    .updateTable('pending_change')
    .set({ body: null, passages: null })
    .where('body', 'is not', null)
    .where('expires_at', '<=', timestamp(now))
    .execute()
  await sql`DELETE FROM pending_change WHERE expires_at < ${timestamp(longAgo)}`.execute(db)
}
