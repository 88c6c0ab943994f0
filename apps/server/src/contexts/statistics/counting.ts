/**
 * Upkeep of statistics. Records store pending cells in their own transaction; the leading node adds these up every few seconds.
 * Results do not depend on when: reads include the pending cells. Records from before statistics existed are counted by long
 * work, date by date; counting a date again does not count it twice.
 */
import type { Platform } from '../../platform/context.ts'
import { sql, type Transaction } from '../../platform/database/database.ts'
import { coalesce } from '../../platform/async/coalesce.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { WorkRun } from '../../platform/jobs/work.ts'
import { deleteBacklog, insertBacklog, listBacklogUnscoped, noteNames } from '../records/index.ts'
import * as data from './data.ts'

export interface StatisticsCounting {
  /** Start adding up, and request the work for what is not counted yet. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Add all pending cells. */
  add(): Promise<void>
  /**
   * Count all records of a park again, in the background; return the id of the work. Dates whose records were dropped keep their
   * counts.
   */
  recount(scope: Scope): Promise<string>
  /** Add all pending cells and delete cells with a count of zero, after many records of a park were deleted. */
  dropEmpty(scope: Scope): Promise<void>
  erasePark(tx: Transaction, scope: Scope): Promise<void>
}

const ADD_EVERY_MS = 5_000
/** Cells added in one transaction. */
const CELLS_AT_ONCE = 20_000
const WORK = 'access.countPassages'
const DAY = 86_400_000
const ATTEMPTS = 10
/** Number of dates remembered: a day of UTC has at most three local dates, and so has the day before. */
const DATES_KEPT = 6

interface CountingState {
  /** Counted up to this moment. */
  until: number
  /** The dates counted last. */
  dates: string[]
  /** Number of days processed; absent in a state stored by an earlier version. */
  done?: number
}

export function createStatisticsCounting(platform: Platform): StatisticsCounting {
  const db = platform.db
  let timer: NodeJS.Timeout | undefined

  async function add(): Promise<void> {
    while ((await data.addPendingUnscoped(db, CELLS_AT_ONCE)) === CELLS_AT_ONCE);
  }

  const adding = coalesce(async () => {
    try {
      if (platform.events.leading()) await add()
    } catch (error) {
      platform.log.warn({ err: error }, 'statistics wait for the database')
    }
  })

  /** Count a date, and try again where cells it read were added up meanwhile. */
  async function countDate(scope: Scope, date: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await platform.transaction(async (tx) => {
          await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`.execute(tx)
          await data.recountDate(scope, tx, date)
        })
      } catch (error) {
        if ((error as { code?: string }).code !== '40001' || attempt === ATTEMPTS) throw error
      }
    }
  }

  async function count({ scope, state, progress }: WorkRun): Promise<void> {
    let { until, dates, done = 0 } = (state as CountingState | null) ?? { until: 0, dates: [] }
    const keptFrom = await data.findKeptFromUnscoped(db)
    for (;;) {
      const found = await data.findDay(scope, db, until)
      if (found === null) break
      for (const date of found.dates) {
        if (dates.includes(date)) continue
        // A date that begins in a dropped month is incomplete and keeps its counts.
        if (Date.parse(date) - DAY >= keptFrom || !(await data.hasEarlier(scope, db, date))) await countDate(scope, date)
        dates = [...dates, date].slice(-DATES_KEPT)
      }
      // Searches by name read the noted names.
      await platform.transaction((tx) => noteNames(scope, tx, found.day, found.day + DAY))
      until = found.day + DAY
      done++
      await progress({ done, state: { until, dates, done } satisfies CountingState })
    }
    await deleteBacklog(scope, db)
  }

  platform.work.define({ kind: WORK, run: count })

  return {
    async start() {
      const parkIds = await listBacklogUnscoped(db)
      for (const parkId of parkIds) await platform.transaction((tx) => platform.work.request(tx, { parkId }, WORK, {}))
      timer = setInterval(adding.soon, ADD_EVERY_MS)
    },
    async stop() {
      clearInterval(timer)
      await adding.stop()
    },
    add,
    recount: (scope) =>
      platform.transaction(async (tx) => {
        await insertBacklog(scope, tx)
        return platform.work.request(tx, scope, WORK, {})
      }),
    async dropEmpty(scope) {
      await add()
      await data.deleteEmptyCells(scope, db)
    },
    erasePark: (tx, scope) => data.deleteStatisticsOfPark(scope, tx),
  }
}
