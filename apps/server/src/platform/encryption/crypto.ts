/** Encryption at rest: a data key per park, wrapped by the master key; AES-256-GCM throughout. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Database } from '../database/database.ts'
import type { Logger } from '../log.ts'
import { keptIndexKey, openMasterKey, unwrap, wrap, type KeyTables } from './master-key.ts'
import { memoize } from '../async/memoize.ts'
import { open, seal } from './sealed-bytes.ts'
import type { Place } from './sealed-column.ts'
import type { Secrets } from './secrets.ts'

export interface Crypto {
  /** Encrypts bytes with the park's data key, for one place. */
  seal(parkId: string, place: Place, plain: Uint8Array): Promise<Buffer>
  /** @throws Error if they were not sealed for this park and place */
  open(parkId: string, place: Place, sealed: Uint8Array): Promise<Buffer>
  /** Opens what was sealed for the park, many times over without waiting for the key each time. */
  opener(parkId: string): Promise<(place: Place, sealed: Uint8Array) => Buffer>
  /**
   * The same for what is shown beside others: null, with an error in the log, for one that was moved or damaged, so that it does not keep
   * back everybody else.
   */
  reader(parkId: string): Promise<(place: Place, sealed: Uint8Array) => Buffer | null>
  /** Opens what was sealed before values were bound to their place: for migrations, and files that none has reached yet. */
  openUnbound(parkId: string, sealed: Uint8Array): Promise<Buffer>
  /** A key of 32 bytes for one purpose, the same on all nodes and after a restart; other than the one files and rows are sealed with. */
  derivedKey(parkId: string, purpose: string): Promise<Buffer>
  /** Equality index of a value that is stored encrypted. */
  blindIndex(value: string): Buffer
  /** Signature of a text, such as a file address. */
  sign(text: string): string
}

/** Reads or makes the master key; data keys are made at a park's first use. @param log told of values that cannot be read */
export async function openCrypto(
  db: Database<KeyTables>,
  secrets: Secrets,
  keyFile: string | null,
  log?: Pick<Logger, 'error'>,
): Promise<Crypto> {
  const master = await openMasterKey(db, secrets, keyFile)
  const indexKey = await keptIndexKey(db, master)
  const signKey = createHmac('sha256', master).update('file address').digest()

  /** The park's data key. */
  const keyOf = memoize(async (parkId) => {
    const found = () => db.selectFrom('data_key').select('wrapped').where('park_id', '=', parkId).executeTakeFirst()
    let row = await found()
    if (row === undefined) {
      // Two first uses at once: the second insert is ignored and both read the first.
      await db
        .insertInto('data_key')
        .values({ park_id: parkId, wrapped: wrap(master, parkId, randomBytes(32)) })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      row = await found()
    }
    try {
      return unwrap(master, parkId, row!.wrapped)
    } catch (error) {
      throw new Error(`the master key ${keyFile === null ? 'in DATA_DIR/secrets' : `in ${keyFile}`} is not the one of this database`, {
        cause: error,
      })
    }
  })

  return {
    seal: async (parkId, place, plain) => seal(await keyOf(parkId), plain, place),
    open: async (parkId, place, sealed) => open(await keyOf(parkId), sealed, place),
    async opener(parkId) {
      const key = await keyOf(parkId)
      return (place, sealed) => open(key, sealed, place)
    },
    async reader(parkId) {
      const key = await keyOf(parkId)
      return (place, sealed) => {
        try {
          return open(key, sealed, place)
        } catch (error) {
          log?.error({ err: error, parkId, place }, 'a sealed value cannot be read at its place')
          return null
        }
      }
    },
    openUnbound: async (parkId, sealed) => open(await keyOf(parkId), sealed, null),
    derivedKey: async (parkId, purpose) =>
      createHmac('sha256', await keyOf(parkId))
        .update(purpose)
        .digest(),
    blindIndex: (value) => createHmac('sha256', indexKey).update(value).digest(),
    sign: (text) => createHmac('sha256', signKey).update(text).digest('base64url').slice(0, 32),
  }
}
