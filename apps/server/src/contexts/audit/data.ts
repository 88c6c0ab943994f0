/** Rows of the operation log and of the log of reads; the tables are the platform's. Every function takes the scope first. */
import type { z } from 'zod'
import { LIST_OFFSET_MAX } from '@gatehouse/contract'
import type { operationQuery, readQuery } from '@gatehouse/contract/audit/calls'
import type { LogModule } from '@gatehouse/contract/audit/modules'
import { specialCalls } from '@gatehouse/contract/people/special'
import type { AuditTables } from '../../platform/audit/migration.ts'
import type { StoredChange } from '../../platform/audit/sealed.ts'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import type { Unseen } from '../people/index.ts'
import { countUpTo } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'

type Db = Database<AuditTables>
export type OperationQuery = z.output<typeof operationQuery>
export type ReadQuery = z.output<typeof readQuery>

/** Entries of one park, or of all. */
export type LogScope = { readonly parkId: string } | 'all'

/** A query with its window worked out, and what whoever asks may see in whichever park. */
export type Within<Query> = Query & Pick<Scope, 'sees'> & { from: number; to: number | null }

/** Place of a row in the order of the list, newest first. */
export interface LogCursor {
  time: number
  id: string
}
export interface Place {
  after: LogCursor | null
  offset: number
  limit: number
}

const actorColumns = columnList(['id', 'park_id as parkId', 'occurred_at as time', 'account', 'operator', 'source', 'method', 'url', 'ip'])

const textArray = (texts: ReadonlySet<string>) => sql`${sql.val([...texts])}::text[]`

/** Whether a change, `one` of an entry's, is about somebody who does not exist for the viewer, or about the watch list itself. */
const isUnseen = ({ ids, names }: Unseen) => sql<boolean>`(one ? 'watched' OR one ->> 'id' = ANY(${textArray(ids)})
  OR (one ? 'labelMask' AND one ->> 'label' = ANY(${textArray(names)})))`

/** The changes of an entry that the viewer may know of, as JSON. */
const seenChanges = (unseen: Unseen | null) =>
  unseen === null
    ? sql<StoredChange[]>`changes`
    : sql<StoredChange[]>`(SELECT coalesce(jsonb_agg(one), '[]') FROM jsonb_array_elements(changes) one WHERE NOT ${isUnseen(unseen)})`

/**
 * Leaves out entries that are about nobody else, whatever is searched for.
 * @param label pattern of what one of the others is called; null: whatever it is called
 */
const hasSeenChanges = (unseen: Unseen, label: string | null) =>
  sql<boolean>`((changes = '[]' AND ${label === null}) OR EXISTS (SELECT FROM jsonb_array_elements(changes) one WHERE NOT ${isUnseen(unseen)}
    AND ${label === null ? sql`true` : isCalled(label)}))`
const isCalled = (label: string) => sql<boolean>`one ->> 'label' ILIKE ${label}`
/** Whether something the entry is about is called so. The labels stand together in a column, which finds parts of them and no whole ones. */
const hasLabel = (label: string) => sql<boolean>`EXISTS (SELECT FROM jsonb_array_elements(changes) one WHERE ${isCalled(label)})`

/** Addresses of the watch list: what was done there is about nobody else, whether or not it can still be told whom. */
const WATCH_LIST = Object.values(specialCalls).map(({ url }) => url)

/** The filter of the operation log; each condition names its index in the migration. */
function operations(scope: LogScope, db: Db, query: Within<OperationQuery>, unseen: Unseen | null) {
  let rows = db.selectFrom('operation_log').where('occurred_at', '>=', timestamp(query.from))
  if (scope !== 'all') rows = rows.where('park_id', '=', scope.parkId)
  if (query.to !== null) rows = rows.where('occurred_at', '<=', timestamp(query.to))
  if (query.module !== undefined) rows = rows.where('module', '=', query.module)
  if (query.source !== undefined) rows = rows.where('source', '=', query.source)
  if (query.account !== undefined && query.account !== '') rows = rows.where('account', 'ilike', containing(query.account))
  if (query.operator !== undefined && query.operator !== '') rows = rows.where('operator', 'ilike', personalPattern(query, query.operator))
  const label = query.subject === undefined || query.subject === '' ? null : personalPattern(query, query.subject)
  if (label !== null) rows = rows.where('labels', 'ilike', containing(query.subject!))
  if (label !== null && query.sees?.masked === true) rows = rows.where(hasLabel(label))
  if (unseen !== null) rows = rows.where(hasSeenChanges(unseen, label)).where('url', 'not in', WATCH_LIST)
  return rows
}

const beyond = (after: LogCursor) => sql<boolean>`(occurred_at, id) < (${timestamp(after.time)}, ${after.id}::uuid)`

/** Things named in a row of the list. */
export const SUBJECTS_SHOWN = 5

export async function listOperations(
  scope: LogScope,
  db: Db,
  query: Within<OperationQuery>,
  unseen: Unseen | null,
  { after, offset, limit }: Place,
) {
  let rows = operations(scope, db, query, unseen)
  if (after !== null) rows = rows.where(beyond(after))
  return rows
    .select(actorColumns)
    .select(['module'])
    .select(sql<number>`jsonb_array_length(${seenChanges(unseen)})`.as('subjectCount'))
    .select(
      sql<Omit<StoredChange, 'sealed'>[]>`(SELECT coalesce(jsonb_agg(one - 'sealed'), '[]') FROM (
        SELECT one FROM jsonb_array_elements(${seenChanges(unseen)}) one LIMIT ${sql.lit(SUBJECTS_SHOWN)}) first)`.as('subjects'),
    )
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(after === null ? offset : 0)
    .execute()
}

/** How many there are, counted to one beyond what pages reach. */
export function countOperations(scope: LogScope, db: Db, query: Within<OperationQuery>, unseen: Unseen | null): Promise<number> {
  return countUpTo(db, operations(scope, db, query, unseen).select('id'), LIST_OFFSET_MAX + 1)
}

/** One entry with all its changes that the viewer may know of; undefined where it has no other. */
export async function findOperation(scope: LogScope, db: Db, id: string, unseen: Unseen | null) {
  let rows = db.selectFrom('operation_log').where('id', '=', id)
  if (scope !== 'all') rows = rows.where('park_id', '=', scope.parkId)
  if (unseen !== null) rows = rows.where(hasSeenChanges(unseen, null)).where('url', 'not in', WATCH_LIST)
  return rows
    .select(actorColumns)
    .select(['module', seenChanges(unseen).as('changes')])
    .executeTakeFirst()
}

/** The filter of the log of reads. */
function reads(scope: LogScope, db: Db, query: Within<ReadQuery>, unseen: Unseen | null) {
  let rows = db.selectFrom('read_log').where('occurred_at', '>=', timestamp(query.from))
  if (scope !== 'all') rows = rows.where('park_id', '=', scope.parkId)
  if (query.to !== null) rows = rows.where('occurred_at', '<=', timestamp(query.to))
  if (query.source !== undefined) rows = rows.where('source', '=', query.source)
  if (query.account !== undefined && query.account !== '') rows = rows.where('account', 'ilike', containing(query.account))
  if (query.subject !== undefined) rows = rows.where('subjects', '@>', sql<string[]>`ARRAY[${query.subject}]`)
  if (unseen !== null) {
    const ids = textArray(unseen.ids)
    rows = rows.where('url', 'not in', WATCH_LIST).where(sql<boolean>`(subjects = '{}' OR NOT subjects <@ ${ids})`)
    if (query.subject !== undefined && unseen.ids.has(query.subject)) rows = rows.where(sql<boolean>`false`)
  }
  return rows
}

const seenSubjects = (unseen: Unseen | null) =>
  unseen === null
    ? sql<string[]>`subjects`
    : sql<
        string[]
      >`ARRAY(SELECT subject FROM unnest(subjects) WITH ORDINALITY AS named (subject, place) WHERE NOT subject = ANY(${textArray(unseen.ids)}) ORDER BY place)`

export async function listReads(scope: LogScope, db: Db, query: Within<ReadQuery>, unseen: Unseen | null, { after, offset, limit }: Place) {
  let rows = reads(scope, db, query, unseen)
  if (after !== null) rows = rows.where(beyond(after))
  return rows
    .select(actorColumns)
    .select(['persons', seenSubjects(unseen).as('subjects')])
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(after === null ? offset : 0)
    .execute()
}

export function countReads(scope: LogScope, db: Db, query: Within<ReadQuery>, unseen: Unseen | null): Promise<number> {
  return countUpTo(db, reads(scope, db, query, unseen).select('id'), LIST_OFFSET_MAX + 1)
}

/** Deletes some of the entries before a moment, of all parks; answers how many. */
export async function deleteBeforeUnscoped(db: Db, table: 'operation_log' | 'read_log', before: number, limit: number): Promise<number> {
  const oldest = db.selectFrom(table).select('id').where('occurred_at', '<', timestamp(before)).orderBy('occurred_at').limit(limit)
  const deleted = await db.deleteFrom(table).where('id', 'in', oldest).executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

export type OperationRow = Awaited<ReturnType<typeof listOperations>>[number] & { module: string | LogModule }
export type ReadRow = Awaited<ReturnType<typeof listReads>>[number]
