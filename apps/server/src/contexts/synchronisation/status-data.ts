/** Rows the synchronisation status is derived from; every function takes the scope first. */
import { oneOf, sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { PHOTO_MISSING, type Held, type PersonChange, type PersonFailure } from './pair-status.ts'
import type { SynchronisationTables } from './schema.ts'

type Db = Database<SynchronisationTables>

export interface HeldRow extends Held {
  deviceId: string
  /** Persons it says it cannot recognise. */
  failed: number
}

/** What these devices hold, as far as it was noted. */
export async function findHeld(scope: Scope, db: Db, deviceIds: readonly string[]): Promise<HeldRow[]> {
  if (deviceIds.length === 0) return []
  return (await db
    .selectFrom('sync_device')
    .select(['device_id as deviceId', 'audience_id as audienceId', 'cursor', 'failed', 'assigned_at as assignedAt'])
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', oneOf(deviceIds))
    .execute()) as HeldRow[]
}

/** The strategies that audiences were made of; audiences that were forgotten are left out. */
export async function findAudienceStrategies(
  scope: Scope,
  db: Db,
  audienceIds: readonly string[],
): Promise<{ id: string; strategyIds: string[] }[]> {
  if (audienceIds.length === 0) return []
  return db
    .selectFrom('sync_audience')
    .select(['id', 'strategy_ids as strategyIds'])
    .where('park_id', '=', scope.parkId)
    .where('id', '=', oneOf(audienceIds))
    .execute()
}

export interface ChangeRow extends PersonChange {
  audienceId: string
  personId: string
}

const changes = (scope: Scope, db: Db) =>
  db
    .selectFrom('sync_change')
    .innerJoin('sync_audience', 'sync_audience.id', 'sync_change.audience_id')
    .select(['audience_id as audienceId', 'person_id as personId', 'seq', 'changed_at as changedAt'])
    .where('sync_audience.park_id', '=', scope.parkId)

/** Changes of each audience after a number of its own. */
export async function findChangesAfter(scope: Scope, db: Db, after: readonly { audienceId: string; seq: number }[]): Promise<ChangeRow[]> {
  if (after.length === 0) return []
  return (await changes(scope, db)
    .where((eb) => eb.or(after.map(({ audienceId, seq }) => eb.and([eb('audience_id', '=', audienceId), eb('seq', '>', seq)]))))
    .execute()) as ChangeRow[]
}

/** Latest changes of these persons in these audiences. */
export async function findChangesOf(
  scope: Scope,
  db: Db,
  audienceIds: readonly string[],
  personIds: readonly string[],
): Promise<ChangeRow[]> {
  if (audienceIds.length === 0 || personIds.length === 0) return []
  return (await changes(scope, db)
    .where('audience_id', '=', oneOf(audienceIds))
    .where('person_id', '=', oneOf(personIds))
    .execute()) as ChangeRow[]
}

export interface FailureRow extends PersonFailure {
  deviceId: string
  personId: string
}

/** What these devices say of these persons, or of all. */
export async function findFailures(
  scope: Scope,
  db: Db,
  deviceIds: readonly string[],
  personIds?: readonly string[],
): Promise<FailureRow[]> {
  if (deviceIds.length === 0 || personIds?.length === 0) return []
  let rows = db
    .selectFrom('sync_exception')
    .select(['device_id as deviceId', 'person_id as personId', 'reason', 'cursor', 'since'])
    .where('park_id', '=', scope.parkId)
    .where('device_id', '=', oneOf(deviceIds))
  if (personIds !== undefined) rows = rows.where('person_id', '=', oneOf(personIds))
  return (await rows.execute()) as FailureRow[]
}

/** Exceptions at devices for which nothing has changed since they were said. */
const standingFailures = (scope: Scope, deviceIds: readonly string[], personIds: readonly string[] | null = null) => sql`sync_exception
  JOIN sync_device ON sync_device.device_id = sync_exception.device_id
  LEFT JOIN sync_change ON sync_change.audience_id = sync_device.audience_id AND sync_change.person_id = sync_exception.person_id
  WHERE sync_exception.park_id = ${scope.parkId} AND sync_exception.device_id = ${oneOf(deviceIds)}
    AND greatest(sync_exception.cursor, sync_device.cursor) >= coalesce(sync_change.seq, 0)
    ${personIds === null ? sql`` : sql`AND sync_exception.person_id = ${oneOf(personIds)}`}`

/** Failures, those for want of a photo among them. */
export interface FailureCount {
  failed: number
  photoMissing: number
}
const lacksPhoto = sql`sync_exception.reason = ${sql.lit(PHOTO_MISSING)}`
const failureCount = sql`count(*) AS failed, count(*) FILTER (WHERE ${lacksPhoto}) AS "photoMissing"`

/** How many persons, or how many of these, fail at each device; devices without any are left out. */
export async function countFailures(
  scope: Scope,
  db: Db,
  deviceIds: readonly string[],
  personIds: readonly string[] | null,
): Promise<Map<string, FailureCount>> {
  if (deviceIds.length === 0) return new Map()
  const { rows } = await sql<FailureCount & { deviceId: string }>`SELECT sync_exception.device_id AS "deviceId", ${failureCount}
    FROM ${standingFailures(scope, deviceIds, personIds)} GROUP BY 1`.execute(db)
  return new Map(rows.map((row) => [row.deviceId, row]))
}

/** At how many of these devices each of these persons fails; persons who fail nowhere are left out. */
export async function countFailuresOf(
  scope: Scope,
  db: Db,
  deviceIds: readonly string[],
  personIds: readonly string[],
): Promise<Map<string, FailureCount>> {
  if (deviceIds.length === 0 || personIds.length === 0) return new Map()
  const { rows } = await sql<FailureCount & { personId: string }>`SELECT sync_exception.person_id AS "personId", ${failureCount}
    FROM ${standingFailures(scope, deviceIds, personIds)} GROUP BY 1`.execute(db)
  return new Map(rows.map((row) => [row.personId, row]))
}

/** So few devices are asked for their persons; of more, the persons of the park are asked one by one for a device. */
const FEW_DEVICES = 20

export interface FailingPerson {
  id: string
  /** Nothing but a photo is wanting, wherever the person fails. */
  photoMissing: boolean
}

/** Persons who fail at one of these devices. One who fails at a thousand costs little more than one who fails at one. */
export async function findFailingPersons(scope: Scope, db: Db, deviceIds: readonly string[]): Promise<FailingPerson[]> {
  if (deviceIds.length === 0) return []
  const failing = standingFailures(scope, deviceIds)
  const query =
    deviceIds.length <= FEW_DEVICES
      ? sql<FailingPerson>`SELECT sync_exception.person_id AS id, bool_and(${lacksPhoto}) AS "photoMissing" FROM ${failing} GROUP BY 1`
      : sql<FailingPerson>`WITH RECURSIVE person (id) AS (
          (SELECT person_id FROM sync_exception WHERE park_id = ${scope.parkId} ORDER BY person_id LIMIT 1)
          UNION ALL
          SELECT (SELECT person_id FROM sync_exception WHERE park_id = ${scope.parkId} AND person_id > person.id ORDER BY person_id LIMIT 1)
          FROM person WHERE person.id IS NOT NULL)
        SELECT id, NOT EXISTS (SELECT FROM ${failing} AND sync_exception.person_id = person.id AND NOT ${lacksPhoto}) AS "photoMissing"
        FROM person WHERE id IS NOT NULL AND EXISTS (SELECT FROM ${failing} AND sync_exception.person_id = person.id)`
  return (await query.execute(db)).rows
}

export interface Failing {
  audienceId: string
  personId: string
  /** Devices at which the person fails. */
  devices: number
}

/**
 * Persons, or those of these, who fail at these devices, with the audiences through which they are sent again; the first `limit` of
 * `total`. Those who only lack a photo are left out: sending again gives them none.
 */
export async function findToSendAgain(
  scope: Scope,
  db: Db,
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

/** These devices are waited for from now on. */
export async function waitAnew(scope: Scope, db: Db, deviceIds: readonly string[], now: number): Promise<void> {
  if (deviceIds.length === 0) return
  await sql`INSERT INTO sync_device (device_id, park_id, assigned_at)
    SELECT id, ${scope.parkId}::uuid, ${timestamp(now)}::timestamptz FROM unnest(${sql.val(deviceIds)}::uuid[]) AS device (id)
    ON CONFLICT (device_id) DO UPDATE SET assigned_at = excluded.assigned_at WHERE sync_device.park_id = excluded.park_id`.execute(db)
}
