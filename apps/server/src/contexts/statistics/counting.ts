/**
 * How statistics are kept. Records note what they count for in their own transaction; the node that leads adds that up every
 * few seconds. Nothing depends on when: whoever reads takes what waits into account. Records from before statistics were
 * kept are counted by long work, date by date, and a date that is counted twice is counted once.
 */
import type { Platform } from '../../platform/context.ts'
import { sql, type Database, type OpenTransaction, type Tx } from '../../platform/database/database.ts'
import { coalesce } from '../../platform/async/coalesce.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { WorkRun } from '../../platform/jobs/work.ts'
import { noteNames, type RecordNameTables } from '../records/index.ts'
import * as data from './data.ts'

export interface StatisticsCounting {
  /** Begins to add up, and asks for what is not counted yet. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Adds all that waits. */
  add(): Promise<void>
  /** Counts all records of a park anew, in the background; answers the id of the work. Dates whose records are gone stay as they were counted. */
  countAnew(scope: Scope): Promise<string>
  /** Adds all that waits and deletes what then counts for nothing, after many records of a park were deleted. */
  dropEmpty(scope: Scope): Promise<void>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<void>
}

const ADD_EVERY_MS = 5_000
/** Cells added in one transaction. */
const CELLS_AT_ONCE = 20_000
const WORK = 'access.countPassages'
const DAY = 86_400_000
const ATTEMPTS = 10
/** Local dates one day of UTC can have at most, and as many of the day before. */
const DATES_KEPT = 6

interface CountingState {
  /** Counted up to this moment. */
  until: number
  /** Last dates that were counted. */
  dates: string[]
}

export function createStatisticsCounting(platform: Platform): StatisticsCounting {
  const db = platform.db as unknown as Database<data.Tables>
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

  /** Counts a date; tried anew where what was read of it was added up meanwhile. */
  async function countDate(scope: Scope, date: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await platform.transaction(async (tx: Tx<data.Tables>) => {
          await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`.execute(tx)
          await data.countDateAnew(scope, tx, date)
        })
      } catch (error) {
        if ((error as { code?: string }).code !== '40001' || attempt === ATTEMPTS) throw error
      }
    }
  }

  async function count({ scope, state, progress }: WorkRun): Promise<void> {
    let { until, dates } = (state as CountingState | null) ?? { until: 0, dates: [] }
    const keptFrom = await data.findKeptFromUnscoped(db)
    for (let done = 0; ; done++) {
      const found = await data.findDay(scope, db, until)
      if (found === null) break
      for (const date of found.dates) {
        if (dates.includes(date)) continue
        // A date that begins in a month that was dropped is not whole any more, and stays as it was counted.
        if (Date.parse(date) - DAY >= keptFrom || !(await data.hasEarlier(scope, db, date))) await countDate(scope, date)
        dates = [...dates, date].slice(-DATES_KEPT)
      }
      // Whoever looks for a name looks among those that are noted.
      await platform.transaction((tx: Tx<RecordNameTables>) => noteNames(scope, tx, found.day, found.day + DAY))
      until = found.day + DAY
      await progress({ done, state: { until, dates } satisfies CountingState })
    }
    await data.deleteBacklog(scope, db)
  }

  platform.work.define({ kind: WORK, run: count })

  return {
    async start() {
      const parkIds = await data.listBacklogUnscoped(db)
      for (const parkId of parkIds) await platform.transaction((tx: Tx<data.Tables>) => platform.work.request(tx, { parkId }, WORK, {}))
      timer = setInterval(adding.soon, ADD_EVERY_MS)
    },
    async stop() {
      clearInterval(timer)
      await adding.stop()
    },
    add,
    countAnew: (scope) =>
      platform.transaction(async (tx: Tx<data.Tables>) => {
        await data.insertBacklog(scope, tx)
        return platform.work.request(tx, scope, WORK, {})
      }),
    async dropEmpty(scope) {
      await add()
      await data.deleteEmptyCells(scope, db)
    },
    erasePark: (tx, scope) => data.deleteStatisticsOfPark(scope, tx as Tx<data.Tables>),
  }
}
