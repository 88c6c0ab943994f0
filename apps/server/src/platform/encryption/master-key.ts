/**
 * The master key: it wraps the data keys of parks, and lies outside the database. A new one takes its place by wrapping the same
 * data keys again, so that nothing that is sealed has to be touched.
 */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql, type Database, type Tx } from '../database/database.ts'
import { open, seal } from './sealed-bytes.ts'
import { placeOf, type SealedColumn } from './sealed-column.ts'
import { randomKey, type Secrets } from './secrets.ts'

export interface KeyTables {
  data_key: { park_id: string; wrapped: Buffer }
}

const MASTER_KEY = 'master.key'
/** The key that is about to take its place. */
const NEXT_KEY = 'master.key.next'
/** Under this id stands, among the data keys, the key of blind indexes once it no longer follows from the master key. */
const INDEX_KEY_ID = '00000000-0000-7000-8000-000000000001'
const KEY = /^[0-9a-f]{64}$/i

const NO_KEY = 'the master key must be 64 hexadecimal characters'

/** Return the 32 bytes of a key as files hold it. @throws Error with a sentence if it is none */
export function keyOfText(text: string): Buffer {
  if (!KEY.test(text.trim())) throw new Error(NO_KEY)
  return Buffer.from(text.trim(), 'hex')
}

/** Return any wrapped key; undefined before the first start, when the table is not there yet. */
async function someWrapped(db: Database<KeyTables>): Promise<KeyTables['data_key'] | undefined> {
  const { rows } = await sql<{ there: boolean }>`SELECT to_regclass('data_key') IS NOT NULL AS there`.execute(db)
  if (rows[0]?.there !== true) return undefined
  return db.selectFrom('data_key').selectAll().limit(1).executeTakeFirst()
}

const WRAPPED: Pick<SealedColumn, 'table' | 'column'> = { table: 'data_key', column: 'wrapped' }

/** Wrap a key that is kept under an id. */
export const wrap = (master: Buffer, id: string, key: Buffer): Buffer => seal(master, key, placeOf(WRAPPED, id))

/**
 * Unwrap what is kept under an id. Keys from before they were bound to it are told by their other tag; a rotation binds them.
 * @throws Error if this is not the master key they are wrapped with
 */
export function unwrap(master: Buffer, id: string, wrapped: Buffer): Buffer {
  try {
    return open(master, wrapped, placeOf(WRAPPED, id))
  } catch {
    return open(master, wrapped, null)
  }
}

function opens(master: Buffer, { park_id: id, wrapped }: KeyTables['data_key']): boolean {
  try {
    unwrap(master, id, wrapped)
    return true
  } catch {
    return false
  }
}

/** Return the key of the data directory, made at the first start. @throws Error with a sentence where the installation has another */
async function keptKey(db: Database<KeyTables>, secrets: Secrets): Promise<Buffer> {
  const wrapped = await someWrapped(db)
  const next = secrets.read(NEXT_KEY)
  // A rotation was cut off behind its last word to the database.
  if (next !== null && wrapped !== undefined && opens(keyOfText(next), wrapped)) await secrets.rename(NEXT_KEY, MASTER_KEY)
  if (!secrets.has(MASTER_KEY) && wrapped !== undefined)
    throw new Error('the master key of this installation is missing: set KEY_FILE to it, or put it back as DATA_DIR/secrets/master.key')
  return keyOfText(await secrets.keep(MASTER_KEY, randomKey))
}

/** @throws Error with a sentence where the file cannot be read */
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
 * Read the master key, or make it at the first start.
 * @throws Error with a sentence if it cannot be read, or is missing
 */
export const openMasterKey = (db: Database<KeyTables>, secrets: Secrets, keyFile: string | null): Promise<Buffer> =>
  keyFile === null ? keptKey(db, secrets) : Promise.resolve().then(() => keyIn(keyFile))

const derivedIndexKey = (master: Buffer): Buffer => createHmac('sha256', master).update('blind index').digest()

/** Return the key of blind indexes. It outlives the master key it was made from: the indexes it made must be found again. */
export async function keptIndexKey(db: Database<KeyTables>, master: Buffer): Promise<Buffer> {
  if ((await someWrapped(db)) === undefined) return derivedIndexKey(master)
  const row = await db.selectFrom('data_key').selectAll().where('park_id', '=', INDEX_KEY_ID).executeTakeFirst()
  // A master key that is not the one of this database is told of at the first data key, in words.
  return row === undefined || !opens(master, row) ? derivedIndexKey(master) : unwrap(master, INDEX_KEY_ID, row.wrapped)
}

/** Wrap all keys of the database again. @returns how many @throws Error if `before` does not open them */
async function rewrap(tx: Tx<KeyTables>, before: Buffer, after: Buffer): Promise<number> {
  await sql`LOCK TABLE data_key IN ACCESS EXCLUSIVE MODE`.execute(tx)
  const rows = await tx.selectFrom('data_key').selectAll().execute()
  for (const { park_id: parkId, wrapped } of rows)
    await tx
      .updateTable('data_key')
      .set({ wrapped: wrap(after, parkId, unwrap(before, parkId, wrapped)) })
      .where('park_id', '=', parkId)
      .execute()
  if (!rows.some(({ park_id: parkId }) => parkId === INDEX_KEY_ID))
    await tx
      .insertInto('data_key')
      .values({ park_id: INDEX_KEY_ID, wrapped: wrap(after, INDEX_KEY_ID, derivedIndexKey(before)) })
      .execute()
  return rows.length
}

/**
 * Put a new master key in the place of the one in the data directory; nobody else may use the installation meanwhile. A crash at any
 * moment leaves one of the two, and the next start finds out which.
 * @returns how many keys it wraps
 * @throws Error with a sentence
 */
export async function replaceKeptKey(db: Database<KeyTables>, secrets: Secrets): Promise<number> {
  const before = await keptKey(db, secrets)
  await secrets.drop(NEXT_KEY)
  const after = keyOfText(await secrets.keep(NEXT_KEY, randomKey))
  const count = await db.transaction().execute((tx) => rewrap(tx, before, after))
  await secrets.rename(NEXT_KEY, MASTER_KEY)
  return count
}

/**
 * Wrap everything with a master key that lies elsewhere from now on; nobody else may use the installation meanwhile. The former key of
 * the data directory goes.
 * @returns how many keys it wraps
 * @throws Error with a sentence
 */
export async function replaceByFile(
  db: Database<KeyTables>,
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
