/** Rows of the operation log and of the log of reads; the tables are the platform's. Every function takes the scope first. */
import type { z } from 'zod'
import { LIST_OFFSET_MAX } from '@gatehouse/contract'
import type { operationQuery, readQuery } from '@gatehouse/contract/audit/calls'
import type { LogModule } from '@gatehouse/contract/audit/modules'
import { specialCalls } from '@gatehouse/contract/people/special'
import type { StoredChange } from '../../platform/audit/sealed.ts'
import { columnList } from '../../platform/database/column-list.ts'
import { containing, sql, timestamp, type Database } from '../../platform/database/database.ts'
import { personalPattern } from '../../platform/session/masking.ts'
import type { Unseen } from '../people/index.ts'
import type { Place } from '../../platform/http/newest-first.ts'
import { countUpTo } from '../../platform/database/page.ts'
import type { Scope } from '../../platform/session/session.ts'

export type OperationQuery = z.output<typeof operationQuery>
export type ReadQuery = z.output<typeof readQuery>

/** Entries of one park, or of all. */
export type LogScope = { readonly parkId: string } | 'all'

/** A query with its window of time, and what the viewer may see in any park. */
export type Within<Query> = Query & Pick<Scope, 'sees'> & { from: number; to: number | null }

const actorColumns = columnList(['id', 'parkId', 'occurredAt as time', 'account', 'operator', 'source', 'method', 'url', 'ip'])

const textArray = (texts: ReadonlySet<string>) => sql`${sql.val([...texts])}::text[]`

/** Return whether a change, `one` of an entry's, is about a person who does not exist for the viewer, or about the watch list itself. */
const isUnseen = ({ ids, names }: Unseen) => sql<boolean>`(one ? 'watched' OR one ->> 'id' = ANY(${textArray(ids)})
  OR (one ? 'labelMask' AND one ->> 'label' = ANY(${textArray(names)})))`

/** Return the changes of an entry that the viewer may know of, as JSON. */
const seenChanges = (unseen: Unseen | null) =>
  unseen === null
    ? sql<StoredChange[]>`changes`
    : sql<StoredChange[]>`(SELECT coalesce(jsonb_agg(one), '[]') FROM jsonb_array_elements(changes) one WHERE NOT ${isUnseen(unseen)})`

/**
 * Return whether the viewer may know of an entry: it has no changes and no label is searched for, or a change that the viewer may know of
 * matches.
 * @param label pattern of the label of that change; null: any label
 */
const hasSeenChanges = (unseen: Unseen, label: string | null) =>
  sql<boolean>`((changes = '[]' AND ${label === null}) OR EXISTS (SELECT FROM jsonb_array_elements(changes) one
    WHERE NOT ${isUnseen(unseen)}
    AND ${label === null ? sql`true` : isCalled(label)}))`
const isCalled = (label: string) => sql<boolean>`one ->> 'label' ILIKE ${label}`
/**
 * Return whether a thing that the entry is about has this label. The column `labels` joins all labels, so it finds parts of them but no
 * whole ones.
 */
const hasLabel = (label: string) => sql<boolean>`EXISTS (SELECT FROM jsonb_array_elements(changes) one WHERE ${isCalled(label)})`

/** Addresses of the calls of the watch list. Their entries are about nobody else, whether or not the persons can still be determined. */
const WATCH_LIST = Object.values(specialCalls).map(({ url }) => url)

/** The filter of the operation log; each condition names its index in the migration. */
function operations(scope: LogScope, db: Database, query: Within<OperationQuery>, unseen: Unseen | null) {
  let rows = db.selectFrom('operationLog').where('occurredAt', '>=', timestamp(query.from))
  if (scope !== 'all') rows = rows.where('parkId', '=', scope.parkId)
  if (query.to !== null) rows = rows.where('occurredAt', '<=', timestamp(query.to))
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

const beyond = (after: NonNullable<Place['after']>) => sql<boolean>`(occurred_at, id) < (${timestamp(after.time)}, ${after.id}::uuid)`

/** Most things named in a row of the list. */
export const SUBJECTS_SHOWN = 5

export async function listOperations(
  scope: LogScope,
  db: Database,
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
    .orderBy('occurredAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(after === null ? offset : 0)
    .execute()
}

/** Return the number of entries, counted to one beyond the last row that pages reach. */
export function countOperations(scope: LogScope, db: Database, query: Within<OperationQuery>, unseen: Unseen | null): Promise<number> {
  return countUpTo(db, operations(scope, db, query, unseen).select('id'), LIST_OFFSET_MAX + 1)
}

/** Return an entry with all its changes that the viewer may know of; undefined where it has changes and the viewer may know of none. */
export async function findOperation(scope: LogScope, db: Database, id: string, unseen: Unseen | null) {
  let rows = db.selectFrom('operationLog').where('id', '=', id)
  if (scope !== 'all') rows = rows.where('parkId', '=', scope.parkId)
  if (unseen !== null) rows = rows.where(hasSeenChanges(unseen, null)).where('url', 'not in', WATCH_LIST)
  return rows
    .select(actorColumns)
    .select(['module', seenChanges(unseen).as('changes')])
    .executeTakeFirst()
}

/** The filter of the log of reads. */
function reads(scope: LogScope, db: Database, query: Within<ReadQuery>, unseen: Unseen | null) {
  let rows = db.selectFrom('readLog').where('occurredAt', '>=', timestamp(query.from))
  if (scope !== 'all') rows = rows.where('parkId', '=', scope.parkId)
  if (query.to !== null) rows = rows.where('occurredAt', '<=', timestamp(query.to))
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
    : sql<string[]>`ARRAY(SELECT subject FROM unnest(subjects) WITH ORDINALITY AS named (subject, place)
        WHERE NOT subject = ANY(${textArray(unseen.ids)}) ORDER BY place)`

/** A reason may describe any of the subjects. */
const seenReason = (unseen: Unseen | null) =>
  unseen === null
    ? sql<string | null>`reason`
    : sql<string | null>`CASE WHEN subjects && ${textArray(unseen.ids)} THEN NULL ELSE reason END`

export async function listReads(
  scope: LogScope,
  db: Database,
  query: Within<ReadQuery>,
  unseen: Unseen | null,
  { after, offset, limit }: Place,
) {
  let rows = reads(scope, db, query, unseen)
  if (after !== null) rows = rows.where(beyond(after))
  return rows
    .select(actorColumns)
    .select(['persons', seenSubjects(unseen).as('subjects'), seenReason(unseen).as('reason')])
    .orderBy('occurredAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(after === null ? offset : 0)
    .execute()
}

export function countReads(scope: LogScope, db: Database, query: Within<ReadQuery>, unseen: Unseen | null): Promise<number> {
  return countUpTo(db, reads(scope, db, query, unseen).select('id'), LIST_OFFSET_MAX + 1)
}

/** Delete some of the entries before a moment, of all parks. @returns their number */
export async function deleteBeforeUnscoped(
  db: Database,
  table: 'operationLog' | 'readLog',
  before: number,
  limit: number,
): Promise<number> {
  const oldest = db.selectFrom(table).select('id').where('occurredAt', '<', timestamp(before)).orderBy('occurredAt').limit(limit)
  const deleted = await db.deleteFrom(table).where('id', 'in', oldest).executeTakeFirst()
  return Number(deleted.numDeletedRows)
}

export type OperationRow = Awaited<ReturnType<typeof listOperations>>[number] & { module: string | LogModule }
export type ReadRow = Awaited<ReturnType<typeof listReads>>[number]
