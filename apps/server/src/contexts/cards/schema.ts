/** Tables of keys, cards and palms. */
import { sql } from 'kysely'
import { boundMigration, forRows, setRows } from '../../platform/storage/bound-migration.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { placeOf, type SealedColumn } from '../../platform/encryption/sealed-column.ts'
import { cardEndingOf, cardIndexOf } from '../people/index.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    cardKey: {
      /** Encrypted. */
      value: Buffer
    }
    cardWrite: {
      /** Encrypted; null: the usual key. */
      transportKey: Buffer | null
    }
    issuedCard: {
      /** Encrypted. */
      numberSealed: Buffer
      /** Blind index of the normalised number, whatever its format. */
      numberIndex: Buffer
      /** Blind index of the last four characters. */
      numberEnding: Buffer | null
      /** Whether it is the person's card number now. */
      inForce: boolean
      /** Encrypted. */
      password: Buffer | null
    }
    personPalm: {
      /** Null while the collector is waiting. */
      fileId: string | null
      /** Encrypted; null: the collector gave none, or is still waiting. */
      template: Buffer | null
    }
  }
}

export const CARD_KEY_VALUE: SealedColumn = { table: 'card_key', column: 'value', park: 'park_id', key: ['id'] }
export const TRANSPORT_KEY: SealedColumn = { table: 'card_write', column: 'transport_key', park: 'park_id', key: ['id'] }
export const PALM_TEMPLATE: SealedColumn = { table: 'person_palm', column: 'template', park: 'park_id', key: ['id'] }
export const CARD_PASSWORD: SealedColumn = { table: 'issued_card', column: 'password', park: 'park_id', key: ['id'] }

export const ISSUED_NUMBER: SealedColumn = { table: 'issued_card', column: 'number_sealed', park: 'park_id', key: ['id'] }

const issuedNumberMigration: ContextMigration = {
  name: '20261127T1312-cards-number',
  async up(db, keys) {
    await sql`ALTER TABLE issued_card ADD COLUMN number_sealed bytea, ADD COLUMN number_index bytea,
      ADD COLUMN number_ending bytea`.execute(db)
    await forRows<{ id: string; park_id: string; number: string; number_key: string }>(
      db,
      'issued_card',
      ['id', 'park_id', 'number', 'number_key'],
      async (rows) => {
        const crypto = await keys()
        const sealed = rows.map(async ({ id, park_id: parkId, number, number_key: key }) => ({
          id,
          number_sealed: await crypto.seal(parkId, placeOf(ISSUED_NUMBER, id), Buffer.from(number)),
          number_index: cardIndexOf(crypto, { parkId }, key),
          number_ending: cardEndingOf(crypto, { parkId }, number),
        }))
        await setRows(db, 'issued_card', ['id'], await Promise.all(sealed))
      },
    )
    await sql`ALTER TABLE issued_card ALTER COLUMN number_sealed SET NOT NULL, ALTER COLUMN number_index SET NOT NULL,
      DROP COLUMN number, DROP COLUMN number_key`.execute(db)
    await sql`CREATE UNIQUE INDEX issued_card_number ON issued_card (park_id, number_index)`.execute(db)
    await sql`CREATE INDEX issued_card_ending ON issued_card (park_id, number_ending)`.execute(db)
  },
  columns: { issued_card: { number_sealed: 'personal', number_index: 'personal', number_ending: 'personal' } },
  sealed: [ISSUED_NUMBER],
}

export const cardsMigrations: ContextMigration[] = [
  {
    name: '20261122T1230-cards-initial',
    async up(db) {
      await sql`CREATE TABLE card_key (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, type text NOT NULL, name text NOT NULL, value bytea NOT NULL, check_value text NOT NULL,
        created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE UNIQUE INDEX card_key_type ON card_key (park_id, type)`.execute(db)
      await sql`CREATE TABLE card_write (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, kind text NOT NULL, card_type smallint NOT NULL, area text NOT NULL,
        device_id uuid NOT NULL,
        device_name text NOT NULL, transport_key bytea, created_by text NOT NULL, created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX card_write_newest ON card_write (park_id, created_at DESC, id DESC)`.execute(db)
      await sql`CREATE TABLE card_write_item (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, write_id uuid NOT NULL REFERENCES card_write (id) ON DELETE CASCADE,
        position integer NOT NULL,
        number text NOT NULL DEFAULT '', state text NOT NULL, reason text, written_at timestamptz(3))`.execute(db)
      await sql`CREATE UNIQUE INDEX card_write_item_position ON card_write_item (write_id, position)`.execute(db)
      await sql`CREATE TABLE issued_card (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, person_id uuid NOT NULL, type smallint NOT NULL, number text NOT NULL,
        number_format text NOT NULL,
        number_key text NOT NULL, effective_date date NOT NULL, expiry_date date NOT NULL, issuing_device text NOT NULL,
        state text NOT NULL, reason text,
        in_force boolean NOT NULL, password bytea, created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE UNIQUE INDEX issued_card_number ON issued_card (park_id, number_key)`.execute(db)
      await sql`CREATE INDEX issued_card_person ON issued_card (park_id, person_id)`.execute(db)
      await sql`CREATE INDEX issued_card_newest ON issued_card (park_id, created_at DESC, id DESC)`.execute(db)
      await sql`CREATE TABLE person_palm (
        id uuid PRIMARY KEY, park_id uuid NOT NULL, person_id uuid NOT NULL, device_id uuid NOT NULL, device_name text NOT NULL,
        file_id uuid,
        created_at timestamptz(3) NOT NULL)`.execute(db)
      await sql`CREATE INDEX person_palm_person ON person_palm (park_id, person_id)`.execute(db)
    },
    columns: {
      card_key: { id: 'none', park_id: 'none', type: 'none', name: 'none', value: 'secret', check_value: 'none', created_at: 'none' },
      card_write: {
        id: 'none',
        park_id: 'none',
        kind: 'none',
        card_type: 'none',
        area: 'none',
        device_id: 'none',
        device_name: 'none',
        transport_key: 'secret',
        created_by: 'personal',
        created_at: 'none',
      },
      card_write_item: {
        id: 'none',
        park_id: 'none',
        write_id: 'none',
        position: 'none',
        number: 'none',
        state: 'none',
        reason: 'none',
        written_at: 'none',
      },
      issued_card: {
        id: 'none',
        park_id: 'none',
        person_id: 'none',
        type: 'none',
        number_format: 'none',
        effective_date: 'none',
        expiry_date: 'none',
        issuing_device: 'none',
        state: 'none',
        reason: 'none',
        in_force: 'none',
        password: 'secret',
        created_at: 'none',
      },
      person_palm: {
        id: 'none',
        park_id: 'none',
        person_id: 'none',
        device_id: 'none',
        device_name: 'none',
        file_id: 'biometric',
        created_at: 'none',
      },
    },
  },
  boundMigration('20261127T1250-cards-bound', [CARD_KEY_VALUE, TRANSPORT_KEY, CARD_PASSWORD]),
  issuedNumberMigration,
  {
    name: '20261130T1420-cards-palm-template',
    async up(db) {
      await sql`ALTER TABLE person_palm ADD COLUMN template bytea`.execute(db)
    },
    columns: { person_palm: { template: 'biometric' } },
    sealed: [PALM_TEMPLATE],
  },
]
