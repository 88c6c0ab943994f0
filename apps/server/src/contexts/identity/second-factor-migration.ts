/** Second factors of accounts: secrets of one-time passwords, and recovery codes. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { FACTOR_PENDING, FACTOR_SECRET } from './second-factor-data.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    secondFactor: {
      /** Sealed; null: none was confirmed yet. */
      secret: Buffer | null
      /** Time step of the last accepted one-time password. No password of this step or an earlier one is accepted again. */
      lastStep: number
      /** New secret that awaits confirmation, sealed, and the time until which it can be confirmed. */
      pending: Buffer | null
    }
    recoveryCode: {
      /** Keyed hash. */
      hash: Buffer
    }
  }
}

export const secondFactorMigration: ContextMigration = {
  name: '20261127T1000-identity-second-factor',
  async up(db) {
    await sql`CREATE TABLE second_factor (
      user_id uuid PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE, secret bytea, last_step integer NOT NULL DEFAULT 0,
      since timestamptz(3), pending bytea, pending_until timestamptz(3))`.execute(db)
    await sql`CREATE TABLE recovery_code (
      user_id uuid NOT NULL REFERENCES second_factor (user_id) ON DELETE CASCADE, hash bytea NOT NULL, 
      PRIMARY KEY (user_id, hash))`.execute(db)
  },
  columns: {
    second_factor: { user_id: 'none', secret: 'secret', last_step: 'none', since: 'none', pending: 'secret', pending_until: 'none' },
    recovery_code: { user_id: 'none', hash: 'secret' },
  },
  sealed: [FACTOR_SECRET, FACTOR_PENDING],
}
