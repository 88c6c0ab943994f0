/**
 * The run of an import: work that survives a crash. Each row is one transaction in which the person is saved and the row is
 * marked, so that whoever takes the work up again does what is left and nothing twice; several rows at a time, so that all
 * workers of the face engine have something to do.
 */
import { createSemaphore } from '../../platform/async/semaphore.ts'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { WorkRun } from '../../platform/jobs/work.ts'
import { isPassingFault } from '../../platform/passing-fault.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Check } from './check.ts'
import * as data from './data.ts'
import type { ImportsDependencies } from './dependencies.ts'
import { findUnfinished, judgeRows } from './rows-data.ts'
import { createRunRow, Overtaken } from './run-row.ts'
import type { GroupNames } from './values.ts'

export const RUN = 'imports.run'

/** Rows judged at a time. */
const PAGE = 100
/** Rows beyond the workers of the engine: while some are written, the engine has the next ones. */
const SPARE_HANDS = 2
const REASON_MAX = 300

export interface Run {
  /** Asks for the work in the transaction that says an import is to run; answers the work's id. */
  request(tx: Transaction, scope: Scope): Promise<string>
  /** Asks for it wherever an import is to run and nobody runs it. Answers in how many parks imports run. */
  goOn(): Promise<number>
}

export function createRun(platform: Platform, { people, faces }: ImportsDependencies, check: Check): Run {
  const db = platform.db
  const runRow = createRunRow(platform, { people, faces })
  const handsMax = platform.config.faceWorkers + SPARE_HANDS
  /**
   * Rows of all imports of this node: more at a time would leave requests no connections. Those of several parks alternate, and one
   * park leaves some places to others, whose rows may have no photographs and be written at once.
   */
  const hands = createSemaphore(handsMax + SPARE_HANDS, Infinity, handsMax / (handsMax + SPARE_HANDS))

  async function runImport(scope: Scope, one: data.ImportRecord, { signal, progress }: WorkRun): Promise<void> {
    const names: GroupNames = await check.groups(scope)
    const report = async (): Promise<void> => {
      const { open, failed } = (await data.countAll(scope, db, [one.id])).get(one.id)!
      await progress({ done: Math.max(0, one.runTotal - open), total: one.runTotal, failed })
    }
    for (let after = 0; ;) {
      await report()
      const rows = await findUnfinished(scope, db, one.id, after, PAGE, { runnable: true })
      if (rows.length === 0) break
      if (!(await data.isRunning(scope, db, one.id))) return
      const judged = await check.judge(scope, one, rows, names)
      // As they are judged now: the outcome a row ends with is the one it had last.
      await judgeRows(
        scope,
        db,
        judged.map(({ verdict }) => verdict),
      )
      const waiting = judged.values()
      let over: { error: unknown } | null = null
      const hand = async (): Promise<void> => {
        for (const next of waiting) {
          if (over !== null || signal.aborted) return
          const leave = await hands.enter(1, scope.parkId, signal)
          try {
            await runRow(scope, one, next, signal, async () => (await check.judge(scope, one, [next.row], names))[0])
          } catch (error) {
            over ??= { error }
          } finally {
            leave()
          }
        }
      }
      await Promise.allSettled(Array.from({ length: handsMax }, hand))
      signal.throwIfAborted()
      const end = over as { error: unknown } | null
      if (end !== null) throw end.error
      after = rows.at(-1)!.position
    }
    await data.endImport(scope, db, one.id, 'done', null, platform.clock.now())
  }

  /** All imports of the park that are to run, the one that was started first, first. */
  async function run(work: WorkRun): Promise<void> {
    const { scope, signal } = work
    for (;;) {
      const one = await data.findRunning(scope, db)
      if (one === null) return
      try {
        await runImport(scope, one, work)
      } catch (error) {
        if (signal.aborted || isPassingFault(error)) throw error
        // Ended or removed by somebody: the next one, if there is one. A row that was done by somebody else is left to the next page.
        if (error instanceof Overtaken) continue
        platform.log.error({ err: error, importId: one.id }, 'an import ended with a fault')
        const reason = (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX)
        await data.endImport(scope, db, one.id, 'failed', reason, platform.clock.now())
      }
    }
  }

  platform.work.define({ kind: RUN, run })

  const request = (tx: Transaction, scope: Scope): Promise<string> => platform.work.request(tx, scope, RUN, {})
  return {
    request,
    async goOn() {
      const parkIds = await data.findRunningParksUnscoped(db)
      for (const parkId of parkIds) await platform.transaction((tx) => request(tx, { parkId }))
      return parkIds.length
    },
  }
}
