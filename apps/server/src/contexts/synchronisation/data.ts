/** Rows of the way down; every function takes the scope first. */
import type { PersonException } from '@gatehouse/contract/device/protocol'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { PHOTO_MISSING } from './pair-status.ts'
import type { SynchronisationTables } from './schema.ts'

type Db = Database<SynchronisationTables>

export interface AudienceRow {
  id: string
  head: number
  compareSeq: number
  digest: Buffer
  updatedAt: number
}

const audienceColumns = columnList(['id', 'head', 'compare_seq as compareSeq', 'digest', 'updated_at as updatedAt'])

export async function findAudiences(scope: Scope, db: Db): Promise<AudienceRow[]> {
  return (await db.selectFrom('sync_audience').select(audienceColumns).where('park_id', '=', scope.parkId).execute()) as AudienceRow[]
}

export async function findAudience(scope: Scope, db: Db, id: string): Promise<AudienceRow | undefined> {
  return (await db
    .selectFrom('sync_audience')
    .select(audienceColumns)
    .where('park_id', '=', scope.parkId)
    .where('id', '=', id)
    .executeTakeFirst()) as AudienceRow | undefined
}

export async function insertAudiences(
  scope: Scope,
  db: Db,
  audiences: readonly { id: string; strategyIds: readonly string[]; digest: Buffer }[],
  now: number,
): Promise<void> {
  if (audiences.length === 0) return
  await db
    .insertInto('sync_audience')
    .values(
      audiences.map(({ id, strategyIds, digest }) => ({
        id,
        park_id: scope.parkId,
        strategy_ids: [...strategyIds],
        head: 0,
        compare_seq: 0,
        digest,
        updated_at: timestamp(now),
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Locks audiences against other writers, in the order of their ids; their numbers stand still until commit. */
export async function lockAudiences(scope: Scope, db: Db, ids: readonly string[]): Promise<AudienceRow[]> {
  return (await db
    .selectFrom('sync_audience')
    .select(audienceColumns)
    .where('park_id', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .orderBy('id')
    .forUpdate()
    .execute()) as AudienceRow[]
}

export async function saveAudiences(scope: Scope, db: Db, rows: readonly Omit<AudienceRow, 'updatedAt'>[], now: number): Promise<void> {
  const column = <K extends keyof (typeof rows)[number]>(name: K) => sql.val(rows.map((row) => row[name]))
  await sql`UPDATE sync_audience SET head = changed.head, compare_seq = changed.compare_seq, digest = changed.digest, updated_at = ${timestamp(now)}
    FROM unnest(${column('id')}::uuid[], ${column('head')}::bigint[], ${column('compareSeq')}::bigint[], ${column('digest')}::bytea[])
      AS changed (id, head, compare_seq, digest)
    WHERE sync_audience.id = changed.id AND sync_audience.park_id = ${scope.parkId}`.execute(db)
}

/** Audiences that no device has any more. */
export async function deleteAudiencesExcept(scope: Scope, db: Db, ids: readonly string[], before: number): Promise<void> {
  await db
    .deleteFrom('sync_audience')
    .where('park_id', '=', scope.parkId)
    .where('updated_at', '<', timestamp(before))
    .where('id', '!=', sql<string>`ALL(${sql.val(ids)}::uuid[])`)
    .execute()
}

export interface Change {
  audienceId: string
  personId: string
  seq: number
}

/** Notes the latest change of each person. Scoped by the audiences, which the caller has locked in its park. */
export async function saveChanges(_scope: Scope, db: Db, changes: readonly Change[], now: number): Promise<void> {
  if (changes.length === 0) return
  const column = <K extends keyof Change>(name: K) => sql.val(changes.map((change) => change[name]))
  await sql`INSERT INTO sync_change (audience_id, person_id, seq, changed_at)
    SELECT audience_id, person_id, seq, ${timestamp(now)}::timestamptz
    FROM unnest(${column('audienceId')}::uuid[], ${column('personId')}::uuid[], ${column('seq')}::bigint[]) AS changed (audience_id, person_id, seq)
    ON CONFLICT (audience_id, person_id) DO UPDATE SET seq = excluded.seq, changed_at = excluded.changed_at`.execute(db)
}

export async function deleteChanges(_scope: Scope, db: Db, audienceIds: readonly string[]): Promise<void> {
  if (audienceIds.length === 0) return
  await db.deleteFrom('sync_change').where('audience_id', 'in', audienceIds).execute()
}

/** Persons whose latest change lies after a number, in the order of their changes. */
export function findChanges(
  _scope: Scope,
  db: Db,
  audienceId: string,
  after: number,
  upTo: number,
  limit: number,
): Promise<{ personId: string; seq: number }[]> {
  return db
    .selectFrom('sync_change')
    .select(['person_id as personId', 'seq'])
    .where('audience_id', '=', audienceId)
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

/** Changes so old that who has not read them compares digests. */
export async function deleteOldChanges(scope: Scope, db: Db, before: number): Promise<void> {
  await sql`WITH old AS (
      DELETE FROM sync_change USING sync_audience WHERE sync_audience.id = sync_change.audience_id AND sync_audience.park_id = ${scope.parkId}
        AND changed_at < ${timestamp(before)} RETURNING audience_id, seq),
      latest AS (SELECT audience_id, max(seq) AS seq FROM old GROUP BY audience_id)
    UPDATE sync_audience SET compare_seq = greatest(compare_seq, latest.seq) FROM latest WHERE sync_audience.id = latest.audience_id`.execute(
    db,
  )
}

export interface SaidHolding {
  deviceId: string
  audienceId: string | null
  cursor: number
  digest: string
  revision: string
  persons: number
  failed: number
  parkId: string
  tellsErasures: boolean
  erasureId: string | null
}

/** Notes what devices hold. Unscoped: one statement for devices of several parks, each row naming its own. */
export async function saveHoldingsUnscoped(db: Db, holdings: readonly SaidHolding[], now: number): Promise<void> {
  await db
    .insertInto('sync_device')
    .values(
      holdings.map((holding) => ({
        device_id: holding.deviceId,
        park_id: holding.parkId,
        audience_id: holding.audienceId,
        cursor: holding.cursor,
        digest: holding.digest,
        revision: holding.revision,
        persons: holding.persons,
        failed: holding.failed,
        photo_missing: 0,
        tells_erasures: holding.tellsErasures,
        erasure_id: holding.erasureId,
        held_at: timestamp(now),
        assigned_at: timestamp(now),
      })),
    )
    .onConflict((conflict) =>
      conflict.column('device_id').doUpdateSet((eb) => ({
        audience_id: eb.ref('excluded.audience_id'),
        cursor: eb.ref('excluded.cursor'),
        digest: eb.ref('excluded.digest'),
        revision: eb.ref('excluded.revision'),
        persons: eb.ref('excluded.persons'),
        failed: eb.ref('excluded.failed'),
        tells_erasures: eb.ref('excluded.tells_erasures'),
        erasure_id: eb.ref('excluded.erasure_id'),
        held_at: eb.ref('excluded.held_at'),
      })),
    )
    .execute()
}

/** From now on these devices belong to another audience. @param first they may have belonged to it before the server was started */
export async function saveAssignments(scope: Scope, db: Db, deviceIds: readonly string[], now: number, first: boolean): Promise<void> {
  if (deviceIds.length === 0) return
  const rows = deviceIds.map((id) => ({
    device_id: id,
    park_id: scope.parkId,
    audience_id: null,
    assigned_at: timestamp(now),
    held_at: null,
  }))
  const insert = db.insertInto('sync_device').values(rows as never)
  await insert
    .onConflict((conflict) =>
      first ? conflict.column('device_id').doNothing() : conflict.column('device_id').doUpdateSet({ assigned_at: timestamp(now) }),
    )
    .execute()
}

export function findHoldings(scope: Scope, db: Db, deviceIds: readonly string[]) {
  if (deviceIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('sync_device')
    .select([
      'device_id as deviceId',
      'audience_id as audienceId',
      'cursor',
      'digest',
      'revision',
      'persons',
      'failed',
      'photo_missing as photoMissing',
    ])
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', oneOf(deviceIds))
    .execute()
}

/** What these devices last said they hold, and when. */
export function findTaken(scope: Scope, db: Db, deviceIds: readonly string[]) {
  return db
    .selectFrom('sync_device')
    .select(['device_id as deviceId', 'audience_id as audienceId', 'cursor', 'digest', 'revision', 'failed', 'held_at as heldAt'])
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', oneOf(deviceIds))
    .execute()
}

export async function deleteHoldings(scope: Scope, db: Db, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return
  await db.deleteFrom('sync_device').where('park_id', '=', scope.parkId).where('device_id', 'in', deviceIds).execute()
  await db.deleteFrom('sync_exception').where('park_id', '=', scope.parkId).where('device_id', 'in', deviceIds).execute()
}

/** Puts these in place of all exceptions of a device; one that stays as it was keeps since when it is. */
export async function replaceExceptions(
  scope: Scope,
  db: Db,
  deviceId: string,
  cursor: number,
  exceptions: readonly PersonException[],
  now: number,
): Promise<void> {
  const ids = exceptions.map(({ personId }) => personId)
  await db
    .deleteFrom('sync_exception')
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', deviceId)
    .where('person_id', '!=', sql<string>`ALL(${sql.val(ids)}::uuid[])`)
    .execute()
  await db
    .updateTable('sync_device')
    .set({ photo_missing: exceptions.filter(({ reason }) => reason === PHOTO_MISSING).length })
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', deviceId)
    .execute()
  if (exceptions.length === 0) return
  const column = <K extends keyof PersonException>(name: K) => sql.val(exceptions.map((exception) => exception[name]))
  await sql`INSERT INTO sync_exception (device_id, person_id, park_id, version, reason, cursor, since)
    SELECT ${deviceId}::uuid, person_id, ${scope.parkId}::uuid, version, reason, ${cursor}::bigint, ${timestamp(now)}::timestamptz
    FROM unnest(${column('personId')}::uuid[], ${column('version')}::text[], ${column('reason')}::text[]) AS said (person_id, version, reason)
    ON CONFLICT (device_id, person_id) DO UPDATE SET cursor = excluded.cursor, version = excluded.version, reason = excluded.reason,
      since = CASE WHEN sync_exception.version = excluded.version AND sync_exception.reason = excluded.reason THEN sync_exception.since ELSE excluded.since END`.execute(
    db,
  )
}

export async function saveSettingsParts(
  scope: Scope,
  db: Db,
  parts: readonly { part: string; content: unknown }[],
  now: number,
): Promise<void> {
  await db
    .insertInto('settings_part')
    .values(
      parts.map(({ part, content }) => ({ park_id: scope.parkId, part, content: JSON.stringify(content), created_at: timestamp(now) })),
    )
    .onConflict((conflict) => conflict.columns(['park_id', 'part']).doNothing())
    .execute()
}

export async function findSettingsParts(scope: Scope, db: Db, parts: readonly string[]): Promise<{ part: string; content: unknown }[]> {
  return db.selectFrom('settings_part').select(['part', 'content']).where('park_id', '=', scope.parkId).where('part', 'in', parts).execute()
}

export async function deleteSynchronisationOfPark(scope: Scope, db: Db): Promise<void> {
  for (const table of ['sync_audience', 'sync_device', 'sync_exception', 'sync_erasure', 'settings_part'] as const)
    await db.deleteFrom(table).where('park_id', '=', scope.parkId).execute()
}
