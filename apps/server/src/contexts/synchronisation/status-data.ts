/** Rows from which the synchronisation status is derived; every function takes the scope first. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { PHOTO_MISSING, type ReportedState, type PersonChange, type PersonFailure } from './pair-status.ts'

export interface ReportRow extends ReportedState {
  deviceId: string
  /** Number of persons the device reports it cannot recognise. */
  failed: number
}

/** Return the stored reports of these devices. */
export async function findReportRows(scope: Scope, db: Database, deviceIds: readonly string[]): Promise<ReportRow[]> {
  if (deviceIds.length === 0) return []
  return (await db
    .selectFrom('syncDevice')
    .select(['deviceId', 'audienceId', 'cursor', 'failed', 'assignedAt'])
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', oneOf(deviceIds))
    .execute()) as ReportRow[]
}

/** Return the strategies of audiences; deleted audiences are left out. */
export async function findAudienceStrategies(
  scope: Scope,
  db: Database,
  audienceIds: readonly string[],
): Promise<{ id: string; strategyIds: string[] }[]> {
  if (audienceIds.length === 0) return []
  return db
    .selectFrom('syncAudience')
    .select(['id', 'strategyIds'])
    .where('parkId', '=', scope.parkId)
    .where('id', '=', oneOf(audienceIds))
    .execute()
}

export interface ChangeRow extends PersonChange {
  audienceId: string
  personId: string
}

const changes = (scope: Scope, db: Database) =>
  db
    .selectFrom('syncChange')
    .innerJoin('syncAudience', 'syncAudience.id', 'syncChange.audienceId')
    .select(['audienceId', 'personId', 'seq', 'changedAt'])
    .where('syncAudience.parkId', '=', scope.parkId)

/** Return the changes of each audience after a number given for it. */
export async function findChangesAfter(
  scope: Scope,
  db: Database,
  after: readonly { audienceId: string; seq: number }[],
): Promise<ChangeRow[]> {
  if (after.length === 0) return []
  return (await changes(scope, db)
    .where((eb) => eb.or(after.map(({ audienceId, seq }) => eb.and([eb('audienceId', '=', audienceId), eb('seq', '>', seq)]))))
    .execute()) as ChangeRow[]
}

/** Return the latest changes of these persons in these audiences. */
export async function findChangesOf(
  scope: Scope,
  db: Database,
  audienceIds: readonly string[],
  personIds: readonly string[],
): Promise<ChangeRow[]> {
  if (audienceIds.length === 0 || personIds.length === 0) return []
  return (await changes(scope, db)
    .where('audienceId', '=', oneOf(audienceIds))
    .where('personId', '=', oneOf(personIds))
    .execute()) as ChangeRow[]
}

export interface FailureRow extends PersonFailure {
  deviceId: string
  personId: string
}

/** Return the exceptions these devices report, of these persons or of all. */
export async function findFailures(
  scope: Scope,
  db: Database,
  deviceIds: readonly string[],
  personIds?: readonly string[],
): Promise<FailureRow[]> {
  if (deviceIds.length === 0 || personIds?.length === 0) return []
  let rows = db
    .selectFrom('syncException')
    .select(['deviceId', 'personId', 'reason', 'cursor', 'since'])
    .where('parkId', '=', scope.parkId)
    .where('deviceId', '=', oneOf(deviceIds))
  if (personIds !== undefined) rows = rows.where('personId', '=', oneOf(personIds))
  return (await rows.execute()) as FailureRow[]
}

/** Exceptions whose person has not changed since the device reported them. */
const standingFailures = (scope: Scope, deviceIds: readonly string[], personIds: readonly string[] | null = null) => sql`sync_exception
  JOIN sync_device ON sync_device.device_id = sync_exception.device_id
  LEFT JOIN sync_change ON sync_change.audience_id = sync_device.audience_id AND sync_change.person_id = sync_exception.person_id
  WHERE sync_exception.park_id = ${scope.parkId} AND sync_exception.device_id = ${oneOf(deviceIds)}
    AND greatest(sync_exception.cursor, sync_device.cursor) >= coalesce(sync_change.seq, 0)
    ${personIds === null ? sql`` : sql`AND sync_exception.person_id = ${oneOf(personIds)}`}`

/** Number of failures, and how many of these lack a photo. */
export interface FailureCount {
  failed: number
  photoMissing: number
}
const lacksPhoto = sql`sync_exception.reason = ${sql.lit(PHOTO_MISSING)}`
const failureCount = sql`count(*) AS failed, count(*) FILTER (WHERE ${lacksPhoto}) AS "photoMissing"`

/** Return how many persons, or how many of these, fail at each device; devices without failures are left out. */
export async function countFailures(
  scope: Scope,
  db: Database,
  deviceIds: readonly string[],
  personIds: readonly string[] | null,
): Promise<Map<string, FailureCount>> {
  if (deviceIds.length === 0) return new Map()
  const { rows } = await sql<FailureCount & { deviceId: string }>`SELECT sync_exception.device_id AS "deviceId", ${failureCount}
    FROM ${standingFailures(scope, deviceIds, personIds)} GROUP BY 1`.execute(db)
  return new Map(rows.map((row) => [row.deviceId, row]))
}

/** Return at how many of these devices each of these persons fails; persons who fail nowhere are left out. */
export async function countFailuresOf(
  scope: Scope,
  db: Database,
  deviceIds: readonly string[],
  personIds: readonly string[],
): Promise<Map<string, FailureCount>> {
  if (deviceIds.length === 0 || personIds.length === 0) return new Map()
  const { rows } = await sql<FailureCount & { personId: string }>`SELECT sync_exception.person_id AS "personId", ${failureCount}
    FROM ${standingFailures(scope, deviceIds, personIds)} GROUP BY 1`.execute(db)
  return new Map(rows.map((row) => [row.personId, row]))
}

/** Up to this many devices, their exceptions are read; above, each person of the park with an exception is checked for a device. */
const FEW_DEVICES = 20

export interface FailingPerson {
  id: string
  /** Whether only a photo is missing, wherever the person fails. */
  photoMissing: boolean
}

/** Return the persons who fail at one of these devices. A person who fails at a thousand costs little more than one who fails at one. */
export async function findFailingPersons(scope: Scope, db: Database, deviceIds: readonly string[]): Promise<FailingPerson[]> {
  if (deviceIds.length === 0) return []
  const failing = standingFailures(scope, deviceIds)
  const query =
    deviceIds.length <= FEW_DEVICES
      ? sql<FailingPerson>`SELECT sync_exception.person_id AS id, bool_and(${lacksPhoto}) AS "photoMissing" FROM ${failing} GROUP BY 1`
      : sql<FailingPerson>`WITH RECURSIVE failing (id) AS (
          (SELECT person_id FROM sync_exception WHERE park_id = ${scope.parkId} ORDER BY person_id LIMIT 1)
          UNION ALL
          SELECT (SELECT person_id FROM sync_exception WHERE park_id = ${scope.parkId} AND person_id > failing.id
          ORDER BY person_id LIMIT 1)
          FROM failing WHERE failing.id IS NOT NULL)
        SELECT id, NOT EXISTS (SELECT FROM ${failing} AND sync_exception.person_id = failing.id AND NOT ${lacksPhoto}) AS "photoMissing"
        FROM failing WHERE id IS NOT NULL AND EXISTS (SELECT FROM ${failing} AND sync_exception.person_id = failing.id)`
  return (await query.execute(db)).rows
}

export interface Failing {
  audienceId: string
  personId: string
  /** Devices at which the person fails. */
  devices: number
}

/**
 * Return the persons, or those of these, who fail at these devices, with the audiences through which they are sent again. There are at most
 * `limit` entries; `total` counts the failures of all, one for each device. Persons who only lack a photo are left out: resending
 * does not add one.
 */
export async function findToSendAgain(
  scope: Scope,
  db: Database,
  deviceIds: readonly string[],
  personIds: readonly string[] | null,
  limit: number,
): Promise<{ failing: Failing[]; total: number }> {
  if (deviceIds.length === 0) return { failing: [], total: 0 }
  const { rows } = await sql<
    Failing & { total: number }
  >`SELECT sync_device.audience_id AS "audienceId", sync_exception.person_id AS "personId",
      count(*) AS devices, sum(count(*)) OVER ()::bigint AS total
    FROM ${standingFailures(scope, deviceIds, personIds)} AND NOT ${lacksPhoto} GROUP BY 1, 2 ORDER BY 2, 1 LIMIT ${limit}`.execute(db)
  return { failing: rows, total: rows[0]?.total ?? 0 }
}

/** Wait for these devices from now on: set their `assignedAt`. */
export async function restartWait(scope: Scope, db: Database, deviceIds: readonly string[], now: number): Promise<void> {
  if (deviceIds.length === 0) return
  await sql`INSERT INTO sync_device (device_id, park_id, assigned_at)
    SELECT id, ${scope.parkId}::uuid, ${timestamp(now)}::timestamptz FROM unnest(${sql.val(deviceIds)}::uuid[]) AS device (id)
    ON CONFLICT (device_id) DO UPDATE SET assigned_at = excluded.assigned_at WHERE sync_device.park_id = excluded.park_id`.execute(db)
}
