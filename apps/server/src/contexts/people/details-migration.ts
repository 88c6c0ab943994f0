/** Phone, card, day of birth and remark of persons and the phone of contacts leave the columns in which they stood in clear. */
import { sql } from 'kysely'
import { forRows, setRows } from '../../platform/storage/bound-migration.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { placeOf, type SealedColumn } from '../../platform/encryption/sealed-column.ts'
import { PERSON_DETAILS, sealedDetailsOf, type PersonDetails } from './details.ts'

export const CONTACT_PHONE: SealedColumn = { table: 'person_contact', column: 'phone_sealed', park: 'park_id', key: ['id'] }

interface FormerPerson {
  id: string
  park_id: string
  phone: string | null
  card_number: string | null
  card_key: string | null
  birthday: string | null
  remark: string
}

export const detailsMigration: ContextMigration = {
  name: '20261127T1310-people-details',
  async up(db, keys) {
    await sql`ALTER TABLE person ADD COLUMN details bytea, ADD COLUMN phone_index bytea, ADD COLUMN phone_ending bytea,
      ADD COLUMN card_index bytea, ADD COLUMN card_ending bytea`.execute(db)
    await forRows<FormerPerson>(db, 'person', ['id', 'park_id', 'phone', 'card_number', 'card_key', 'birthday', 'remark'], async (rows) => {
      const crypto = await keys()
      const sealed = rows.map(async ({ id, park_id: parkId, phone, card_number: cardNumber, card_key: cardKey, birthday, remark }) => {
        const details: PersonDetails = { phone, email: null, cardNumber, cardKey, birthday, remark, instruction: '' }
        return { id, ...(await sealedDetailsOf(crypto, { parkId }, id, details)) }
      })
      await setRows(db, 'person', ['id'], await Promise.all(sealed))
    })
    await sql`ALTER TABLE person DROP COLUMN phone, DROP COLUMN card_number, DROP COLUMN card_key, DROP COLUMN birthday,
      DROP COLUMN remark`.execute(db)
    await sql`CREATE UNIQUE INDEX person_phone ON person (park_id, phone_index)`.execute(db)
    await sql`CREATE UNIQUE INDEX person_card_number ON person (park_id, card_index)`.execute(db)
    await sql`CREATE INDEX person_phone_ending ON person (park_id, phone_ending)`.execute(db)
    await sql`CREATE INDEX person_card_ending ON person (park_id, card_ending)`.execute(db)

    await sql`ALTER TABLE person_contact ADD COLUMN phone_sealed bytea`.execute(db)
    await forRows<{ id: string; park_id: string; phone: string }>(db, 'person_contact', ['id', 'park_id', 'phone'], async (rows) => {
      const crypto = await keys()
      const sealed = rows.map(async ({ id, park_id: parkId, phone }) => ({
        id,
        phone_sealed: await crypto.seal(parkId, placeOf(CONTACT_PHONE, id), Buffer.from(phone)),
      }))
      await setRows(db, 'person_contact', ['id'], await Promise.all(sealed))
    })
    await sql`ALTER TABLE person_contact ALTER COLUMN phone_sealed SET NOT NULL, DROP COLUMN phone`.execute(db)
    await sql`INSERT INTO leftovers (since) VALUES (now())`.execute(db)
  },
  columns: {
    person: { details: 'personal', phone_index: 'personal', phone_ending: 'personal', card_index: 'personal', card_ending: 'personal' },
    person_contact: { phone_sealed: 'personal' },
  },
  sealed: [PERSON_DETAILS, CONTACT_PHONE],
}
