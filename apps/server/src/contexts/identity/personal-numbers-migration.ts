/** Telephones of accounts, and ID cards that are not sealed yet, are sealed. The columns that stored them in clear are dropped. */
import { sql } from 'kysely'
import { forRows, setRows } from '../../platform/storage/bound-migration.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import { placeOf, type SealedColumn } from '../../platform/encryption/sealed-column.ts'

export const ID_CARD: SealedColumn = { table: 'user_account', column: 'id_card_sealed', park: null, key: ['id'] }
export const TELEPHONE: SealedColumn = { table: 'user_account', column: 'telephone_sealed', park: null, key: ['id'] }

interface FormerAccount {
  id: string
  telephone: string
  id_card: string
  id_card_sealed: Buffer | null
}

export const personalNumbersMigration: ContextMigration = {
  name: '20261127T1313-identity-personal-numbers',
  async up(db, keys) {
    await sql`ALTER TABLE user_account ADD COLUMN telephone_sealed bytea`.execute(db)
    await forRows<FormerAccount>(db, 'user_account', ['id', 'telephone', 'id_card', 'id_card_sealed'], async (rows) => {
      const withNumbers = rows.filter(({ telephone, id_card: idCard }) => telephone !== '' || idCard !== '')
      if (withNumbers.length === 0) return
      const crypto = await keys()
      const sealed = (column: SealedColumn, id: string, text: string) =>
        crypto.seal(INSTALLATION_ID, placeOf(column, id), Buffer.from(text))
      const changed = withNumbers.map(async ({ id, telephone, id_card: idCard, id_card_sealed: before }) => ({
        id,
        telephone_sealed: telephone === '' ? null : await sealed(TELEPHONE, id, telephone),
        id_card_sealed: idCard === '' ? before : await sealed(ID_CARD, id, idCard),
      }))
      await setRows(db, 'user_account', ['id'], await Promise.all(changed))
    })
    await sql`ALTER TABLE user_account DROP COLUMN telephone, DROP COLUMN id_card`.execute(db)
  },
  columns: { user_account: { telephone_sealed: 'personal' } },
  sealed: [TELEPHONE],
}
