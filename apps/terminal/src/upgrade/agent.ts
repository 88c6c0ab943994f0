/**
 * Upgrades a device to the version that the server names. It fetches the package in pieces, compares its MD5 and has its signature checked
 * before anything else is touched, waits for agreement if it is required, installs the package, and reports each step to the server. After
 * an interruption it continues from the stored state.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { CommandRefused } from '../device/commands.ts'
import type { ServerClient } from '../device/server.ts'
import { createAgentState, type UpgradeShown } from './agent-state.ts'
import { createAttempt } from './attempt.ts'
import type { UpgradePlace } from './place.ts'
import { createReporting, TaskOver, type Reporting } from './reporting.ts'

export type { UpgradeShown } from './agent-state.ts'

/** Milliseconds between two checks whether the device is online at the server. */
const LOOK_EVERY = 1_000

export interface UpgradeAgentOptions {
  /** Null if nothing can be installed here. */
  place: UpgradePlace | null
  client: ServerClient
  /** Return whether the device is online at the server. */
  isOnline: () => boolean
  /** Return the hour of the day at the door; null if it is unknown. */
  hour: () => number | null
  /** Resolves when this version may report: until then it may still be rolled back. */
  proven?: Promise<void>
  log: (sentence: string) => void
  onChange: () => void
  retry?: { first: number; limit: number }
  random?: () => number
}

export interface UpgradeAgent {
  /** Run the command `upgrade`. @throws CommandRefused if this installation is upgraded by other means */
  command(argument: { taskId: string }): Promise<Record<string, never>>
  shown(): UpgradeShown | null
  /** Note that a person agrees; return false if no agreement is awaited. */
  agree(): boolean
  stop(): Promise<void>
}

export function createUpgradeAgent({
  place,
  client,
  isOnline,
  hour,
  proven = Promise.resolve(),
  log,
  onChange,
  retry,
  random = Math.random,
}: UpgradeAgentOptions): UpgradeAgent {
  const stopping = new AbortController()
  const { signal } = stopping
  const state = createAgentState(onChange)
  const reporting = createReporting({ client, retry, random, signal })
  let running: Promise<void> | null = null

  /** Work until nothing is left to do, or the program is about to be restarted. */
  async function workOff(at: UpgradePlace): Promise<void> {
    const attempt = createAttempt({ place: at, state, reporting, hour, log, signal })
    await proven
    await reportOutcome(at, { reporting, isOnline, signal })
    for (;;) {
      signal.throwIfAborted()
      await beginRequested(at)
      if (at.work() === null || state.isLeaving()) return
      state.forgetAgreement()
      await attempt().catch(orOver)
      // An installation ends the work itself; anything else is ended here.
      if (at.work() !== null) at.begin(null)
    }
  }

  /** Begin the task the server named last, if it is another one, or another attempt at the same. */
  async function beginRequested(at: UpgradePlace): Promise<void> {
    const requested = state.takeRequest()
    if (requested === null) return
    const before = at.work()
    const task = await reporting.task(requested).catch(orOver)
    if (before?.id !== requested || task?.attempt !== before.attempt) at.begin(task)
  }

  function start(): void {
    if (place === null || running !== null || state.isLeaving() || signal.aborted) return
    running = workOff(place)
      .catch((error: unknown) => {
        if (!signal.aborted) log(`The upgrade is broken off: ${error instanceof Error ? error.message : String(error)}`)
      })
      .finally(() => {
        running = null
        state.show(null)
        if (state.requested() !== null) start()
      })
  }

  start()
  return {
    async command({ taskId }) {
      if (place === null) throw new CommandRefused('This installation is upgraded by its package manager.')
      state.request(taskId)
      start()
      return {}
    },
    shown: state.shown,
    agree() {
      if (state.shown()?.step !== 'prompt') return false
      state.agree()
      return true
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** Report the outcome of the version that was installed before this start. */
async function reportOutcome(
  at: UpgradePlace,
  { reporting, isOnline, signal }: { reporting: Reporting; isOnline: () => boolean; signal: AbortSignal },
): Promise<void> {
  const outcome = at.outcome()
  if (outcome === null) return
  const { task, ready, versionNumber } = outcome
  try {
    if (ready) {
      await reporting.report(task, { state: 'success', versionNumber })
      while (!isOnline()) await pause(LOOK_EVERY, undefined, { signal })
      await reporting.report(task, { state: 'restarted', versionNumber })
    } else await reporting.report(task, { state: 'failed', reason: 'notStarted' })
  } catch (error) {
    orOver(error)
  }
  at.reported()
}

/** Return null for a task that is over; throw any other error. */
function orOver(error: unknown): null {
  if (error instanceof TaskOver) return null
  throw error
}
