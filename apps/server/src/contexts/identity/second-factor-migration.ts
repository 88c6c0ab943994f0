/** Second factors of accounts: secrets of one-time passwords, and recovery codes. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { FACTOR_PENDING, FACTOR_SECRET } from './second-factor-data.ts'

export interface SecondFactorTables {
  second_factor: {
    user_id: string
    /** Sealed; null: none was confirmed yet. */
    secret: Buffer | null
    /** The time step of the last one-time password that was taken: no other is taken up to it. */
    last_step: number
    since: Date | number | null
    /** A new secret that waits to be confirmed, sealed, and until when it can be. */
    pending: Buffer | null
    pending_until: Date | number | null
  }
  recovery_code: {
    user_id: string
    /** Keyed hash. */
    hash: Buffer
  }
}

export const secondFactorMigration: ContextMigration = {
  name: '20261127T1000-identity-second-factor',
  async up(db) {
    await sql`CREATE TABLE second_factor (
      user_id uuid PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE, secret bytea, last_step integer NOT NULL DEFAULT 0,
      since timestamptz(3), pending bytea, pending_until timestamptz(3))`.execute(db)
    await sql`CREATE TABLE recovery_code (
      user_id uuid NOT NULL REFERENCES second_factor (user_id) ON DELETE CASCADE, hash bytea NOT NULL, PRIMARY KEY (user_id, hash))`.execute(
      db,
    )
  },
  columns: {
    second_factor: { user_id: 'none', secret: 'secret', last_step: 'none', since: 'none', pending: 'secret', pending_until: 'none' },
    recovery_code: { user_id: 'none', hash: 'secret' },
  },
  sealed: [FACTOR_SECRET, FACTOR_PENDING],
}
