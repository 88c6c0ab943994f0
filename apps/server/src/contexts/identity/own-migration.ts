/** Tables of failed tries, captchas and codes. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'

export interface OwnTables {
  /** How often something was tried within a window. */
  attempt: {
    /** Keyed hash of what is counted: a name, an address. */
    subject: Buffer
    count: number
    /** End of the window: from then on counting begins anew. */
    until: Date | number
  }
  captcha: {
    id: string
    /** Pixels from the left at which the piece fits. */
    answer: number
    expires_at: Date | number
  }
  verification_code: {
    /** Keyed hash of what it was sent for: one code at a time. */
    subject: Buffer
    /** Whose password it is about; null for a phone, and for a name nobody has. */
    user_id: string | null
    code_hash: Buffer
    /** Of a checked code: what it is exchanged for. */
    ticket_hash: Buffer | null
    expires_at: Date | number
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
      subject bytea PRIMARY KEY, user_id uuid REFERENCES user_account (id) ON DELETE CASCADE, code_hash bytea NOT NULL, ticket_hash bytea CONSTRAINT verification_code_ticket UNIQUE,
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
