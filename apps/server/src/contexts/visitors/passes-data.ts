/** Rows of QR passes and of the keys that sign them. Every function takes the scope first, except those of jobs over all parks. */
import { oneOf, timestamp, type Database } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

export interface PassRow {
  id: string
  personId: string
  oneUse: boolean
}

/** Store a pass; a person who has one keeps it. */
export async function insertPass(scope: Scope, db: Database, pass: PassRow, now: number): Promise<void> {
  await db
    .insertInto('visitPass')
    .values({ ...pass, parkId: scope.parkId, issuedAt: timestamp(now) })
    .onConflict((conflict) => conflict.column('personId').doNothing())
    .execute()
}

/** Return the passes of persons that admit now, those for one use only before it. */
export async function findPasses(scope: Scope, db: Database, personIds: readonly string[]): Promise<PassRow[]> {
  if (personIds.length === 0) return []
  return db
    .selectFrom('visitPass')
    .select(['id', 'personId', 'oneUse'])
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', oneOf(personIds))
    .where('usedAt', 'is', null)
    .execute()
}

export async function deletePasses(scope: Scope, db: Database, personIds: readonly string[]): Promise<void> {
  if (personIds.length === 0) return
  await db.deleteFrom('visitPass').where('parkId', '=', scope.parkId).where('personId', '=', oneOf(personIds)).execute()
}

/** A passage by a pass for one use, as a device asks about it before it opens. */
export interface PassUse {
  id: string
  personId: string
  deviceId: string
  /** Epoch milliseconds of the device's clock. */
  moment: number
}

/** Note that a pass for one use admits; return false where it is void or was used. */
export async function usePass(scope: Scope, db: Database, { id, personId, deviceId, moment }: PassUse, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('visitPass')
    .set({ usedAt: timestamp(now), usedDeviceId: deviceId, usedMoment: timestamp(moment) })
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('personId', '=', personId)
    .where('oneUse', '=', true)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Return whether a pass admits a passage: it was not used, or by this very passage. */
export async function isPassUsable(scope: Scope, db: Database, { id, personId, deviceId, moment }: PassUse): Promise<boolean> {
  const found = await db
    .selectFrom('visitPass')
    .select('id')
    .where('parkId', '=', scope.parkId)
    .where('id', '=', id)
    .where('personId', '=', personId)
    .where((eb) => eb.or([eb('usedAt', 'is', null), eb.and([eb('usedDeviceId', '=', deviceId), eb('usedMoment', '=', timestamp(moment))])]))
    .executeTakeFirst()
  return found !== undefined
}

/** Note that a person passed by their code. @param at a pass that was issued later was not used @returns whether a pass was used by it */
export async function usePassOf(scope: Scope, db: Database, personId: string, at: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('visitPass')
    .set({ usedAt: timestamp(now) })
    .where('parkId', '=', scope.parkId)
    .where('personId', '=', personId)
    .where('oneUse', '=', true)
    .where('usedAt', 'is', null)
    .where('issuedAt', '<=', timestamp(at))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const keyColumns = ['id', 'publicKey', 'privateKey', 'createdAt', 'endsAt'] as const

/** Return the keys of the park, oldest first; the current one has no end. */
export const findPassKeys = (scope: Scope, db: Database) =>
  db.selectFrom('visitPassKey').select(keyColumns).where('parkId', '=', scope.parkId).orderBy('createdAt').orderBy('id').execute()

/** Store the key that signs from now on; return false where there is one already. */
export async function insertPassKey(
  scope: Scope,
  db: Database,
  key: { id: string; publicKey: Buffer; privateKey: Buffer },
  now: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('visitPassKey')
    .values({ ...key, parkId: scope.parkId, createdAt: timestamp(now) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** End the current key: its private half is deleted, its public half stays until the last pass it may have signed has ended. */
export async function retirePassKey(scope: Scope, db: Database, now: number): Promise<void> {
  const { last } = await db
    .selectFrom('visit')
    .select((eb) => eb.fn.max('expiresAt').as('last'))
    .where('parkId', '=', scope.parkId)
    .where('personId', 'is not', null)
    .executeTakeFirstOrThrow()
  await db
    .updateTable('visitPassKey')
    .set({ privateKey: null, endsAt: timestamp(Math.max(now, Number(last ?? now))) })
    .where('parkId', '=', scope.parkId)
    .where('endsAt', 'is', null)
    .execute()
}

/** Return the parks whose current key was made before a moment. */
export async function findParksWithOldKeysUnscoped(db: Database, before: number): Promise<string[]> {
  const rows = await db
    .selectFrom('visitPassKey')
    .select('parkId')
    .where('endsAt', 'is', null)
    .where('createdAt', '<', timestamp(before))
    .execute()
  return rows.map(({ parkId }) => parkId)
}

/** Delete former keys whose passes have all ended; return their parks. */
export async function deleteEndedKeysUnscoped(db: Database, now: number): Promise<string[]> {
  const rows = await db.deleteFrom('visitPassKey').where('endsAt', '<', timestamp(now)).returning('parkId').execute()
  return [...new Set(rows.map(({ parkId }) => parkId))]
}

/** Delete all passes and keys of the park; return the number of passes. */
export async function deletePassesOfPark(scope: Scope, db: Database): Promise<number> {
  await db.deleteFrom('visitPassKey').where('parkId', '=', scope.parkId).execute()
  const { numDeletedRows } = await db.deleteFrom('visitPass').where('parkId', '=', scope.parkId).executeTakeFirst()
  return Number(numDeletedRows)
}
