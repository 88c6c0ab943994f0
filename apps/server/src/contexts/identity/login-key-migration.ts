/** The keys under which passwords travel, and the cipher texts that were opened with them. */
import { sql } from 'kysely'
import type { ContextMigration } from '../../platform/database/migrations.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'

declare module '../../platform/database/tables.ts' {
  interface NarrowedColumns {
    loginKey: {
      /** Ascending. Of two nodes that make the next key at the same moment, one succeeds. */
      number: number
      /** PKCS #8, encrypted under the installation's data key. */
      sealed: Buffer
      /** Time from which on it is the current key. */
      beganAt: number
    }
    usedCipherText: {
      /** SHA-256. */
      hash: Buffer
      /** The row is deleted with the key, without which the cipher text cannot be opened. */
      keyNumber: number
    }
  }
}

export const LOGIN_KEY: SealedColumn = { table: 'login_key', column: 'sealed', park: null, key: ['number'] }

export const loginKeyMigration: ContextMigration = {
  name: '20261126T2040-identity-login-key',
  async up(db) {
    await sql`CREATE TABLE login_key (number integer PRIMARY KEY, sealed bytea NOT NULL, began_at timestamptz(3) NOT NULL)`.execute(db)
    await sql`CREATE TABLE used_cipher_text (
      hash bytea PRIMARY KEY, key_number integer NOT NULL REFERENCES login_key (number) ON DELETE CASCADE)`.execute(db)
  },
  columns: {
    login_key: { number: 'none', sealed: 'secret', began_at: 'none' },
    used_cipher_text: { hash: 'none', key_number: 'none' },
  },
}
