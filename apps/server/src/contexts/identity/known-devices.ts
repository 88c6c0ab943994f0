/**
 * Browsers in which an account logged in before. Each stores a random text, of which the server stores only a keyed hash. Failures of a
 * known browser are counted separately, so that nobody behind the same address can lock its user out.
 */
import { randomBytes } from 'node:crypto'
import type { Platform } from '../../platform/context.ts'
import { timestamp, type Transaction } from '../../platform/database/database.ts'
import type { Account } from './data.ts'

const VALID_MS = 180 * 86_400_000
/** Most known browsers of an account. The one used longest ago is dropped. */
const PER_ACCOUNT = 20
/** Id in place of an account that does not exist: the look-up is made all the same, so that both cases take as long. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

type Holder = Pick<Account, 'id' | 'passwordHash'>

export interface KnownDevices {
  /**
   * Return the key under which the failures of a browser are counted; null where it is not known for this account and its present password.
   */
  recognise(text: string | undefined, account: Holder | undefined): Promise<string | null>
  /** Note a login. @param text that the browser sent @returns text that the browser sends next time */
  remember(tx: Transaction, account: Holder, text: string | undefined): Promise<string>
  dropExpired(): Promise<number>
}

export function createKnownDevices({ db, clock, crypto }: Pick<Platform, 'db' | 'clock' | 'crypto'>): KnownDevices {
  const deviceOf = (text: string): Buffer => crypto.blindIndex(`known device ${text}`)
  const passwordOf = (hash: string): Buffer => crypto.blindIndex(`password of a known device ${hash}`)

  return {
    async recognise(text, account) {
      if (text === undefined || text === '') return null
      const device = deviceOf(text)
      const row = await db
        .selectFrom('knownDevice')
        .select('device')
        .where('userId', '=', account?.id ?? NOBODY)
        .where('device', '=', device)
        .where('password', '=', passwordOf(account?.passwordHash ?? ''))
        .where('expiresAt', '>', timestamp(clock.now()))
        .executeTakeFirst()
      return row === undefined ? null : device.toString('base64url')
    },
    async remember(tx, { id, passwordHash }, text) {
      // A browser that several users share keeps one text. A text that was not made here is replaced.
      const isOurs =
        text !== undefined &&
        (await tx.selectFrom('knownDevice').select('device').where('device', '=', deviceOf(text)).limit(1).executeTakeFirst()) !== undefined
      const kept = isOurs ? text : randomBytes(32).toString('base64url')
      const values = { password: passwordOf(passwordHash), expiresAt: timestamp(clock.now() + VALID_MS) }
      await tx
        .insertInto('knownDevice')
        .values({ device: deviceOf(kept), userId: id, ...values })
        .onConflict((conflict) => conflict.columns(['userId', 'device']).doUpdateSet(values))
        .execute()
      await tx
        .deleteFrom('knownDevice')
        .where('userId', '=', id)
        .where('device', 'not in', (eb) =>
          eb.selectFrom('knownDevice').select('device').where('userId', '=', id).orderBy('expiresAt', 'desc').limit(PER_ACCOUNT),
        )
        .execute()
      return kept
    },
    async dropExpired() {
      const dropped = await db.deleteFrom('knownDevice').where('expiresAt', '<', timestamp(clock.now())).executeTakeFirst()
      return Number(dropped.numDeletedRows)
    },
  }
}
