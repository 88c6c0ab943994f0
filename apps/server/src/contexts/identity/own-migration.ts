/** Tables of failed tries, captchas and codes. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    /** How often something was tried within a window. */
    attempt: {
      /** Keyed hash of what is counted: a name, an address. */
      subject: Buffer
      /** End of the window: from then on counting starts again. */
      until: number
    }
    captcha: {
      /** Pixels from the left at which the piece fits. */
      answer: number
    }
    verificationCode: {
      /** Keyed hash of what it was sent for, which has one code at a time. */
      subject: Buffer
      /** User whose password it is about; null for a phone, and for a name that no account has. */
      userId: string | null
      /** Keyed hash of the ticket for which a checked code was exchanged. */
      ticketHash: Buffer | null
    }
  }
}

export const ownMigration: ContextMigration = {
  name: '20261121T0431-identity-own',
  async up(db) {
    await sql`CREATE TABLE attempt (subject bytea PRIMARY KEY, count integer NOT NULL, until timestamptz(3) NOT NULL)`.execute(db)
    await sql`CREATE INDEX attempt_until ON attempt (until)`.execute(db)
    await sql`CREATE TABLE captcha (id uuid PRIMARY KEY, answer smallint NOT NULL, expires_at timestamptz(3) NOT NULL)`.execute(db)
    await sql`CREATE INDEX captcha_expiry ON captcha (expires_at)`.execute(db)
    await sql`CREATE TABLE verification_code (
      subject bytea PRIMARY KEY, user_id uuid REFERENCES user_account (id) ON DELETE CASCADE, code_hash bytea NOT NULL,
      ticket_hash bytea CONSTRAINT verification_code_ticket UNIQUE,
      expires_at timestamptz(3) NOT NULL)`.execute(db)
    await sql`CREATE INDEX verification_code_expiry ON verification_code (expires_at)`.execute(db)
    await sql`CREATE INDEX user_account_email ON user_account (lower(email)) WHERE email <> ''`.execute(db)
  },
  columns: {
    attempt: { subject: 'none', count: 'none', until: 'none' },
    captcha: { id: 'none', answer: 'secret', expires_at: 'none' },
    verification_code: { subject: 'none', user_id: 'none', code_hash: 'secret', ticket_hash: 'secret', expires_at: 'none' },
  },
}
