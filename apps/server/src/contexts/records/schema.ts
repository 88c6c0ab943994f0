/** Tables of access records. */
import { sql } from 'kysely'
import type { Restriction } from '@gatehouse/access-rules'
import { failReason } from '@gatehouse/contract/enums'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { recordGapMigrations } from './gaps-schema.ts'
import { recordNameMigrations } from './record-names-schema.ts'
import { secondPhotographMigrations } from './second-photographs-schema.ts'
import { watchListHitMigrations } from './watch-list-hits-schema.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /** How far the records of a device's boot epoch are stored. */
    deviceEpoch: {}
    /** Partitioned by month of `occurred_at`, UTC. */
    accessRecord: {
      /** The park's zone at arrival; `local_date` and `local_hour` are in this zone and stay when the park's zone changes. */
      zone: string
      /** For a person of a linked park: the name of that park at arrival; null for persons of the own park. */
      personParkName: string | null
      /** The contact who came in the person's place; null, with an empty name, where nobody did. */
      contactId: string | null
      /** Null also where the contact no longer existed at arrival. */
      contactRelation: number | null
      /** 0 to 1, where the terminal checked liveness; read from `checks` at arrival. */
      liveness: number | null
      /** The rule of an area by which the server refused; read from `checks` at arrival. */
      restriction: Restriction | null
      /** Degrees Celsius, or -1 and -2 as marks. Measured by sensors of the terminal, like `temperature_status`, `mask` and `helmet`. */
      temperature: number | null
      /** The group the person was in at arrival; null without a person, and in records from before the column existed. */
      personGroupId: string | null
      /** Whether statistics count the record as of the watch list: the person is on it, or was when they were deleted. */
      watched: boolean
      /** Until when its picture was kept; null while it is kept, and where none arrived. */
      pictureKeptUntil: number | null
    }
    /** Records whose content cannot be stored in the columns, word for word: they must neither block later records nor be lost. */
    unstorableRecord: {}
    /** Pictures of records before this moment are deleted already. */
    pictureRetention: {}
  }
}

/** Adds the column and fills it from the text of the compact form of checks. */
const restrictionMigration: ContextMigration = {
  name: '20261129T1900-records-restriction',
  async up(db) {
    await sql`ALTER TABLE access_record ADD COLUMN restriction text`.execute(db)
    await sql`UPDATE access_record SET restriction = substring(checks FROM '"refused","(alreadyInside|alreadyOutside|full)"')
      WHERE fail_reason IN (${sql.lit(failReason.cloudRefused)}, ${sql.lit(failReason.areaFull)})`.execute(db)
  },
  columns: { access_record: { restriction: 'none' } },
}

export const recordMigrations: ContextMigration[] = [
  ...recordGapMigrations,
  ...recordNameMigrations,
  ...watchListHitMigrations,
  ...secondPhotographMigrations,
  restrictionMigration,
]
