/** Rows of second factors. Unscoped throughout: an account belongs to a node of the tree, not to a park. */
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'
import type { IdentityTables } from './schema.ts'

type Db = Database<IdentityTables>

export const FACTOR_SECRET: SealedColumn = { table: 'second_factor', column: 'secret', park: null, key: ['user_id'] }
export const FACTOR_PENDING: SealedColumn = { table: 'second_factor', column: 'pending', park: null, key: ['user_id'] }

/** Whether the login of an account asks for a one-time password. */
export async function isEnrolledUnscoped(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('second_factor')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('secret', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

export interface FactorRow {
  /** Sealed; null: there is none, or none was confirmed yet. */
  secret: Buffer | null
  since: number | null
  recoveryCodesLeft: number
}

export async function findFactorUnscoped(db: Db, userId: string): Promise<FactorRow> {
  const row = await db
    .selectFrom('second_factor')
    .select(['secret', 'since'])
    .select((eb) =>
      eb
        .selectFrom('recovery_code')
        .select((codes) => codes.fn.countAll<number>().as('count'))
        .where('recovery_code.user_id', '=', userId)
        .as('recoveryCodesLeft'),
    )
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return (row as FactorRow | undefined) ?? { secret: null, since: null, recoveryCodesLeft: 0 }
}

/** Keeps a new secret until it is confirmed; one that waited before is void. */
export async function setPendingUnscoped(db: Db, userId: string, pending: Buffer, until: number): Promise<void> {
  const values = { pending, pending_until: timestamp(until) }
  await db
    .insertInto('second_factor')
    .values({ user_id: userId, secret: null, last_step: 0, since: null, ...values })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(values))
    .execute()
}

/** The secret that waits to be confirmed, sealed; null where none does. */
export async function findPendingUnscoped(db: Db, userId: string, now: number): Promise<Buffer | null> {
  const row = await db
    .selectFrom('second_factor')
    .select('pending')
    .where('user_id', '=', userId)
    .where('pending_until', '>', timestamp(now))
    .executeTakeFirst()
  return row?.pending ?? null
}

/**
 * Makes the secret that waits the one that counts.
 *
 * @param pending as it was found, sealed @param secret the same, sealed for its new place @param step of its first one-time password
 * @returns whether it still waited
 */
export async function confirmPendingUnscoped(
  db: Db,
  userId: string,
  { pending, secret, step }: { pending: Buffer; secret: Buffer; step: number },
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factor')
    .set({ secret, last_step: step, since: timestamp(now), pending: null, pending_until: null })
    .where('user_id', '=', userId)
    .where('pending', '=', pending)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** Takes the one-time password of a time step, unless it or a later one was taken before. */
export async function takeStepUnscoped(db: Db, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('second_factor')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('secret', 'is not', null)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** Takes a recovery code, which is gone then. */
export async function takeRecoveryCodeUnscoped(db: Db, userId: string, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('recovery_code').where('user_id', '=', userId).where('hash', '=', hash).executeTakeFirst()
  return Number(numDeletedRows) === 1
}

/** Puts new recovery codes in the place of all there were. */
export async function replaceRecoveryCodesUnscoped(db: Db, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  await db
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ user_id: userId, hash })))
    .execute()
}

/** Removes a second factor with its recovery codes, and one that waits to be confirmed. @returns whether there was one that counted */
export async function deleteFactorUnscoped(db: Db, userId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('second_factor')
    .where('user_id', '=', userId)
    .returning(sql<boolean>`secret IS NOT NULL`.as('counted'))
    .executeTakeFirst()
  return deleted?.counted === true
}

/** Browsers become known by a login with the second factor only: failures of those that were known without it count as anybody's. */
export async function forgetKnownDevicesUnscoped(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('known_device').where('user_id', '=', userId).execute()
}
