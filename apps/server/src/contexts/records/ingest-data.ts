/**
 * Rows made of the records that devices send. Unscoped throughout: one transaction takes records of many parks, and each row
 * carries the park of the authenticated device.
 */
import { sentRows } from '../../platform/database/sent-rows.ts'
import type { Selectable } from 'kysely'
import type { Tables } from '../../platform/database/tables.ts'
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import { isWatched } from '../../platform/session/sight.ts'

/** One epoch of a device's sequence numbers. */
export interface EpochKey {
  deviceId: string
  epoch: string
  parkId: string
}

/** A record as it is stored, keyed by column; times in ISO form, as JSON carries them. */
export type NewRecord = Omit<
  Selectable<Tables['accessRecord']>,
  'occurredAt' | 'receivedAt' | 'captureFileId' | 'pictureKeptUntil' | 'watched'
> & {
  occurredAt: string
  receivedAt: string
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
 * Lock these epochs until the transaction ends, creating new ones, and return how far each is stored. They are always locked in
 * the same order, so that two nodes with the same devices cannot deadlock.
 */
export async function lockEpochsUnscoped(
  db: Database,
  epochs: readonly EpochKey[],
  now: number,
): Promise<(Omit<EpochKey, 'parkId'> & { ackSeq: number })[]> {
  // An update that changes nothing, because a conflict that does nothing neither locks nor returns the row.
  const { rows } = await sql<{ deviceId: string; epoch: string; ackSeq: number }>`
    INSERT INTO device_epoch (device_id, epoch, park_id, ack_seq, updated_at)
    SELECT device_id, epoch, park_id, 0, ${timestamp(now)}::timestamptz
    FROM ${sentRows(epochs, { deviceId: 'uuid', epoch: 'text', parkId: 'uuid' })} AS sent
    ORDER BY device_id, epoch COLLATE "C"
    ON CONFLICT (device_id, epoch) DO UPDATE SET ack_seq = device_epoch.ack_seq
    RETURNING device_id, epoch, ack_seq`.execute(db)
  return rows
}

/** Set how far these epochs, locked before, are stored. */
export async function advanceEpochsUnscoped(db: Database, epochs: readonly (EpochKey & { ackSeq: number })[], now: number): Promise<void> {
  await sql`
    UPDATE device_epoch SET ack_seq = run.ack_seq, updated_at = ${timestamp(now)}::timestamptz
    FROM ${sentRows(epochs, { deviceId: 'uuid', epoch: 'text', ackSeq: 'bigint' })} AS run
    WHERE device_epoch.device_id = run.device_id AND device_epoch.epoch = run.epoch`.execute(db)
}

/** Columns of a record as it arrives, with PostgreSQL's types. */
const RECORD_TYPES = {
  id: 'uuid',
  parkId: 'uuid',
  occurredAt: 'timestamptz',
  receivedAt: 'timestamptz',
  clockOffsetMs: 'bigint',
  zone: 'text',
  localDate: 'date',
  localHour: 'smallint',
  deviceId: 'uuid',
  deviceName: 'text',
  personId: 'uuid',
  personName: 'text',
  workNumber: 'text',
  personParkName: 'text',
  contactId: 'uuid',
  contactName: 'text',
  contactRelation: 'smallint',
  personGroupId: 'uuid',
  direction: 'smallint',
  verifyType: 'smallint',
  result: 'smallint',
  failReason: 'integer',
  score: 'double precision',
  liveness: 'double precision',
  temperature: 'real',
  temperatureStatus: 'smallint',
  mask: 'smallint',
  helmet: 'smallint',
  checks: 'text',
  restriction: 'text',
  settingsRevision: 'text',
} as const satisfies Record<keyof NewRecord, string>

/**
 * Insert the records that do not exist yet.
 * @returns the id of each inserted record, in the order of `records`, and whether it counts as one of the watch list
 */
export async function insertRecordsUnscoped(db: Database, records: readonly NewRecord[]): Promise<{ id: string; watched: boolean }[]> {
  if (records.length === 0) return []
  const names = sql.join(Object.keys(RECORD_TYPES).map((name) => sql.ref(name)))
  const { rows } = await sql<{ id: string; watched: boolean }>`
    INSERT INTO access_record (${names}, watched)
    SELECT ${names}, ${isWatched('sent.personId')}
    FROM ${sentRows(records, RECORD_TYPES)} AS sent
    ON CONFLICT (id, occurred_at) DO NOTHING
    RETURNING id, watched`.execute(db)
  return rows
}

export async function insertUnstorableUnscoped(db: Database, records: readonly UnstorableRecord[], now: number): Promise<void> {
  if (records.length === 0) return
  await sql`
    INSERT INTO unstorable_record (device_id, epoch, seq, park_id, content, reason, received_at)
    SELECT device_id, epoch, seq, park_id, content, reason, ${timestamp(now)}::timestamptz
    FROM ${sentRows(records, { deviceId: 'uuid', epoch: 'text', seq: 'bigint', parkId: 'uuid', content: 'text', reason: 'text' })} AS sent
    ON CONFLICT DO NOTHING`.execute(db)
}

export async function insertGapsUnscoped(db: Database, gaps: readonly RecordGap[], now: number): Promise<void> {
  if (gaps.length === 0) return
  await sql`
    INSERT INTO record_gap (device_id, epoch, from_seq, to_seq, park_id, noted_at)
    SELECT device_id, epoch, from_seq, to_seq, park_id, ${timestamp(now)}::timestamptz
    FROM ${sentRows(gaps, { deviceId: 'uuid', epoch: 'text', fromSeq: 'bigint', toSeq: 'bigint', parkId: 'uuid' })} AS gap
    ON CONFLICT DO NOTHING`.execute(db)
}
