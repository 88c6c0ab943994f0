/**
 * Rows that records of devices become. Unscoped throughout: one transaction takes records of many parks, and each row
 * carries the park of the device that has proved itself.
 */
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import { isWatched } from '../../platform/session/sight.ts'
import type { RecordTables } from './schema.ts'

type Db = Database<RecordTables>

/** One device's numbering. */
export interface EpochKey {
  deviceId: string
  epoch: string
  parkId: string
}

/** A record as it is stored, keyed by column; times in ISO form, as JSON carries them. */
export type NewRecord = Omit<
  RecordTables['access_record'],
  'occurred_at' | 'received_at' | 'capture_file_id' | 'picture_kept_until' | 'watched'
> & {
  occurred_at: string
  received_at: string
}

export interface UnstorableRecord extends EpochKey {
  seq: number
  /** The record word for word, as JSON. */
  content: string
  reason: string
}

export interface RecordGap extends EpochKey {
  fromSeq: number
  toSeq: number
}

/**
 * Where these epochs stand, beginning those that are new; nobody else advances them until the transaction ends. Always
 * locked in one order: two nodes that take the same devices wait for each other, never both.
 */
export async function lockEpochsUnscoped(
  db: Db,
  epochs: readonly EpochKey[],
  now: number,
): Promise<(Omit<EpochKey, 'parkId'> & { ackSeq: number })[]> {
  // An update that changes nothing, because a conflict that does nothing neither locks nor returns the row.
  const { rows } = await sql<{ deviceId: string; epoch: string; ackSeq: number }>`
    INSERT INTO device_epoch (device_id, epoch, park_id, ack_seq, updated_at)
    SELECT "deviceId", epoch, "parkId", 0, ${timestamp(now)}::timestamptz
    FROM json_to_recordset(${JSON.stringify(epochs)}::json) AS sent ("deviceId" uuid, epoch text, "parkId" uuid)
    ORDER BY "deviceId", epoch COLLATE "C"
    ON CONFLICT (device_id, epoch) DO UPDATE SET ack_seq = device_epoch.ack_seq
    RETURNING device_id AS "deviceId", epoch, ack_seq AS "ackSeq"`.execute(db)
  return rows
}

/** Sets how far these epochs, locked before, are stored. */
export async function advanceEpochsUnscoped(db: Db, epochs: readonly (EpochKey & { ackSeq: number })[], now: number): Promise<void> {
  await sql`
    UPDATE device_epoch SET ack_seq = run."ackSeq", updated_at = ${timestamp(now)}::timestamptz
    FROM json_to_recordset(${JSON.stringify(epochs)}::json) AS run ("deviceId" uuid, epoch text, "ackSeq" bigint)
    WHERE device_epoch.device_id = run."deviceId" AND device_epoch.epoch = run.epoch`.execute(db)
}

/** Inserts records that are not there yet; answers the new ones, in their order, and whether each counts as one of the watch list. */
export async function insertRecordsUnscoped(db: Db, records: readonly NewRecord[]): Promise<{ id: string; watched: boolean }[]> {
  if (records.length === 0) return []
  // json, not jsonb: nothing is looked up in it, and building the tree costs a quarter of the insert.
  const { rows } = await sql<{ id: string; watched: boolean }>`
    INSERT INTO access_record (
      id, park_id, occurred_at, received_at, clock_offset_ms, zone, local_date, local_hour, device_id, device_name,
      person_id, person_name, work_number, person_park_name, contact_id, contact_name, contact_relation, person_group_id, direction, verify_type, result, fail_reason, score, liveness,
      temperature, temperature_status, mask, helmet, checks, settings_revision, watched)
    SELECT
      id, park_id, occurred_at, received_at, clock_offset_ms, zone, local_date, local_hour, device_id, device_name,
      person_id, person_name, work_number, person_park_name, contact_id, contact_name, contact_relation, person_group_id, direction, verify_type, result, fail_reason, score, liveness,
      temperature, temperature_status, mask, helmet, checks, settings_revision, ${isWatched('sent.person_id')}
    FROM json_to_recordset(${JSON.stringify(records)}::json) AS sent (
      id uuid, park_id uuid, occurred_at timestamptz, received_at timestamptz, clock_offset_ms bigint, zone text, local_date date,
      local_hour smallint, device_id uuid, device_name text, person_id uuid, person_name text, work_number text, person_park_name text,
      contact_id uuid, contact_name text, contact_relation smallint, person_group_id uuid, direction smallint,
      verify_type smallint, result smallint, fail_reason integer, score double precision, liveness double precision,
      temperature real, temperature_status smallint, mask smallint, helmet smallint, checks text, settings_revision text)
    ON CONFLICT (id, occurred_at) DO NOTHING
    RETURNING id, watched`.execute(db)
  return rows
}

export async function insertUnstorableUnscoped(db: Db, records: readonly UnstorableRecord[], now: number): Promise<void> {
  if (records.length === 0) return
  await sql`
    INSERT INTO unstorable_record (device_id, epoch, seq, park_id, content, reason, received_at)
    SELECT "deviceId", epoch, seq, "parkId", content, reason, ${timestamp(now)}::timestamptz
    FROM json_to_recordset(${JSON.stringify(records)}::json)
      AS sent ("deviceId" uuid, epoch text, seq bigint, "parkId" uuid, content text, reason text)
    ON CONFLICT DO NOTHING`.execute(db)
}

export async function insertGapsUnscoped(db: Db, gaps: readonly RecordGap[], now: number): Promise<void> {
  if (gaps.length === 0) return
  await sql`
    INSERT INTO record_gap (device_id, epoch, from_seq, to_seq, park_id, noted_at)
    SELECT "deviceId", epoch, "fromSeq", "toSeq", "parkId", ${timestamp(now)}::timestamptz
    FROM json_to_recordset(${JSON.stringify(gaps)}::json) AS gap ("deviceId" uuid, epoch text, "fromSeq" bigint, "toSeq" bigint, "parkId" uuid)
    ON CONFLICT DO NOTHING`.execute(db)
}
