/**
 * Work that takes longer than a request: kept in the database with its progress, run on the node that leads, taken up
 * again where the process died. Whoever defines a kind of work writes it so that it goes on from what it last kept.
 */
import type { WorkState } from '@gatehouse/contract/work'
import type { Clock } from '../time/clock.ts'
import { isDatabaseFault } from '../database/database-fault.ts'
import type { AnyDatabase, Database, OpenTransaction, Tx } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import type { Logger } from '../log.ts'
import { coalesce } from '../async/coalesce.ts'
import type { Scope } from '../session/session.ts'
import * as data from './work-data.ts'
import type { WorkTables } from './work-migration.ts'

/** Somebody cancelled the work: whatever was begun may be tidied up. */
export class WorkCancelled extends Error {
  override readonly name = 'WorkCancelled'
}

/** The attempt ends, the work does not: the server stops, or another node leads. It goes on from what was kept last. */
export class WorkInterrupted extends Error {
  override readonly name = 'WorkInterrupted'
}

export interface WorkProgress {
  /** Steps taken. */
  done: number
  /** All there are; left out: as before. */
  total?: number
  /** Of those taken, how many did not succeed; left out: as before. */
  failed?: number
  /** Handed to the next attempt as `state`; left out: as before. */
  state?: unknown
}

/** One attempt at a piece of work. */
export interface WorkRun {
  readonly id: string
  readonly scope: Scope
  /** As it was requested. */
  readonly input: unknown
  /** What an earlier attempt kept; null at the first. */
  readonly state: unknown
  /** Aborted with WorkCancelled or WorkInterrupted, the same that `progress` throws. */
  readonly signal: AbortSignal
  /** Keeps how far it is; durable within half a second, and at the end. @throws WorkCancelled, WorkInterrupted */
  progress(progress: WorkProgress): Promise<void>
}

export interface WorkKind {
  /** `context.verbNoun`. */
  kind: string
  /** May throw: the work has failed, with the message as its reason. */
  run(run: WorkRun): Promise<void>
}

export interface Work {
  /** Registers a kind; before `start`. */
  define(kind: WorkKind): void
  /** Asks for work to be done after commit; answers the id of one of its kind that waits or runs in the park already. */
  request(tx: OpenTransaction, scope: Scope, kind: string, input: unknown): Promise<string>
  read(scope: Scope, id: string): Promise<WorkState | null>
  /** The newest of a kind in the park. */
  latest(scope: Scope, kind: string): Promise<WorkState | null>
  /** Ends it where it still waits or runs; ids of other parks change nothing. */
  cancel(scope: Scope, id: string): Promise<void>
  /** Removes all work of a park. */
  erase(tx: OpenTransaction, scope: Scope): Promise<void>
  start(): void
  /** Interrupts what runs here and resolves when it has ended. */
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 300
const BEAT_EVERY_MS = 500
const WRITE_EVERY_MS = 250
/** An attempt not heard of for so long died with its node. */
const DEAD_AFTER_MS = 10_000
const REASON_MAX = 300

interface Attempt {
  id: string
  /** Over once it has been noted how it ended. */
  over: Promise<void>
  abort(reason: WorkCancelled | WorkInterrupted): void
}

export interface WorkOptions {
  db: AnyDatabase
  clock: Clock
  log: Logger
  /** Whether this node leads. */
  leading(): boolean
}

export function createWork({ db: anyDatabase, clock, log, leading }: WorkOptions): Work {
  const db = anyDatabase as unknown as Database<WorkTables>
  const kinds = new Map<string, WorkKind>()
  /** By kind: of each, one at a time. */
  const attempts = new Map<string, Attempt>()
  let timer: NodeJS.Timeout | undefined
  let away = false

  function attempt(kind: WorkKind, row: data.TakenRow): Attempt {
    const { id, runner } = row
    const abortion = new AbortController()
    const scope: Scope = { parkId: row.parkId }
    let counts: data.Counts = { done: row.done, total: row.total, failed: row.failed, kept: row.kept }
    let writtenAt = 0
    let writing = Promise.resolve()

    /** One write after the other; who is no longer the runner learns why. */
    const write = (): Promise<void> =>
      (writing = writing
        .then(async () => {
          writtenAt = performance.now()
          const state = await data.saveProgressUnscoped(db, id, runner, counts)
          if (state === 'kept' || abortion.signal.aborted) return
          abortion.abort(state === 'cancelled' ? new WorkCancelled() : new WorkInterrupted('somebody else works on it'))
        })
        .catch((error: unknown) => {
          // The next beat tries again; a database that stays away lets the attempt run out.
          if (!isDatabaseFault(error)) throw error
        }))

    async function run(): Promise<void> {
      const beat = setInterval(
        () => void write().catch((error: unknown) => log.error({ err: error, work: id }, 'work could not be kept')),
        BEAT_EVERY_MS,
      )
      try {
        await kind.run({
          id,
          scope,
          input: row.input,
          state: row.kept,
          signal: abortion.signal,
          async progress({ done, total, failed, state }) {
            counts = {
              done,
              total: total ?? counts.total,
              failed: failed ?? counts.failed,
              kept: state === undefined ? counts.kept : state,
            }
            if (performance.now() - writtenAt >= WRITE_EVERY_MS) await write()
            abortion.signal.throwIfAborted()
          },
        })
        clearInterval(beat)
        await writing
        await data.endUnscoped(db, id, runner, counts, { state: 'done', reason: null }, clock.now())
      } catch (error) {
        clearInterval(beat)
        await writing.catch(() => {})
        await ended(error)
      }
    }

    async function ended(error: unknown): Promise<void> {
      if (abortion.signal.reason instanceof WorkCancelled) return
      if (abortion.signal.aborted) return data.releaseUnscoped(db, id, runner, counts)
      // Nobody's fault: it is taken up again once the attempt counts as dead.
      if (isDatabaseFault(error)) return
      log.warn({ err: error, work: id, kind: kind.kind }, 'work failed')
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, REASON_MAX)
      await data.endUnscoped(db, id, runner, counts, { state: 'failed', reason }, clock.now())
    }

    const over = run()
      .catch((error: unknown) => log.error({ err: error, work: id }, 'how work ended could not be noted'))
      .finally(() => {
        attempts.delete(kind.kind)
        looking.soon()
      })
    return { id, over, abort: (reason) => abortion.abort(reason) }
  }

  /** Takes up what waits, of each kind that is idle here the oldest. */
  async function visit(): Promise<void> {
    if (!leading()) {
      for (const one of attempts.values()) one.abort(new WorkInterrupted('another node leads'))
      return
    }
    for (const kind of kinds.values()) {
      if (attempts.has(kind.kind)) continue
      const row = await data.takeUnscoped(db, kind.kind, newId(), clock.now(), DEAD_AFTER_MS)
      if (row !== null) attempts.set(kind.kind, attempt(kind, row))
    }
  }

  const looking = coalesce(async () => {
    try {
      await visit()
      away = false
    } catch (error) {
      if (!away) log.warn({ err: error }, 'long work waits for the database')
      away = true
    }
  })

  return {
    define: (kind) => void kinds.set(kind.kind, kind),
    async request(open, scope, kind, input) {
      const tx = open as unknown as Tx<WorkTables>
      for (;;) {
        const id = newId()
        if (await data.insert(scope, tx, id, kind, input, clock.now())) return id
        const known = await data.findOpen(scope, tx, kind)
        // Ended between the two statements: there is room now.
        if (known !== null) return known
      }
    },
    read: (scope, id) => data.find(scope, db, id),
    latest: (scope, kind) => data.findLatest(scope, db, kind),
    async cancel(scope, id) {
      if (!(await data.cancel(scope, db, id, clock.now()))) return
      for (const one of attempts.values()) if (one.id === id) one.abort(new WorkCancelled())
    },
    erase: (open, scope) => data.deleteOfPark(scope, open as unknown as Tx<WorkTables>),
    start() {
      timer = setInterval(looking.soon, LOOK_EVERY_MS)
      looking.soon()
    },
    async stop() {
      clearInterval(timer)
      await looking.stop()
      const running = [...attempts.values()]
      for (const one of running) one.abort(new WorkInterrupted('the server stops'))
      await Promise.all(running.map(({ over }) => over))
    },
  }
}
