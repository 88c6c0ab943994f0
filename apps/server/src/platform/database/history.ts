/**
 * The append-only history of settings: what held from when to when, written in the transaction of the change. Ids and
 * settings only, no names. One row is one revision of one entity; revisions of an entity follow on without gaps, their
 * times never overlap, and a deletion closes the last.
 *
 * A strategy may name 10,000 persons, about 390 kB of ids: a revision that differs little from the one before stores
 * who joined and who left, and every 32nd at the latest the whole list again.
 */
import { isDeepStrictEqual } from 'node:util'
import type { RawBuilder } from 'kysely'
import type { Clock } from '../time/clock.ts'
import { sql, timestamp, type AnyDatabase, type OpenTransaction } from './database.ts'
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

/** Settings as JSON. `members` is a set of ids that may be long, ascending; an absent one is as none. */
export interface HistoryContent {
  readonly members?: readonly string[]
  readonly [setting: string]: unknown
}

export interface HistoryRevision {
  /** From 1 without gaps. */
  revision: number
  /** Epoch milliseconds; `to` is the first moment it no longer held, null while it does. */
  from: number
  to: number | null
  content: HistoryContent
}

export interface History {
  /** Writes what holds from now on; null: deleted. Content equal to what holds writes nothing. The caller has locked the changed row. */
  note(tx: OpenTransaction, scope: Scope, entity: HistoryEntity, entityId: string, content: HistoryContent | null): Promise<void>
  /**
   * The same for several at once. `read` is called when no other transaction can note any of them any more and answers
   * what holds now, read in this transaction; who is missing from it is deleted.
   */
  noteAll(
    tx: OpenTransaction,
    scope: Scope,
    entity: HistoryEntity,
    entityIds: readonly string[],
    read: () => Promise<ReadonlyMap<string, HistoryContent>>,
  ): Promise<void>
  /** What held at a moment in epoch milliseconds; null where nothing did, or where it is before `completeSince`. */
  at(scope: Scope, entity: HistoryEntity, entityId: string, moment: number): Promise<HistoryRevision | null>
  /** Everything of a kind that held at a moment, by id; without `members`. */
  allAt(scope: Scope, entity: HistoryEntity, moment: number): Promise<Map<string, HistoryRevision>>
  /** What held at any moment from `from` to `to`, both inclusive, oldest first; without `members`. */
  between(scope: Scope, entity: HistoryEntity, entityId: string, from: number, to: number): Promise<HistoryRevision[]>
  /** A text that is another one once anything of these kinds was noted, or deleted. */
  stamp(scope: Scope, entities: readonly HistoryEntity[]): Promise<string>
  /** The moment from which on history is complete, in epoch milliseconds. */
  completeSince(): Promise<number>
  /** Puts a pseudonym in place of an entity's id, in its own revisions and wherever others of the park name it. */
  pseudonymise(tx: OpenTransaction, scope: Scope, entity: HistoryEntity, entityId: string, pseudonym: string): Promise<void>
  /** Removes all revisions of these entities, of whatever kind. */
  forget(tx: OpenTransaction, scope: Scope, entityIds: readonly string[]): Promise<void>
  /** Removes what a park has of these kinds. */
  erase(tx: OpenTransaction, scope: Scope, entities: readonly HistoryEntity[]): Promise<void>
}

/** A revision as it is stored: `members`, or else `joined` and `left` against the revision before. */
interface StoredRevision {
  entityId: string
  revision: number
  from: number
  to: number | null
  content: { members?: string[]; joined?: string[]; left?: string[]; [setting: string]: unknown }
}

/** A revision with all its members, and how far back the last whole list stands. */
interface Restored extends HistoryRevision {
  wholeRevision: number
}

const WHOLE_EVERY = 32

/** The last revision of each entity with its members; `rows` are in order and each entity's begin with a whole one. */
function restore(rows: readonly StoredRevision[]): Map<string, Restored> {
  const last = new Map<string, Restored>()
  for (const { entityId, revision, from, to, content } of rows) {
    const { joined, left, members, ...settings } = content
    const before = last.get(entityId)
    const whole = joined === undefined || left === undefined
    // A pseudonym may stand elsewhere in the order than the id it replaced.
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
  const gone = new Set(left)
  return [...members.filter((id) => !gone.has(id)), ...joined].toSorted()
}

/** What to store of a new revision. */
function storedForm(content: HistoryContent, revision: number, before: Restored | undefined): HistoryContent {
  const { members, ...settings } = content
  const known = before?.content.members
  if (members === undefined || known === undefined || revision - before!.wholeRevision >= WHOLE_EVERY) return content
  const [was, is] = [new Set(known), new Set(members)]
  const joined = members.filter((id) => !was.has(id))
  const left = known.filter((id) => !is.has(id))
  return joined.length + left.length < members.length / 2 ? { ...settings, joined, left } : content
}

export function createHistory(db: AnyDatabase, clock: Clock): History {
  const open = (tx: OpenTransaction): AnyDatabase => tx as unknown as AnyDatabase

  /** The revision of each entity that `which` picks, an aggregate over its revisions; with all members, from the nearest whole list on. */
  async function pick(
    on: AnyDatabase,
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
        JOIN history AS told ON told.entity = ${entity} AND told.entity_id = wanted.id AND told.revision BETWEEN whole.revision AND picked.revision
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

  const heldAt = (moment: number) => sql`valid_from <= ${timestamp(moment)} AND (valid_to IS NULL OR valid_to > ${timestamp(moment)})`

  const noteAll: History['noteAll'] = async (tx, scope, entity, entityIds, read) => {
    const ids = [...new Set(entityIds)].toSorted()
    if (ids.length === 0) return
    // Every entity keeps its first revision: who holds that row is alone with the entity until commit. What others
    // committed before is seen by the statements that follow, each with a snapshot of its own.
    await sql`SELECT 1 FROM history WHERE entity = ${entity} AND entity_id = ANY(${sql.val(ids)}::uuid[]) AND revision = 1 ORDER BY entity_id FOR UPDATE`.execute(
      open(tx),
    )
    const contents = await read()
    const before = await pick(open(tx), scope, entity, ids, sql`max(revision)`)
    const now = clock.now()
    const closed: object[] = []
    const added: object[] = []
    for (const id of ids) {
      const content = contents.get(id) ?? null
      const last = before.get(id)
      const holds = last !== undefined && last.to === null
      if (content === null ? !holds : holds && isDeepStrictEqual(last.content, content)) continue
      // A clock set back must not make two revisions hold at once.
      const moment = new Date(Math.max(now, last?.to ?? last?.from ?? now)).toISOString()
      if (holds) closed.push({ entity_id: id, revision: last.revision, valid_to: moment })
      const revision = (last?.revision ?? 0) + 1
      if (content !== null) added.push({ entity_id: id, revision, valid_from: moment, content: storedForm(content, revision, last) })
    }
    if (closed.length > 0)
      await sql`UPDATE history SET valid_to = closed.valid_to
        FROM jsonb_to_recordset(${JSON.stringify(closed)}::jsonb) AS closed (entity_id uuid, revision bigint, valid_to timestamptz)
        WHERE history.entity = ${entity} AND history.entity_id = closed.entity_id AND history.revision = closed.revision`.execute(open(tx))
    if (added.length > 0)
      await sql`INSERT INTO history (entity, entity_id, revision, park_id, valid_from, content)
        SELECT ${entity}, entity_id, revision, ${scope.parkId}::uuid, valid_from, content
          FROM jsonb_to_recordset(${JSON.stringify(added)}::jsonb) AS added (entity_id uuid, revision bigint, valid_from timestamptz, content jsonb)`.execute(
        open(tx),
      )
  }

  return {
    noteAll,
    note: (tx, scope, entity, entityId, content) =>
      noteAll(tx, scope, entity, [entityId], async () => new Map(content === null ? [] : [[entityId, content]])),
    async at(scope, entity, entityId, moment) {
      const found = (await pick(db, scope, entity, [entityId], sql`max(revision) FILTER (WHERE ${heldAt(moment)})`)).get(entityId)
      return found === undefined ? null : { revision: found.revision, from: found.from, to: found.to, content: found.content }
    },
    async allAt(scope, entity, moment) {
      return new Map((await listed(scope, entity, heldAt(moment))).map(({ entityId, ...revision }) => [entityId, revision]))
    },
    async between(scope, entity, entityId, from, to) {
      const overlaps = sql`entity_id = ${entityId}::uuid AND valid_from <= ${timestamp(to)} AND (valid_to IS NULL OR valid_to > ${timestamp(from)})`
      return (await listed(scope, entity, overlaps)).map(({ entityId: _, ...revision }) => revision)
    },
    async stamp(scope, entities) {
      // Rows are only added, and each is closed once.
      const { rows } = await sql<{ stamp: string }>`
        SELECT count(*) || '/' || count(valid_to) AS stamp FROM history WHERE park_id = ${scope.parkId}::uuid AND entity = ANY (${sql.val(entities)}::text[])`.execute(
        db,
      )
      return rows[0]!.stamp
    },
    async completeSince() {
      const { rows } = await sql<{ since: number }>`SELECT since FROM history_complete`.execute(db)
      return rows[0]!.since
    },
    async pseudonymise(tx, scope, entity, entityId, pseudonym) {
      await sql`UPDATE history SET entity_id = ${pseudonym}::uuid
        WHERE park_id = ${scope.parkId}::uuid AND entity = ANY(${sql.val(entity === 'person' ? ['person', 'personMatching'] : [entity])}::text[])
          AND entity_id = ${entityId}::uuid`.execute(open(tx))
      await sql`UPDATE history SET content = replace(content::text, ${entityId}, ${pseudonym})::jsonb
        WHERE park_id = ${scope.parkId}::uuid AND strpos(content::text, ${entityId}) > 0`.execute(open(tx))
    },
    async forget(tx, scope, entityIds) {
      await sql`DELETE FROM history WHERE park_id = ${scope.parkId}::uuid AND entity_id = ANY(${sql.val(entityIds)}::uuid[])`.execute(
        open(tx),
      )
    },
    async erase(tx, scope, entities) {
      await sql`DELETE FROM history WHERE park_id = ${scope.parkId}::uuid AND entity = ANY(${sql.val(entities)}::text[])`.execute(open(tx))
    },
  }
}
