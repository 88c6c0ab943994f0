/**
 * Work that takes longer than a request. It is stored in the database with its progress, and resumed after the process died. Every node
 * takes several pieces of work at a time, in the order of `work-turns.ts`: parks take turns, and of each kind a park has at most one
 * piece. An implementation of a kind continues from the state it last stored.
 */
import type { WorkState } from '@gatehouse/contract/work'
import type { Clock } from '../time/clock.ts'
import type { Database, Transaction } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import type { Logger } from '../log.ts'
import { coalesce } from '../async/coalesce.ts'
import type { Scope } from '../session/session.ts'
import { startAttempt, type Attempt } from './work-attempt.ts'
import * as data from './work-data.ts'
import { WorkCancelled, WorkInterrupted, type WorkKind } from './work-kind.ts'
import { fits, inTurn, toGiveWay, type OpenWork, type Placed } from './work-turns.ts'

export { WorkCancelled, WorkInterrupted, type WorkRun } from './work-kind.ts'

export interface Work {
  /** Registers a kind; before `start`. */
  define(kind: WorkKind): void
  /** Request work, which starts after the commit. Return its id, or that of work of this kind that already waits or runs in the park. */
  request(tx: Transaction, scope: Scope, kind: string, input: unknown): Promise<string>
  read(scope: Scope, id: string): Promise<WorkState | null>
  /** The newest of a kind in the park. */
  latest(scope: Scope, kind: string): Promise<WorkState | null>
  /** Cancel work that still waits or runs; an id of another park has no effect. */
  cancel(scope: Scope, id: string): Promise<void>
  /** Removes all work of a park. */
  erase(tx: Transaction, scope: Scope): Promise<void>
  start(): void
  /** Interrupt the work that runs on this node, and resolve when it has ended. */
  stop(): Promise<void>
}

const LOOK_EVERY_MS = 300
/** An attempt that did not report for so long died with its node. */
const DEAD_AFTER_MS = 10_000
/**
 * Time that an attempt runs undisturbed while others wait. Resuming an import or a model change takes well under a second, a few percent
 * of this.
 */
const SLICE_MS = 15_000

export interface WorkOptions {
  db: Database
  clock: Clock
  log: Logger
  /** Whether this node leads. */
  leading(): boolean
  /** Milliseconds; by default 15 seconds. */
  sliceMs?: number
}

export function createWork({ db, clock, log, leading, sliceMs = SLICE_MS }: WorkOptions): Work {
  const kinds = new Map<string, WorkKind>()
  /** By the id of the work. */
  const attempts = new Map<string, Attempt>()
  let timer: NodeJS.Timeout | undefined
  let away = false

  /** Work without an attempt that this node may take, in turn. */
  const forThisNode = (open: readonly OpenWork[]): (OpenWork & Placed)[] =>
    inTurn(open).flatMap((one) => {
      const kind = kinds.get(one.kind)
      if (kind === undefined || attempts.has(one.id) || (kind.leaderOnly === true && !leading())) return []
      return [{ ...one, startsOver: kind.startsOver === true }]
    })

  async function take({ id, kind }: OpenWork): Promise<void> {
    const row = await data.takeUnscoped(db, id, newId(), clock.now(), DEAD_AFTER_MS)
    if (row === null) return
    const onOver = (): void => {
      attempts.delete(id)
      looking.soon()
    }
    attempts.set(id, startAttempt({ db, clock, log }, kinds.get(kind)!, row, onOver))
  }

  /** Make attempts whose slice is over give way to work that waits without a place. */
  function makeRoom(waiting: readonly Placed[], open: readonly OpenWork[]): void {
    const placed = [...attempts.values()]
    const served = placed.filter(({ since, aborted }) => !aborted && performance.now() - since >= sliceMs)
    const chosen = waiting.flatMap((one) => toGiveWay(placed, served, one, open) ?? [])
    for (const one of placed) one.giveWay(chosen.includes(one))
    // One at a time: an attempt that is being interrupted already makes room, after which the others may fit.
    if (placed.some(({ aborted }) => aborted)) return
    chosen.find(({ startsOver }) => !startsOver)?.abort(new WorkInterrupted('others wait'))
  }

  async function visit(): Promise<void> {
    if (!leading())
      for (const one of attempts.values()) if (one.kind.leaderOnly === true) one.abort(new WorkInterrupted('another node leads'))
    for (;;) {
      const open = await data.listOpenUnscoped(db, DEAD_AFTER_MS)
      const waiting = forThisNode(open)
      const next = waiting.find((one) => fits([...attempts.values()], one))
      if (next === undefined) return makeRoom(waiting, open)
      // The order is computed again afterwards: it depends on the work taken by every node.
      await take(next)
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
    async request(tx, scope, kind, input) {
      for (;;) {
        const id = newId()
        if (await data.insert(scope, tx, id, kind, input, clock.now())) return id
        const openId = await data.findOpen(scope, tx, kind)
        // The open work ended between the two statements, so there is room now.
        if (openId !== null) return openId
      }
    },
    read: (scope, id) => data.find(scope, db, id),
    latest: (scope, kind) => data.findLatest(scope, db, kind),
    async cancel(scope, id) {
      if (await data.cancel(scope, db, id, clock.now())) attempts.get(id)?.abort(new WorkCancelled())
    },
    erase: (open, scope) => data.deleteOfPark(scope, open),
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
