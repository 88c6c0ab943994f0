/** Encryption at rest: a data key per park, wrapped by the master key; AES-256-GCM throughout. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Database } from '../database/database.ts'
import type { Logger } from '../log.ts'
import { keptIndexKey, openMasterKey, unwrap, wrap } from './master-key.ts'
import { memoize } from '../async/memoize.ts'
import { open, seal } from './sealed-bytes.ts'
import type { Place } from './sealed-column.ts'
import type { Secrets } from './secrets.ts'

export interface Crypto {
  /** Seal bytes with the park's data key, for one place. */
  seal(parkId: string, place: Place, plain: Uint8Array): Promise<Buffer>
  /** Open bytes. @throws Error if they were not sealed for this park and place */
  open(parkId: string, place: Place, sealed: Uint8Array): Promise<Buffer>
  /** Return a function that opens values of the park without waiting for the key each time. */
  opener(parkId: string): Promise<(place: Place, sealed: Uint8Array) => Buffer>
  /**
   * The same for values shown in lists: null, with an error in the log, for one that was moved or damaged, so that it does not hide the
   * others.
   */
  reader(parkId: string): Promise<(place: Place, sealed: Uint8Array) => Buffer | null>
  /** Open bytes that were sealed before values were bound to their place: for migrations, and files that have not been sealed again yet. */
  openUnbound(parkId: string, sealed: Uint8Array): Promise<Buffer>
  /**
   * Return a key of 32 bytes for one purpose, the same on all nodes and after a restart, and different from the key that seals files and
   * rows.
   */
  derivedKey(parkId: string, purpose: string): Promise<Buffer>
  /** Return the equality index of a value that is stored encrypted. */
  blindIndex(value: string): Buffer
  /** Return the signature of a text, such as a file address. */
  sign(text: string): string
}

/** Read or create the master key; data keys are created at a park's first use. @param log receives values that cannot be read */
export async function openCrypto(db: Database, secrets: Secrets, keyFile: string | null, log?: Pick<Logger, 'error'>): Promise<Crypto> {
  const master = await openMasterKey(db, secrets, keyFile)
  const indexKey = await keptIndexKey(db, master)
  const signKey = createHmac('sha256', master).update('file address').digest()

  /** Return the park's data key. */
  const keyOf = memoize(async (parkId) => {
    const found = () => db.selectFrom('dataKey').select('wrapped').where('parkId', '=', parkId).executeTakeFirst()
    let row = await found()
    if (row === undefined) {
      // Two first uses at once: the second insert is ignored and both read the first.
      await db
        .insertInto('dataKey')
        .values({ parkId, wrapped: wrap(master, parkId, randomBytes(32)) })
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
