/** Tables of access records. */
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { recordGapMigrations, type RecordGapTables } from './gaps-schema.ts'
import { recordNameMigrations, type RecordNameTables } from './record-names-schema.ts'
import { secondPhotographMigrations, type SecondPhotographTables } from './second-photographs-schema.ts'
import { watchListHitMigrations, type WatchListHitTables } from './watch-list-hits-schema.ts'

export interface RecordTables extends RecordGapTables, RecordNameTables, SecondPhotographTables, WatchListHitTables {
  /** How far the records of a device's boot epoch are stored. */
  device_epoch: { device_id: string; epoch: string; park_id: string; ack_seq: number; updated_at: Date | number }
  /** Partitioned by month of `occurred_at`, UTC. */
  access_record: {
    id: string
    park_id: string
    occurred_at: Date | number
    received_at: Date | number
    clock_offset_ms: number | null
    /** The park's zone at arrival; `local_date` and `local_hour` are in it and stay when the zone changes. */
    zone: string
    local_date: string
    local_hour: number
    device_id: string
    device_name: string
    person_id: string | null
    person_name: string
    work_number: string
    /** Of a person of a linked park: how that park was called; null for the own ones. */
    person_park_name: string | null
    /** Who came in the person's place, as he was called; null and empty where nobody did. */
    contact_id: string | null
    contact_name: string
    /** Null also where the contact was not there any more at arrival. */
    contact_relation: number | null
    direction: number
    verify_type: number
    result: number
    fail_reason: number | null
    score: number | null
    /** 0 to 1, where a terminal looked whether the face was a living one; read from `checks` at arrival. */
    liveness: number | null
    /** Degrees Celsius, or -1 and -2 as marks; what sensors of the terminal told, as are the three that follow. */
    temperature: number | null
    temperature_status: number | null
    mask: number | null
    helmet: number | null
    checks: string
    settings_revision: string
    capture_file_id: string | null
    /** The group the person was in at arrival; null where nobody is known, and of records from before it was kept. */
    person_group_id: string | null
    /** Of somebody on the watch list, or who was when they were deleted: as which it is counted. */
    watched: boolean
    /** Until when its picture was kept; null while it is, and where none came. */
    picture_kept_until: Date | number | null
  }
  /** Records whose content no column takes, word for word: they must not stop those behind them, nor vanish. */
  unstorable_record: {
    device_id: string
    epoch: string
    seq: number
    park_id: string
    content: string
    reason: string
    received_at: Date | number
  }
  /** Pictures of records before this moment are deleted already. */
  picture_retention: { park_id: string; deleted_until: Date | number }
}

export const recordMigrations: ContextMigration[] = [
  ...recordGapMigrations,
  ...recordNameMigrations,
  ...watchListHitMigrations,
  ...secondPhotographMigrations,
]
