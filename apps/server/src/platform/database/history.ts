/**
 * The append-only history of settings: each value with the time it was valid, written in the transaction of the change. It contains ids
 * and settings, no names. One row is one revision of one entity. Revisions of an entity are numbered without gaps, their times never
 * overlap, and a deletion closes the last one.
 *
 * A strategy may name 10,000 persons, about 390 kB of ids. A revision that differs little from the previous one stores only the ids that
 * joined and the ids that left; at least every 32nd revision stores the whole list.
 */
import { sentRows } from './sent-rows.ts'
import { isDeepStrictEqual } from 'node:util'
import type { RawBuilder } from 'kysely'
import type { Clock } from '../time/clock.ts'
import { sql, timestamp, type Database, type Transaction } from './database.ts'
import type { Scope } from '../session/session.ts'

export type HistoryEntity =
  | 'strategy'
  | 'timeRule'
  | 'device'
  | 'deviceGroup'
  | 'park'
  | 'person'
  | 'personGroup'
  | 'personMatching'
  | 'facePolicy'
  | 'parkRelation'

/** Settings as JSON. `members` is a set of ids, ascending, which may be long; an absent set equals an empty one. */
export interface HistoryContent {
  readonly members?: readonly string[]
  readonly [setting: string]: unknown
}

export interface HistoryRevision {
  /** Counted from 1 without gaps. */
  revision: number
  /** Epoch milliseconds; `to` is the first moment at which the revision is no longer valid, null while it is valid. */
  from: number
  to: number | null
  content: HistoryContent
}

export interface History {
  /**
   * Write the content that is valid from now on; null: the entity is deleted. Content equal to the current one writes nothing. The caller
   * has locked the changed row.
   */
  note(tx: Transaction, scope: Scope, entity: HistoryEntity, entityId: string, content: HistoryContent | null): Promise<void>
  /**
   * The same for several entities. `read` is called once no other transaction can write a revision of any of them. It returns the current
   * contents, read in this transaction; an entity that is missing from them is deleted.
   */
  noteAll(
    tx: Transaction,
    scope: Scope,
    entity: HistoryEntity,
    entityIds: readonly string[],
    read: () => Promise<ReadonlyMap<string, HistoryContent>>,
  ): Promise<void>
  /**
   * Return the revision that was valid at a moment in epoch milliseconds; null where there was none, or where the moment is before
   * `completeSince`.
   */
  at(scope: Scope, entity: HistoryEntity, entityId: string, moment: number): Promise<HistoryRevision | null>
  /** Return the revisions of all entities of a kind that were valid at a moment, by id; without `members`. */
  allAt(scope: Scope, entity: HistoryEntity, moment: number): Promise<Map<string, HistoryRevision>>
  /** Return the revisions that were valid at any moment from `from` to `to`, both inclusive, oldest first; without `members`. */
  between(scope: Scope, entity: HistoryEntity, entityId: string, from: number, to: number): Promise<HistoryRevision[]>
  /**
   * Return a text that changes with every revision written, and every deletion, of these kinds. @param within transaction to read through
   */
  stamp(scope: Scope, entities: readonly HistoryEntity[], within?: Transaction): Promise<string>
  /** Return the moment from which on history is complete, in epoch milliseconds. */
  completeSince(): Promise<number>
  /** Replace an entity's id by a pseudonym, in its own revisions and in those of other entities of the park that contain it. */
  pseudonymise(tx: Transaction, scope: Scope, entity: HistoryEntity, entityId: string, pseudonym: string): Promise<void>
  /** Remove all revisions of these entities, of every kind. */
  forget(tx: Transaction, scope: Scope, entityIds: readonly string[]): Promise<void>
  /** Remove all revisions of these kinds in a park. */
  erase(tx: Transaction, scope: Scope, entities: readonly HistoryEntity[]): Promise<void>
}

/** A revision as stored: with `members`, or with `joined` and `left` relative to the previous revision. */
interface StoredRevision {
  entityId: string
  revision: number
  from: number
  to: number | null
  content: { members?: string[]; joined?: string[]; left?: string[]; [setting: string]: unknown }
}

/** A revision with all its members, and the number of the revision that stores the last whole list. */
interface Restored extends HistoryRevision {
  wholeRevision: number
}

const WHOLE_EVERY = 32

/** Return the last revision of each entity with its members; `rows` are in order, and the first of each entity contains a whole list. */
function restore(rows: readonly StoredRevision[]): Map<string, Restored> {
  const last = new Map<string, Restored>()
  for (const { entityId, revision, from, to, content } of rows) {
    const { joined, left, members, ...settings } = content
    const before = last.get(entityId)
    const whole = joined === undefined || left === undefined
    // A pseudonym may sort differently from the id it replaced.
    const restored = whole ? members?.toSorted() : applied(before?.content.members ?? [], joined, left)
    last.set(entityId, {
      revision,
      from,
      to,
      content: restored === undefined ? settings : { ...settings, members: restored },
      wholeRevision: whole ? revision : (before?.wholeRevision ?? revision),
    })
  }
  return last
}

function applied(members: readonly string[], joined: readonly string[], left: readonly string[]): string[] {
  const leaving = new Set(left)
  return [...members.filter((id) => !leaving.has(id)), ...joined].toSorted()
}

/** Return the content to store for a new revision. */
function storedForm(content: HistoryContent, revision: number, before: Restored | undefined): HistoryContent {
  const { members, ...settings } = content
  const membersBefore = before?.content.members
  if (members === undefined || membersBefore === undefined || revision - before!.wholeRevision >= WHOLE_EVERY) return content
  const [was, is] = [new Set(membersBefore), new Set(members)]
  const joined = members.filter((id) => !was.has(id))
  const left = membersBefore.filter((id) => !is.has(id))
  return joined.length + left.length < members.length / 2 ? { ...settings, joined, left } : content
}

export function createHistory(db: Database, clock: Clock): History {
  /**
   * Return the revision of each entity that `which` selects, an aggregate over its revisions; with all members, computed from the nearest
   * whole list.
   */
  async function pick(
    on: Database,
    scope: Scope,
    entity: HistoryEntity,
    ids: readonly string[],
    which: RawBuilder<unknown>,
  ): Promise<Map<string, Restored>> {
    const { rows } = await sql<StoredRevision>`
      SELECT told.entity_id AS "entityId", told.revision, told.valid_from AS "from", told.valid_to AS "to", told.content
        FROM unnest(${sql.val(ids)}::uuid[]) AS wanted (id)
       CROSS JOIN LATERAL (SELECT ${which} AS revision
              FROM history WHERE entity = ${entity} AND entity_id = wanted.id AND park_id = ${scope.parkId}::uuid) AS picked
       CROSS JOIN LATERAL (SELECT revision
              FROM history WHERE entity = ${entity} AND entity_id = wanted.id
               AND revision BETWEEN picked.revision - ${sql.lit(WHOLE_EVERY)} AND picked.revision AND NOT content ? 'joined'
             ORDER BY revision DESC LIMIT 1) AS whole
        JOIN history AS told ON told.entity = ${entity} AND told.entity_id = wanted.id
          AND told.revision BETWEEN whole.revision AND picked.revision
       ORDER BY told.entity_id, told.revision`.execute(on)
    return restore(rows)
  }

  /** Revisions as stored, without members. */
  async function listed(scope: Scope, entity: HistoryEntity, condition: RawBuilder<unknown>) {
    const { rows } = await sql<HistoryRevision & { entityId: string }>`
      SELECT entity_id AS "entityId", revision, valid_from AS "from", valid_to AS "to", content - '{members,joined,left}'::text[] AS content
        FROM history WHERE park_id = ${scope.parkId}::uuid AND entity = ${entity} AND ${condition} ORDER BY entity_id, revision`.execute(db)
    return rows
  }

  const validAt = (moment: number) => sql`valid_from <= ${timestamp(moment)} AND (valid_to IS NULL OR valid_to > ${timestamp(moment)})`

  const noteAll: History['noteAll'] = async (tx, scope, entity, entityIds, read) => {
    const ids = [...new Set(entityIds)].toSorted()
    if (ids.length === 0) return
    // Every entity keeps its first revision: the transaction that locks that row is alone with the entity until it commits. The
    // statements that follow, each with its own snapshot, see what others committed before.
    await sql`SELECT 1 FROM history WHERE entity = ${entity} AND entity_id = ANY(${sql.val(ids)}::uuid[])
      AND revision = 1 ORDER BY entity_id FOR UPDATE`.execute(tx)
    const contents = await read()
    const before = await pick(tx, scope, entity, ids, sql`max(revision)`)
    const now = clock.now()
    const closed: { entityId: string; revision: number; validTo: string }[] = []
    const added: { entityId: string; revision: number; validFrom: string; content: unknown }[] = []
    for (const id of ids) {
      const content = contents.get(id) ?? null
      const last = before.get(id)
      const holds = last !== undefined && last.to === null
      if (content === null ? !holds : holds && isDeepStrictEqual(last.content, content)) continue
      // After the clock is set back, two revisions must not be valid at once.
      const moment = new Date(Math.max(now, last?.to ?? last?.from ?? now)).toISOString()
      if (holds) closed.push({ entityId: id, revision: last.revision, validTo: moment })
      const revision = (last?.revision ?? 0) + 1
      if (content !== null) added.push({ entityId: id, revision, validFrom: moment, content: storedForm(content, revision, last) })
    }
    if (closed.length > 0)
      await sql`UPDATE history SET valid_to = closed.valid_to
        FROM ${sentRows(closed, { entityId: 'uuid', revision: 'bigint', validTo: 'timestamptz' })} AS closed
        WHERE history.entity = ${entity} AND history.entity_id = closed.entity_id AND history.revision = closed.revision`.execute(tx)
    if (added.length > 0)
      await sql`INSERT INTO history (entity, entity_id, revision, park_id, valid_from, content)
        SELECT ${entity}, entity_id, revision, ${scope.parkId}::uuid, valid_from, content
          FROM ${sentRows(added, { entityId: 'uuid', revision: 'bigint', validFrom: 'timestamptz', content: 'jsonb' })} AS added`.execute(
        tx,
      )
  }

  return {
    noteAll,
    note: (tx, scope, entity, entityId, content) =>
      noteAll(tx, scope, entity, [entityId], async () => new Map(content === null ? [] : [[entityId, content]])),
    async at(scope, entity, entityId, moment) {
      const found = (await pick(db, scope, entity, [entityId], sql`max(revision) FILTER (WHERE ${validAt(moment)})`)).get(entityId)
      return found === undefined ? null : { revision: found.revision, from: found.from, to: found.to, content: found.content }
    },
    async allAt(scope, entity, moment) {
      return new Map((await listed(scope, entity, validAt(moment))).map(({ entityId, ...revision }) => [entityId, revision]))
    },
    async between(scope, entity, entityId, from, to) {
      const overlaps = sql`entity_id = ${entityId}::uuid AND valid_from <= ${timestamp(to)}
        AND (valid_to IS NULL OR valid_to > ${timestamp(from)})`
      return (await listed(scope, entity, overlaps)).map(({ entityId: _, ...revision }) => revision)
    },
    async stamp(scope, entities, within) {
      // Rows are only added, and each is closed once, so the two counts change with every write.
      const { rows } = await sql<{ stamp: string }>`
        SELECT count(*) || '/' || count(valid_to) AS stamp FROM history
          WHERE park_id = ${scope.parkId}::uuid AND entity = ANY (${sql.val(entities)}::text[])`.execute(within === undefined ? db : within)
      return rows[0]!.stamp
    },
    async completeSince() {
      const { rows } = await sql<{ since: number }>`SELECT since FROM history_complete`.execute(db)
      return rows[0]!.since
    },
    async pseudonymise(tx, scope, entity, entityId, pseudonym) {
      await sql`UPDATE history SET entity_id = ${pseudonym}::uuid
        WHERE park_id = ${scope.parkId}::uuid
          AND entity = ANY(${sql.val(entity === 'person' ? ['person', 'personMatching'] : [entity])}::text[])
          AND entity_id = ${entityId}::uuid`.execute(tx)
      await sql`UPDATE history SET content = replace(content::text, ${entityId}, ${pseudonym})::jsonb
        WHERE park_id = ${scope.parkId}::uuid AND strpos(content::text, ${entityId}) > 0`.execute(tx)
    },
    async forget(tx, scope, entityIds) {
      await sql`DELETE FROM history WHERE park_id = ${scope.parkId}::uuid AND entity_id = ANY(${sql.val(entityIds)}::uuid[])`.execute(tx)
    },
    async erase(tx, scope, entities) {
      await sql`DELETE FROM history WHERE park_id = ${scope.parkId}::uuid AND entity = ANY(${sql.val(entities)}::text[])`.execute(tx)
    },
  }
}
