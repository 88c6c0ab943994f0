/** Wrong passwords that were counted, and the browsers in which an account was logged in to before. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

export interface LoginFailureTables {
  /** One row for each name and where its tries come from: an address, a known browser, or the account's own sessions. */
  login_failure: {
    /** Keyed hash of both. */
    subject: Buffer
    /** Keyed hash of the name, of names that nobody has too. */
    name: Buffer
    /** Null: nobody has the name. No foreign key: checking it would take time that names of nobody do not take. */
    user_id: string | null
    count: number
    /** End of the window, or of the lock where `count` has reached its limit. */
    until: Date | number
  }
  known_device: {
    /** Keyed hash of the text the browser keeps. */
    device: Buffer
    user_id: string
    /** Keyed hash of the password's hash: another password ends it. */
    password: Buffer
    expires_at: Date | number
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
    // Failures are counted by address now. The columns have defaults and are dropped with a later release.
    await sql`UPDATE user_account SET failures = 0, locked_until = NULL WHERE failures > 0 OR locked_until IS NOT NULL`.execute(db)
  },
  columns: {
    login_failure: { subject: 'none', name: 'none', user_id: 'none', count: 'none', until: 'none' },
    known_device: { device: 'secret', user_id: 'none', password: 'secret', expires_at: 'none' },
  },
}
