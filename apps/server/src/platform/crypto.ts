/** Encryption at rest: a data key per park, wrapped by the master key; AES-256-GCM throughout. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { onceEach } from './once-each.ts'
import type { Secrets } from './secrets.ts'
import { randomKey } from './secrets.ts'

const NONCE = 12
const TAG = 16

/** nonce ‖ tag ‖ cipher text. */
function seal(key: Buffer, plain: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Throws where the bytes were not sealed with this key. */
function open(key: Buffer, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE))
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
  const plain = decipher.update(bytes.subarray(NONCE + TAG))
  // Nothing is left for the end in this mode: it only throws where the tag is another.
  decipher.final()
  return plain
}

export interface Crypto {
  /** Encrypts bytes with the park's data key. */
  seal(parkId: string, plain: Uint8Array): Promise<Buffer>
  open(parkId: string, sealed: Uint8Array): Promise<Buffer>
  /** Opens what was sealed for the park, many times over without waiting for the key each time. */
  opener(parkId: string): Promise<(sealed: Uint8Array) => Buffer>
  /** A key of 32 bytes for one purpose, the same on all nodes and after a restart; other than the one files and rows are sealed with. */
  derivedKey(parkId: string, purpose: string): Promise<Buffer>
  /** Equality index of a value that is stored encrypted. */
  blindIndex(value: string): Buffer
  /** Signature of a text, such as a file address. */
  sign(text: string): string
}

interface CryptoTables {
  data_key: { park_id: string; wrapped: Buffer }
}

/** The key of the data directory, made at the first start. @throws Error with a sentence where the installation has another */
async function keptKey(db: Database<CryptoTables>, secrets: Secrets): Promise<string> {
  if (!secrets.has('master.key') && (await hasDataKeys(db)))
    throw new Error('the master key of this installation is missing: set KEY_FILE to it, or put it back as DATA_DIR/secrets/master.key')
  return secrets.keep('master.key', randomKey)
}

/** False before the first start, too: the table is not there yet. */
async function hasDataKeys(db: Database<CryptoTables>): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`SELECT to_regclass('data_key') IS NOT NULL AS there`.execute(db)
  return rows[0]?.there === true && (await db.selectFrom('data_key').select('park_id').limit(1).executeTakeFirst()) !== undefined
}

/** @throws Error with a sentence where the file cannot be read */
function keyIn(keyFile: string): string {
  try {
    return readFileSync(keyFile, 'utf8').trim()
  } catch (error) {
    throw new Error(`KEY_FILE names ${keyFile}, which cannot be read. For a new installation make one: openssl rand -hex 32 > ${keyFile}`, {
      cause: error,
    })
  }
}

/** Reads or makes the master key; data keys are made at a park's first use. */
export async function openCrypto(db: Database<CryptoTables>, secrets: Secrets, keyFile: string | null): Promise<Crypto> {
  const hex = keyFile === null ? await keptKey(db, secrets) : keyIn(keyFile)
  const master = Buffer.from(hex, 'hex')
  if (master.length !== 32) throw new Error('the master key must be 64 hexadecimal characters')
  const derived = (purpose: string) => createHmac('sha256', master).update(purpose).digest()
  const indexKey = derived('blind index')
  const signKey = derived('file address')

  /** The park's data key. */
  const keyOf = onceEach(async (parkId) => {
    const found = () => db.selectFrom('data_key').select('wrapped').where('park_id', '=', parkId).executeTakeFirst()
    let row = await found()
    if (row === undefined) {
      // Two first uses at once: the second insert is ignored and both read the first.
      await db
        .insertInto('data_key')
        .values({ park_id: parkId, wrapped: seal(master, randomBytes(32)) })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      row = await found()
    }
    try {
      return open(master, row!.wrapped)
    } catch (error) {
      throw new Error(`the master key ${keyFile === null ? 'in DATA_DIR/secrets' : `in ${keyFile}`} is not the one of this database`, {
        cause: error,
      })
    }
  })

  return {
    seal: async (parkId, plain) => seal(await keyOf(parkId), plain),
    open: async (parkId, sealed) => open(await keyOf(parkId), sealed),
    async opener(parkId) {
      const key = await keyOf(parkId)
      return (sealed) => open(key, sealed)
    },
    derivedKey: async (parkId, purpose) =>
      createHmac('sha256', await keyOf(parkId))
        .update(purpose)
        .digest(),
    blindIndex: (value) => createHmac('sha256', indexKey).update(value).digest(),
    sign: (text) => createHmac('sha256', signKey).update(text).digest('base64url').slice(0, 32),
  }
}
