/**
 * Passages of the watch list are counted apart, for nobody is to learn of them from a figure who does not know of the list. Whoever comes
 * upon it takes all of their passages along, and brings them back when they leave it: otherwise figures and records would differ by them.
 */
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { StatisticsDependencies } from './dependencies.ts'
import type { Tables } from './data.ts'
import { lockWatched } from '../records/index.ts'
import { findWatchedUnscoped, hasMarkedUnscoped, markUnscoped } from './watched-passages-data.ts'

/** Counts the passages of persons who changed or were deleted as what they are now. May be repeated. */
export type CountAsWatched = (personIds: readonly string[]) => Promise<void>

export function createCountAsWatched(platform: Platform, { organisation }: Pick<StatisticsDependencies, 'organisation'>): CountAsWatched {
  const db = platform.db as unknown as Database<Tables>
  return async (personIds) => {
    const parkIds = organisation.parks().map(({ id }) => id)
    // Hardly anybody is on the list, and most changes concern nobody of it.
    const [watched, marked] = await Promise.all([findWatchedUnscoped(db, personIds), hasMarkedUnscoped(db, parkIds, personIds)])
    if (watched.length === 0 && !marked) return
    await platform.transaction(async (tx: Tx<Tables>) => {
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
