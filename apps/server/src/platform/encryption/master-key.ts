/**
 * The master key, which wraps the data keys of parks and is stored outside the database. To replace it, the same data keys are wrapped
 * again, so that sealed data stay as they are.
 */
import type { Selectable } from 'kysely'
import type { Tables } from '../database/tables.ts'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql, type Database, type Transaction } from '../database/database.ts'
import { open, seal } from './sealed-bytes.ts'
import { placeOf, type SealedColumn } from './sealed-column.ts'
import { randomKey, type Secrets } from './secrets.ts'

const MASTER_KEY = 'master.key'
/** The key that is about to replace it. */
const NEXT_KEY = 'master.key.next'
/** Id, among the data keys, of the key of blind indexes once it is no longer derived from the master key. */
const INDEX_KEY_ID = '00000000-0000-7000-8000-000000000001'
const KEY = /^[0-9a-f]{64}$/i

const NO_KEY = 'the master key must be 64 hexadecimal characters'

/** Return the 32 bytes of a key from the text of its file. @throws Error with a sentence if it is not a key */
export function keyOfText(text: string): Buffer {
  if (!KEY.test(text.trim())) throw new Error(NO_KEY)
  return Buffer.from(text.trim(), 'hex')
}

/** Return any wrapped key; undefined before the first start, when the table does not exist yet. */
async function someWrapped(db: Database): Promise<Selectable<Tables['dataKey']> | undefined> {
  const { rows } = await sql<{ there: boolean }>`SELECT to_regclass('data_key') IS NOT NULL AS there`.execute(db)
  if (rows[0]?.there !== true) return undefined
  return db.selectFrom('dataKey').selectAll().limit(1).executeTakeFirst()
}

const WRAPPED: Pick<SealedColumn, 'table' | 'column'> = { table: 'data_key', column: 'wrapped' }

/** Wrap a key for an id. */
export const wrap = (master: Buffer, id: string, key: Buffer): Buffer => seal(master, key, placeOf(WRAPPED, id))

/**
 * Unwrap the key of an id. Keys from before they were bound to their id open without it; a rotation binds them.
 * @throws Error if they were wrapped with another master key
 */
export function unwrap(master: Buffer, id: string, wrapped: Buffer): Buffer {
  try {
    return open(master, wrapped, placeOf(WRAPPED, id))
  } catch {
    return open(master, wrapped, null)
  }
}

function opens(master: Buffer, { parkId: id, wrapped }: Selectable<Tables['dataKey']>): boolean {
  try {
    unwrap(master, id, wrapped)
    return true
  } catch {
    return false
  }
}

/**
 * Return the key of the data directory, created at the first start. @throws Error with a sentence where the installation's key is missing
 */
async function keptKey(db: Database, secrets: Secrets): Promise<Buffer> {
  const wrapped = await someWrapped(db)
  const next = secrets.read(NEXT_KEY)
  // A rotation was interrupted after its commit.
  if (next !== null && wrapped !== undefined && opens(keyOfText(next), wrapped)) await secrets.rename(NEXT_KEY, MASTER_KEY)
  if (!secrets.has(MASTER_KEY) && wrapped !== undefined)
    throw new Error('the master key of this installation is missing: set KEY_FILE to it, or put it back as DATA_DIR/secrets/master.key')
  return keyOfText(await secrets.keep(MASTER_KEY, randomKey))
}

/** Return the key in a file. @throws Error with a sentence where the file cannot be read */
function keyIn(keyFile: string): Buffer {
  try {
    return keyOfText(readFileSync(keyFile, 'utf8'))
  } catch (error) {
    if (error instanceof Error && error.message === NO_KEY) throw error
    throw new Error(`KEY_FILE names ${keyFile}, which cannot be read. For a new installation make one: openssl rand -hex 32 > ${keyFile}`, {
      cause: error,
    })
  }
}

/**
 * Read the master key, or create it at the first start.
 * @throws Error with a sentence if it cannot be read, or is missing
 */
export const openMasterKey = (db: Database, secrets: Secrets, keyFile: string | null): Promise<Buffer> =>
  keyFile === null ? keptKey(db, secrets) : Promise.resolve().then(() => keyIn(keyFile))

const derivedIndexKey = (master: Buffer): Buffer => createHmac('sha256', master).update('blind index').digest()

/** Return the key of blind indexes. It outlives the master key it was derived from, because existing indexes must still match. */
export async function keptIndexKey(db: Database, master: Buffer): Promise<Buffer> {
  if ((await someWrapped(db)) === undefined) return derivedIndexKey(master)
  const row = await db.selectFrom('dataKey').selectAll().where('parkId', '=', INDEX_KEY_ID).executeTakeFirst()
  // A wrong master key is reported in words at the first data key.
  return row === undefined || !opens(master, row) ? derivedIndexKey(master) : unwrap(master, INDEX_KEY_ID, row.wrapped)
}

/** Wrap all keys of the database again. @returns how many @throws Error if `before` does not open them */
async function rewrap(tx: Transaction, before: Buffer, after: Buffer): Promise<number> {
  await sql`LOCK TABLE data_key IN ACCESS EXCLUSIVE MODE`.execute(tx)
  const rows = await tx.selectFrom('dataKey').selectAll().execute()
  for (const { parkId, wrapped } of rows)
    await tx
      .updateTable('dataKey')
      .set({ wrapped: wrap(after, parkId, unwrap(before, parkId, wrapped)) })
      .where('parkId', '=', parkId)
      .execute()
  if (!rows.some(({ parkId }) => parkId === INDEX_KEY_ID))
    await tx
      .insertInto('dataKey')
      .values({ parkId: INDEX_KEY_ID, wrapped: wrap(after, INDEX_KEY_ID, derivedIndexKey(before)) })
      .execute()
  return rows.length
}

/**
 * Replace the master key in the data directory; the installation must not be in use meanwhile. A crash at any moment leaves one of the
 * two keys valid, and the next start finds out which.
 * @returns the number of keys it wraps
 * @throws Error with a sentence
 */
export async function replaceKeptKey(db: Database, secrets: Secrets): Promise<number> {
  const before = await keptKey(db, secrets)
  await secrets.drop(NEXT_KEY)
  const after = keyOfText(await secrets.keep(NEXT_KEY, randomKey))
  const count = await db.transaction().execute((tx) => rewrap(tx, before, after))
  await secrets.rename(NEXT_KEY, MASTER_KEY)
  return count
}

/**
 * Wrap all keys with a master key that is stored elsewhere from now on; the installation must not be in use meanwhile. A former key in
 * the data directory is deleted.
 * @returns the number of keys it wraps
 * @throws Error with a sentence
 */
export async function replaceByFile(
  db: Database,
  secrets: Secrets,
  { keyFile, newKeyFile }: { keyFile: string | null; newKeyFile: string },
): Promise<number> {
  const before = await openMasterKey(db, secrets, keyFile)
  const after = keyIn(newKeyFile)
  if (after.equals(before)) throw new Error(`${newKeyFile} holds the key this installation has already.`)
  const count = await db.transaction().execute((tx) => rewrap(tx, before, after))
  if (keyFile === null) await secrets.drop(MASTER_KEY)
  return count
}
