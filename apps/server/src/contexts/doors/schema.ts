/** Tables of the remote control of doors. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /** Last known states of doors; `told`: whether the device has reported a state, rather than an operation implying it. */
    doorState: {}
    /** Locks of the remote control of doors: by whom, and until when. */
    doorHold: {}
    /** Requests to operate doors. */
    doorRequest: {
      /** Name of the device at that time. */
      deviceName: string
      /** Value of the enum `openDoorStatus`. */
      status: number
    }
  }
}

export const doorsMigrations: ContextMigration[] = [
  {
    name: '20261122T1215-doors-initial',
    async up(db) {
      await sql`CREATE TABLE door_state (device_id uuid PRIMARY KEY, park_id uuid NOT NULL, state text NOT NULL, told boolean NOT NULL,
        at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX door_state_moved ON door_state (park_id) WHERE state <> 'closed'`.execute(db)
      await sql`CREATE TABLE door_hold (device_id uuid PRIMARY KEY, park_id uuid NOT NULL, user_id uuid NOT NULL, operator text NOT NULL,
        until timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX door_hold_park ON door_hold (park_id, until)`.execute(db)
      await sql`CREATE TABLE door_request (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, device_id uuid NOT NULL, device_name text NOT NULL, user_id uuid NOT NULL,
        account text NOT NULL,
        operator text NOT NULL, operate_type smallint NOT NULL, status smallint NOT NULL, error_type smallint,
        requested_at timestamptz(3) NOT NULL, answered_at timestamptz(3))`.execute(db)
      await sql`CREATE INDEX door_request_newest ON door_request (park_id, requested_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX door_request_device ON door_request (park_id, device_id, requested_at DESC, id DESC)`.execute(db)
      await sql`CREATE INDEX door_request_pending ON door_request (device_id) WHERE status = 0`.execute(db)
      await sql`CREATE INDEX door_request_old ON door_request (requested_at)`.execute(db)
    },
    columns: {
      door_state: { device_id: 'none', park_id: 'none', state: 'none', told: 'none', at: 'none' },
      door_hold: { device_id: 'none', park_id: 'none', user_id: 'none', operator: 'personal', until: 'none' },
      door_request: {
        id: 'none',
        park_id: 'none',
        device_id: 'none',
        device_name: 'none',
        user_id: 'none',
        account: 'personal',
        operator: 'personal',
        operate_type: 'none',
        status: 'none',
        error_type: 'none',
        requested_at: 'none',
        answered_at: 'none',
      },
    },
  },
]
