/** One attempt at a piece of work. Its progress is stored while it lasts, and its result at the end. */
import type { Clock } from '../time/clock.ts'
import { isPassingFault } from '../passing-fault.ts'
import type { Database } from '../database/database.ts'
import type { Logger } from '../log.ts'
import * as data from './work-data.ts'
import { WorkCancelled, WorkInterrupted, type WorkKind } from './work-kind.ts'

const BEAT_EVERY_MS = 500
const WRITE_EVERY_MS = 250
const REASON_MAX = 300

export interface Attempt {
  readonly id: string
  readonly parkId: string
  readonly kind: WorkKind
  readonly startsOver: boolean
  /** By the clock of the process. */
  readonly since: number
  /** Resolves once the result has been stored. */
  readonly over: Promise<void>
  readonly aborted: boolean
  abort(reason: WorkCancelled | WorkInterrupted): void
  /** Set whether the attempt ends at its next checkpoint. */
  giveWay(isNeeded: boolean): void
}

export interface AttemptParts {
  db: Database
  clock: Clock
  log: Logger
}

/** Stores the progress of an attempt. An attempt that is no longer the runner is aborted with the reason. */
function createKeeper({ db }: AttemptParts, { id, runner, ...row }: data.TakenRow, abortion: AbortController) {
  let counts: data.Counts = { done: row.done, total: row.total, failed: row.failed, kept: row.kept }
  let writtenAt = 0
  let writing = Promise.resolve()

  async function save(): Promise<void> {
    writtenAt = performance.now()
    try {
      const state = await data.saveProgressUnscoped(db, id, runner, counts)
      if (state === 'kept' || abortion.signal.aborted) return
      abortion.abort(state === 'cancelled' ? new WorkCancelled() : new WorkInterrupted('somebody else works on it'))
    } catch (error) {
      // The next beat tries again; if the database stays away, the attempt counts as dead.
      if (!isPassingFault(error)) throw error
    }
  }

  return {
    counts: () => counts,
    note: (more: Partial<data.Counts>) => void (counts = { ...counts, ...more }),
    isLate: () => performance.now() - writtenAt >= WRITE_EVERY_MS,
    /** One write after the other. */
    write: (): Promise<void> => (writing = writing.then(save)),
    /** Resolves after the last write. */
    written: () => writing,
  }
}

/** Start an attempt at work that was taken. @param onOver called once its result has been stored */
export function startAttempt(parts: AttemptParts, kind: WorkKind, row: data.TakenRow, onOver: () => void): Attempt {
  const { db, clock, log } = parts
  const { id, runner, parkId } = row
  const abortion = new AbortController()
  const keeper = createKeeper(parts, row, abortion)
  let isAskedToGiveWay = false

  async function run(): Promise<void> {
    const beat = setInterval(
      () => void keeper.write().catch((error: unknown) => log.error({ err: error, work: id }, 'work could not be kept')),
      BEAT_EVERY_MS,
    )
    try {
      await kind.run({
        id,
        scope: { parkId },
        input: row.input,
        state: row.kept,
        signal: abortion.signal,
        async progress({ done, total, failed, state }) {
          const { total: totalBefore, failed: failedBefore, kept } = keeper.counts()
          keeper.note({ done, total: total ?? totalBefore, failed: failed ?? failedBefore, kept: state === undefined ? kept : state })
          if (keeper.isLate()) await keeper.write()
          abortion.signal.throwIfAborted()
        },
        checkpoint() {
          if (isAskedToGiveWay && !abortion.signal.aborted) abortion.abort(new WorkInterrupted('others wait'))
          abortion.signal.throwIfAborted()
        },
      })
      clearInterval(beat)
      await keeper.written()
      await data.endUnscoped(db, id, runner, keeper.counts(), { state: 'done', reason: null }, clock.now())
    } catch (error) {
      clearInterval(beat)
      await keeper.written().catch(() => {})
      await ended(error)
    }
  }

  async function ended(error: unknown): Promise<void> {
    if (abortion.signal.reason instanceof WorkCancelled) return
    if (abortion.signal.aborted) return data.releaseUnscoped(db, id, runner, keeper.counts(), clock.now())
    // Not the fault of the work: it is resumed once the attempt counts as dead.
    if (isPassingFault(error)) return
    log.warn({ err: error, work: id, kind: kind.kind }, 'work failed')
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX)
    await data.endUnscoped(db, id, runner, keeper.counts(), { state: 'failed', reason }, clock.now())
  }

  const over = run()
    .catch((error: unknown) => log.error({ err: error, work: id }, 'how work ended could not be noted'))
    .finally(onOver)
  return {
    id,
    parkId,
    kind,
    startsOver: kind.startsOver === true,
    since: performance.now(),
    over,
    get aborted() {
      return abortion.signal.aborted
    },
    abort: (reason) => abortion.abort(reason),
    giveWay: (isNeeded) => void (isAskedToGiveWay = isNeeded),
  }
}
