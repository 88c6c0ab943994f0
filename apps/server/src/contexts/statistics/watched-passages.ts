/**
 * Passages of the watch list are counted separately, so that figures do not reveal them to users who may not see the list. All
 * passages of a person move when the person is put on the list or removed from it: otherwise figures and records would differ.
 */
import type { Platform } from '../../platform/context.ts'
import type { StatisticsDependencies } from './dependencies.ts'
import { hasMarkedUnscoped, lockWatched } from '../records/index.ts'
import { findWatchedUnscoped, markUnscoped } from './watched-passages-data.ts'

/** Count the passages of persons who changed or were deleted by their current state. Safe to repeat. */
export type CountAsWatched = (personIds: readonly string[]) => Promise<void>

export function createCountAsWatched(platform: Platform, { organisation }: Pick<StatisticsDependencies, 'organisation'>): CountAsWatched {
  const db = platform.db
  return async (personIds) => {
    const parkIds = organisation.parks().map(({ id }) => id)
    // Few persons are on the list, and most changes concern none of them.
    const [watched, marked] = await Promise.all([findWatchedUnscoped(db, personIds), hasMarkedUnscoped(db, parkIds, personIds)])
    if (watched.length === 0 && !marked) return
    await platform.transaction(async (tx) => {
      await lockWatched(tx, 'alone')
      const now = new Set(await findWatchedUnscoped(tx, personIds))
      await markUnscoped(tx, parkIds, [...now], true)
      await markUnscoped(
        tx,
        parkIds,
        personIds.filter((id) => !now.has(id)),
        false,
      )
    })
  }
}
