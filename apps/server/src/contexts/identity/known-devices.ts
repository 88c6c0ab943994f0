/**
 * Browsers in which an account was logged in to before. Each keeps a random text, of which only a keyed hash is stored. Failures of
 * a known browser are counted by themselves, so that nobody behind the same address can lock its user out.
 */
import { randomBytes } from 'node:crypto'
import type { Platform } from '../../platform/context.ts'
import { timestamp, type Database, type Tx } from '../../platform/database/database.ts'
import type { Account } from './data.ts'
import type { IdentityTables } from './schema.ts'

const VALID_MS = 180 * 86_400_000
/** Browsers an account is known in; the one that was used longest ago makes room. */
const PER_ACCOUNT = 20
/** Stands for the account of a name that nobody has: looked up all the same, so that both take as long. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

type Holder = Pick<Account, 'id' | 'passwordHash'>

export interface KnownDevices {
  /** Return what the failures of a browser are counted by; null where it is not known for this account and its present password. */
  recognise(text: string | undefined, account: Holder | undefined): Promise<string | null>
  /** Note that somebody logged in. @param text what the browser sent @returns what it is to send next time */
  remember(tx: Tx<IdentityTables>, account: Holder, text: string | undefined): Promise<string>
  dropExpired(): Promise<number>
}

export function createKnownDevices({ db: untyped, clock, crypto }: Pick<Platform, 'db' | 'clock' | 'crypto'>): KnownDevices {
  const db = untyped as unknown as Database<IdentityTables>
  const deviceOf = (text: string): Buffer => crypto.blindIndex(`known device ${text}`)
  const passwordOf = (hash: string): Buffer => crypto.blindIndex(`password of a known device ${hash}`)

  return {
    async recognise(text, account) {
      if (text === undefined || text === '') return null
      const device = deviceOf(text)
      const row = await db
        .selectFrom('known_device')
        .select('device')
        .where('user_id', '=', account?.id ?? NOBODY)
        .where('device', '=', device)
        .where('password', '=', passwordOf(account?.passwordHash ?? ''))
        .where('expires_at', '>', timestamp(clock.now()))
        .executeTakeFirst()
      return row === undefined ? null : device.toString('base64url')
    },
    async remember(tx, { id, passwordHash }, text) {
      // A browser that several users share keeps one text; one that was not made here is not taken on.
      const isOurs =
        text !== undefined &&
        (await tx.selectFrom('known_device').select('device').where('device', '=', deviceOf(text)).limit(1).executeTakeFirst()) !==
          undefined
      const kept = isOurs ? text : randomBytes(32).toString('base64url')
      const values = { password: passwordOf(passwordHash), expires_at: timestamp(clock.now() + VALID_MS) }
      await tx
        .insertInto('known_device')
        .values({ device: deviceOf(kept), user_id: id, ...values })
        .onConflict((conflict) => conflict.columns(['user_id', 'device']).doUpdateSet(values))
        .execute()
      await tx
        .deleteFrom('known_device')
        .where('user_id', '=', id)
        .where('device', 'not in', (eb) =>
          eb.selectFrom('known_device').select('device').where('user_id', '=', id).orderBy('expires_at', 'desc').limit(PER_ACCOUNT),
        )
        .execute()
      return kept
    },
    async dropExpired() {
      const dropped = await db.deleteFrom('known_device').where('expires_at', '<', timestamp(clock.now())).executeTakeFirst()
      return Number(dropped.numDeletedRows)
    },
  }
}
