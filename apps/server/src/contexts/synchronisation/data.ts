/** Rows of the synchronisation with devices; every scoped function takes the scope first. */
import type { PersonException } from '@gatehouse/contract/device/protocol-persons'
import { columnList } from '../../platform/database/column-list.ts'
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { PHOTO_MISSING } from './pair-status.ts'

export interface AudienceRow {
  id: string
  head: number
  compareSeq: number
  digest: Buffer
  updatedAt: number
}

const audienceColumns = columnList(['id', 'head', 'compareSeq', 'digest', 'updatedAt'])

export async function findAudiences(scope: Scope, db: Database): Promise<AudienceRow[]> {
  return (await db.selectFrom('syncAudience').select(audienceColumns).where('parkId', '=', scope.parkId).execute()) as AudienceRow[]
}

export async function findAudience(scope: Scope, db: Database, id: string): Promise<AudienceRow | undefined> {
  return (await db
    .selectFrom('syncAudience')
    .select(audienceColumns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .executeTakeFirst()) as AudienceRow | undefined
}

export async function insertAudiences(
  scope: Scope,
  db: Database,
  audiences: readonly { id: string; strategyIds: readonly string[]; digest: Buffer }[],
  now: number,
): Promise<void> {
  if (audiences.length === 0) return
  await db
    .insertInto('syncAudience')
    .values(
      audiences.map(({ id, strategyIds, digest }) => ({
        id,
        parkId: scope.parkId,
        strategyIds: [...strategyIds],
        head: 0,
        compareSeq: 0,
        digest,
        updatedAt: timestamp(now),
      })),
    )
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** Lock audiences against other writers, in the order of their ids; their numbers do not change until commit. */
export async function lockAudiences(scope: Scope, db: Database, ids: readonly string[]): Promise<AudienceRow[]> {
  return (await db
    .selectFrom('syncAudience')
    .select(audienceColumns)
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(ids))
    .orderBy('id')
    .forUpdate()
    .execute()) as AudienceRow[]
}

export async function saveAudiences(
  scope: Scope,
  db: Database,
  rows: readonly Omit<AudienceRow, 'updatedAt'>[],
  now: number,
): Promise<void> {
  const column = <K extends keyof (typeof rows)[number]>(name: K) => sql.val(rows.map((row) => row[name]))
  await sql`UPDATE sync_audience SET head = changed.head, compare_seq = changed.compare_seq, digest = changed.digest,
    updated_at = ${timestamp(now)}
    FROM unnest(${column('id')}::uuid[], ${column('head')}::bigint[], ${column('compareSeq')}::bigint[], ${column('digest')}::bytea[])
      AS changed (id, head, compare_seq, digest)
    WHERE sync_audience.id = changed.id AND sync_audience.park_id = ${scope.parkId}`.execute(db)
}

/** Delete audiences that no device has any more: all except these that were last changed before a time. */
export async function deleteAudiencesExcept(scope: Scope, db: Database, ids: readonly string[], before: number): Promise<void> {
  await db
    .deleteFrom('syncAudience')
    .where('parkId', '=', scope.parkId)
    .where('updatedAt', '<', timestamp(before))
    .where('id', '!=', sql<string>`ALL(${sql.val(ids)}::uuid[])`)
    .execute()
}

export interface Change {
  audienceId: string
  personId: string
  seq: number
}

/** Store the latest change of each person. Scoped by the audiences, which the caller has locked in its park. */
export async function saveChanges(_scope: Scope, db: Database, changes: readonly Change[], now: number): Promise<void> {
  if (changes.length === 0) return
  const column = <K extends keyof Change>(name: K) => sql.val(changes.map((change) => change[name]))
  await sql`INSERT INTO sync_change (audience_id, person_id, seq, changed_at)
    SELECT audience_id, person_id, seq, ${timestamp(now)}::timestamptz
    FROM unnest(${column('audienceId')}::uuid[], ${column('personId')}::uuid[], ${column('seq')}::bigint[])
      AS changed (audience_id, person_id, seq)
    ON CONFLICT (audience_id, person_id) DO UPDATE SET seq = excluded.seq, changed_at = excluded.changed_at`.execute(db)
}

export async function deleteChanges(_scope: Scope, db: Database, audienceIds: readonly string[]): Promise<void> {
  if (audienceIds.length === 0) return
  await db.deleteFrom('syncChange').where('audienceId', 'in', audienceIds).execute()
}

/** Return the persons whose latest change has a number above `after` and up to `upTo`, in the order of their changes. */
export function findChanges(
  _scope: Scope,
  db: Database,
  audienceId: string,
  after: number,
  upTo: number,
  limit: number,
): Promise<{ personId: string; seq: number }[]> {
  return db
    .selectFrom('syncChange')
    .select(['personId', 'seq'])
    .where('audienceId', '=', audienceId)
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

/** Delete changes made before a time; a device that has not read them compares digests. */
export async function deleteOldChanges(scope: Scope, db: Database, before: number): Promise<void> {
  await sql`WITH old AS (
      DELETE FROM sync_change USING sync_audience WHERE sync_audience.id = sync_change.audience_id
      AND sync_audience.park_id = ${scope.parkId}
        AND changed_at < ${timestamp(before)} RETURNING audience_id, seq),
      latest AS (SELECT audience_id, max(seq) AS seq FROM old GROUP BY audience_id)
    UPDATE sync_audience SET compare_seq = greatest(compare_seq, latest.seq) FROM latest
    WHERE sync_audience.id = latest.audience_id`.execute(db)
}

export interface ReportedHolding {
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

/** Store the reports of devices. Unscoped: one statement covers devices of several parks, and each row names its park. */
export async function saveHoldingsUnscoped(db: Database, holdings: readonly ReportedHolding[], now: number): Promise<void> {
  await db
    .insertInto('syncDevice')
    .values(
      holdings.map((holding) => ({
        deviceId: holding.deviceId,
        parkId: holding.parkId,
        audienceId: holding.audienceId,
        cursor: holding.cursor,
        digest: holding.digest,
        revision: holding.revision,
        persons: holding.persons,
        failed: holding.failed,
        photoMissing: 0,
        tellsErasures: holding.tellsErasures,
        erasureId: holding.erasureId,
        heldAt: timestamp(now),
        assignedAt: timestamp(now),
      })),
    )
    .onConflict((conflict) =>
      conflict.column('deviceId').doUpdateSet((eb) => ({
        audienceId: eb.ref('excluded.audienceId'),
        cursor: eb.ref('excluded.cursor'),
        digest: eb.ref('excluded.digest'),
        revision: eb.ref('excluded.revision'),
        persons: eb.ref('excluded.persons'),
        failed: eb.ref('excluded.failed'),
        tellsErasures: eb.ref('excluded.tellsErasures'),
        erasureId: eb.ref('excluded.erasureId'),
        heldAt: eb.ref('excluded.heldAt'),
      })),
    )
    .execute()
}

/**
 * Record that these devices belong to another audience from now on.
 * @param first the register was just built, so that devices may have belonged to the audience before
 */
export async function saveAssignments(
  scope: Scope,
  db: Database,
  deviceIds: readonly string[],
  now: number,
  first: boolean,
): Promise<void> {
  if (deviceIds.length === 0) return
  const rows = deviceIds.map((id) => ({
    deviceId: id,
    parkId: scope.parkId,
    audienceId: null,
    assignedAt: timestamp(now),
    heldAt: null,
  }))
  const insert = db.insertInto('syncDevice').values(rows as never)
  await insert
    .onConflict((conflict) =>
      first ? conflict.column('deviceId').doNothing() : conflict.column('deviceId').doUpdateSet({ assignedAt: timestamp(now) }),
    )
    .execute()
}

export function findHoldings(scope: Scope, db: Database, deviceIds: readonly string[]) {
  if (deviceIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('syncDevice')
    .select(['deviceId', 'audienceId', 'cursor', 'digest', 'revision', 'persons', 'failed', 'photoMissing'])
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', oneOf(deviceIds))
    .execute()
}

/** Return the last report of each device, with its time. */
export function findReports(scope: Scope, db: Database, deviceIds: readonly string[]) {
  return db
    .selectFrom('syncDevice')
    .select(['deviceId', 'audienceId', 'cursor', 'digest', 'revision', 'failed', 'heldAt'])
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', oneOf(deviceIds))
    .execute()
}

export async function deleteHoldings(scope: Scope, db: Database, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return
  await db.deleteFrom('syncDevice').where('parkId', '=', scope.parkId).where('deviceId', 'in', deviceIds).execute()
  await db.deleteFrom('syncException').where('parkId', '=', scope.parkId).where('deviceId', 'in', deviceIds).execute()
}

/** Replace all exceptions of a device; an unchanged exception keeps its `since`. */
export async function replaceExceptions(
  scope: Scope,
  db: Database,
  deviceId: string,
  cursor: number,
  exceptions: readonly PersonException[],
  now: number,
): Promise<void> {
  const ids = exceptions.map(({ personId }) => personId)
  await db
    .deleteFrom('syncException')
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .where('personId', '!=', sql<string>`ALL(${sql.val(ids)}::uuid[])`)
    .execute()
  await db
    .updateTable('syncDevice')
    .set({ photoMissing: exceptions.filter(({ reason }) => reason === PHOTO_MISSING).length })
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', deviceId)
    .execute()
  if (exceptions.length === 0) return
  const column = <K extends keyof PersonException>(name: K) => sql.val(exceptions.map((exception) => exception[name]))
  await sql`INSERT INTO sync_exception (device_id, person_id, park_id, version, reason, cursor, since)
    SELECT ${deviceId}::uuid, person_id, ${scope.parkId}::uuid, version, reason, ${cursor}::bigint, ${timestamp(now)}::timestamptz
    FROM unnest(${column('personId')}::uuid[], ${column('version')}::text[], ${column('reason')}::text[])
      AS said (person_id, version, reason)
    ON CONFLICT (device_id, person_id) DO UPDATE SET cursor = excluded.cursor, version = excluded.version, reason = excluded.reason,
      since = CASE WHEN sync_exception.version = excluded.version AND sync_exception.reason = excluded.reason THEN sync_exception.since
        ELSE excluded.since END`.execute(db)
}

export async function saveSettingsParts(
  scope: Scope,
  db: Database,
  parts: readonly { part: string; content: unknown }[],
  now: number,
): Promise<void> {
  await db
    .insertInto('settingsPart')
    .values(parts.map(({ part, content }) => ({ parkId: scope.parkId, part, content: JSON.stringify(content), createdAt: timestamp(now) })))
    .onConflict((conflict) => conflict.columns(['parkId', 'part']).doNothing())
    .execute()
}

export async function findSettingsParts(
  scope: Scope,
  db: Database,
  parts: readonly string[],
): Promise<{ part: string; content: unknown }[]> {
  return db.selectFrom('settingsPart').select(['part', 'content']).where('parkId', '=', scope.parkId).where('part', 'in', parts).execute()
}

export async function deleteSynchronisationOfPark(scope: Scope, db: Database): Promise<void> {
  for (const table of ['syncAudience', 'syncDevice', 'syncException', 'syncErasure', 'settingsPart'] as const)
    await db.deleteFrom(table).where('parkId', '=', scope.parkId).execute()
}
