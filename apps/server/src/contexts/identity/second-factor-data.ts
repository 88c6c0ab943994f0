/** Rows of second factors. Unscoped throughout: an account belongs to a node of the tree, not to a park. */
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { SealedColumn } from '../../platform/encryption/sealed-column.ts'

export const FACTOR_SECRET: SealedColumn = { table: 'second_factor', column: 'secret', park: null, key: ['user_id'] }
export const FACTOR_PENDING: SealedColumn = { table: 'second_factor', column: 'pending', park: null, key: ['user_id'] }

/** Return whether the login of an account asks for a one-time password. */
export async function isEnrolledUnscoped(db: Database, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('secondFactor')
    .select('userId')
    .where('userId', '=', userId)
    .where('secret', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

export interface FactorRow {
  /** Sealed; null: no secret was confirmed. */
  secret: Buffer | null
  since: number | null
  recoveryCodesLeft: number
}

export async function findFactorUnscoped(db: Database, userId: string): Promise<FactorRow> {
  const row = await db
    .selectFrom('secondFactor')
    .select(['secret', 'since'])
    .select((eb) =>
      eb
        .selectFrom('recoveryCode')
        .select((codes) => codes.fn.countAll<number>().as('count'))
        .where('recoveryCode.userId', '=', userId)
        .as('recoveryCodesLeft'),
    )
    .where('userId', '=', userId)
    .executeTakeFirst()
  return (row as FactorRow | undefined) ?? { secret: null, since: null, recoveryCodesLeft: 0 }
}

/** Store a new secret until it is confirmed. It replaces an unconfirmed one. */
export async function setPendingUnscoped(db: Database, userId: string, pending: Buffer, until: number): Promise<void> {
  const values = { pending, pendingUntil: timestamp(until) }
  await db
    .insertInto('secondFactor')
    .values({ userId, secret: null, lastStep: 0, since: null, ...values })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(values))
    .execute()
}

/** Return the sealed secret that awaits confirmation; null where there is none. */
export async function findPendingUnscoped(db: Database, userId: string, now: number): Promise<Buffer | null> {
  const row = await db
    .selectFrom('secondFactor')
    .select('pending')
    .where('userId', '=', userId)
    .where('pendingUntil', '>', timestamp(now))
    .executeTakeFirst()
  return row?.pending ?? null
}

/**
 * Make the secret that awaits confirmation the current one.
 *
 * @param pending as it was read, sealed @param secret the same, sealed for its new place @param step of its first one-time password
 * @returns whether it still awaited confirmation
 */
export async function confirmPendingUnscoped(
  db: Database,
  userId: string,
  { pending, secret, step }: { pending: Buffer; secret: Buffer; step: number },
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('secondFactor')
    .set({ secret, lastStep: step, since: timestamp(now), pending: null, pendingUntil: null })
    .where('userId', '=', userId)
    .where('pending', '=', pending)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** Use up the one-time password of a time step. @returns false where it or a later one was used before */
export async function takeStepUnscoped(db: Database, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('secondFactor')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where('secret', 'is not', null)
    .where('lastStep', '<', step)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

/** Use up a recovery code, which is deleted. @returns whether it existed */
export async function takeRecoveryCodeUnscoped(db: Database, userId: string, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('recoveryCode').where('userId', '=', userId).where('hash', '=', hash).executeTakeFirst()
  return Number(numDeletedRows) === 1
}

/** Replace all recovery codes. */
export async function replaceRecoveryCodesUnscoped(db: Database, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await db.deleteFrom('recoveryCode').where('userId', '=', userId).execute()
  await db
    .insertInto('recoveryCode')
    .values(hashes.map((hash) => ({ userId, hash })))
    .execute()
}

/** Remove a second factor with its recovery codes and its unconfirmed secret. @returns whether a confirmed factor existed */
export async function deleteFactorUnscoped(db: Database, userId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('secondFactor')
    .where('userId', '=', userId)
    .returning(sql<boolean>`secret IS NOT NULL`.as('counted'))
    .executeTakeFirst()
  return deleted?.counted === true
}

/**
 * Forget the known browsers of a user. From now on only a login with the second factor makes a browser known; until then its failures count
 * like those of any other.
 */
export async function forgetKnownDevicesUnscoped(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('knownDevice').where('userId', '=', userId).execute()
}
