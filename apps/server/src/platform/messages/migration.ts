/** The outbox of e-mails and messages by providers. */
import { sql } from 'kysely'
import type { MessageChannel } from '@gatehouse/contract/system/messages'
import { boundMigration } from '../storage/bound-migration.ts'
import type { ContextMigration } from '../database/migrations.ts'
import type { SealedColumn } from '../encryption/sealed-column.ts'

declare module '../database/tables.ts' {
  interface NarrowedColumns {
    message: {
      channel: MessageChannel
      /** The user it is about; null where there is none. */
      userId: string | null
      /** Recipient, subject, text and what else is sent, encrypted; recipient and subject alone once `text_until` is null. */
      content: Buffer
      /** When the text is to be dropped; null once it was. */
      textUntil: number | null
      state: 'waiting' | 'sent' | 'failed' | 'kept'
      /** A waiting message is not tried before. */
      nextAt: number
      /** End of the claim of the node that delivers it. */
      claimedUntil: number | null
    }
  }
}

export const messagesMigration: ContextMigration = {
  name: '20261121T0411-platform-messages',
  async up(db) {
    await sql`CREATE TABLE message (
      id uuid PRIMARY KEY, channel text NOT NULL, content bytea NOT NULL, state text NOT NULL, attempts smallint NOT NULL DEFAULT 0,
      reason text, created_at timestamptz(3) NOT NULL, sent_at timestamptz(3))`.execute(db)
    await sql`CREATE INDEX message_newest ON message (created_at DESC, id DESC)`.execute(db)
    await sql`CREATE INDEX message_waiting ON message (id) WHERE state = 'waiting'`.execute(db)
  },
  columns: {
    message: {
      id: 'none',
      channel: 'none',
      content: 'secret',
      state: 'none',
      attempts: 'none',
      reason: 'none',
      created_at: 'none',
      sent_at: 'none',
    },
  },
}

/** Nodes claim messages to deliver, and wait longer after each failure. */
export const messageClaimsMigration: ContextMigration = {
  name: '20261121T0432-platform-message-claims',
  async up(db) {
    await sql`ALTER TABLE message ADD COLUMN next_at timestamptz(3), ADD COLUMN claimed_until timestamptz(3)`.execute(db)
    await sql`UPDATE message SET next_at = created_at`.execute(db)
    await sql`ALTER TABLE message ALTER COLUMN next_at SET NOT NULL`.execute(db)
  },
  columns: { message: { next_at: 'none', claimed_until: 'none' } },
}

/** A message names the user it is about, and its text is stored no longer than it is useful. */
export const messageOwnerMigration: ContextMigration = {
  name: '20261126T1802-platform-message-owner',
  async up(db) {
    await sql`ALTER TABLE message ADD COLUMN user_id uuid, ADD COLUMN text_until timestamptz(3)`.execute(db)
    // Contents are encrypted, so the delivery job drops the texts of sent messages.
    await sql`UPDATE message SET text_until = CASE WHEN state = 'sent' THEN created_at ELSE created_at + interval '7 days' END`.execute(db)
    await sql`CREATE INDEX message_text ON message (text_until) WHERE text_until IS NOT NULL`.execute(db)
  },
  columns: { message: { user_id: 'none', text_until: 'none' } },
}

export const MESSAGE_CONTENT: SealedColumn = { table: 'message', column: 'content', park: null, key: ['id'] }

export const boundMessagesMigration: ContextMigration = boundMigration('20261127T1240-platform-messages-bound', [MESSAGE_CONTENT])
