/** Tables of wrong passwords that were counted, and of browsers in which an account logged in before. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /** One row for each name and origin of its tries: an address, a known browser, or the account's own sessions. */
    loginFailure: {
      /** Keyed hash of name and origin. */
      subject: Buffer
      /** Keyed hash of the name, also of a name that no account has. */
      name: Buffer
      /** Null: no account has the name. No foreign key: its check would take time only for names that an account has. */
      userId: string | null
      /** End of the window, or of the lock where `count` has reached its limit. */
      until: number
    }
    knownDevice: {
      /** Keyed hash of the text the browser keeps. */
      device: Buffer
      /** Keyed hash of the password's hash: with another password the browser is no longer known. */
      password: Buffer
    }
  }
}

export const loginFailureMigration: ContextMigration = {
  name: '20261127T0600-identity-login-failure',
  async up(db) {
    await sql`CREATE TABLE login_failure (
      subject bytea PRIMARY KEY, name bytea NOT NULL, user_id uuid, count integer NOT NULL, until timestamptz(3) NOT NULL)`.execute(db)
    await sql`CREATE INDEX login_failure_name ON login_failure (name)`.execute(db)
    await sql`CREATE INDEX login_failure_user ON login_failure (user_id)`.execute(db)
    await sql`CREATE INDEX login_failure_until ON login_failure (until)`.execute(db)
    await sql`CREATE TABLE known_device (
      device bytea NOT NULL, user_id uuid NOT NULL REFERENCES user_account (id) ON DELETE CASCADE, password bytea NOT NULL,
      expires_at timestamptz(3) NOT NULL, PRIMARY KEY (device, user_id))`.execute(db)
    await sql`CREATE INDEX known_device_user ON known_device (user_id)`.execute(db)
    await sql`CREATE INDEX known_device_expiry ON known_device (expires_at)`.execute(db)
    // Failures are counted by address now. The columns have defaults; a later release drops them.
    await sql`UPDATE user_account SET failures = 0, locked_until = NULL WHERE failures > 0 OR locked_until IS NOT NULL`.execute(db)
  },
  columns: {
    login_failure: { subject: 'none', name: 'none', user_id: 'none', count: 'none', until: 'none' },
    known_device: { device: 'secret', user_id: 'none', password: 'secret', expires_at: 'none' },
  },
}
