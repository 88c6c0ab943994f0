/** One attempt at an upgrade: download, check, wait for agreement if it is required, and install. */
import { setTimeout as pause } from 'node:timers/promises'
import { updateType } from '@gatehouse/contract/enums/devices'
import { isHigher } from '@gatehouse/contract/upgrades/package'
import type { AgentState } from './agent-state.ts'
import type { UpgradePlace } from './place.ts'
import { failureOf, PackageRefused, refusalOf } from './refused.ts'
import { TaskOver, type Reporting } from './reporting.ts'

const PIECE = 1_048_576
/** Milliseconds between two reports of the download's progress. */
const PROGRESS_EVERY = 2_000
const LOOK_EVERY = 1_000
/** Hours at the device in which agreement is not required: from, and up to but not including. */
const NIGHT = { from: 3, to: 5 } as const

export interface AttemptParts {
  place: UpgradePlace
  state: AgentState
  reporting: Reporting
  /** Return the hour of the day at the door; null if it is unknown. */
  hour: () => number | null
  log: (sentence: string) => void
  /** Aborts all waiting. */
  signal: AbortSignal
}

/**
 * Return a function that works on the task its place has begun, up to the restart of the program. It throws TaskOver if the task is gone,
 * or another one is requested.
 */
export function createAttempt({ place, state, reporting, hour, log, signal }: AttemptParts): () => Promise<void> {
  const { report } = reporting

  /** Show and report the next step. */
  async function stage(step: 'checking' | 'prompt' | 'installing'): Promise<void> {
    const { versionNumber, content, ...task } = place.work()!
    state.show({ versionNumber, content, step, progress: 100 })
    await report(task, { state: 'inProgress', step, progress: 100 })
  }

  /** @throws TaskOver if another task has been requested */
  function assertCurrent({ id }: { id: string }): void {
    const requested = state.requested()
    if (requested !== null && requested !== id) throw new TaskOver()
  }

  async function download(): Promise<void> {
    const task = place.work()!
    let reportedAt = -Infinity
    while (place.fetched() < task.size) {
      assertCurrent(task)
      const from = place.fetched()
      const progress = Math.floor((100 * from) / task.size)
      state.show({ versionNumber: task.versionNumber, content: task.content, step: 'downloading', progress })
      if (performance.now() - reportedAt >= PROGRESS_EVERY) {
        await report(task, { state: 'inProgress', step: 'downloading', progress })
        reportedAt = performance.now()
      }
      place.append(await reporting.download(task.id, { from, to: Math.min(from + PIECE, task.size) - 1 }))
    }
  }

  /** Resolve when a person has agreed, or at night. */
  async function agreement(): Promise<void> {
    const task = place.work()!
    const isNight = (): boolean => {
      const now = hour()
      return now !== null && now >= NIGHT.from && now < NIGHT.to
    }
    let reportedAt = -Infinity
    while (!state.isAgreed() && !isNight()) {
      assertCurrent(task)
      // A report also learns that the task was cancelled while nobody was there.
      if (performance.now() - reportedAt >= 30 * LOOK_EVERY) {
        await report(task, { state: 'inProgress', step: 'prompt', progress: 100 })
        reportedAt = performance.now()
      }
      await pause(LOOK_EVERY, undefined, { signal })
    }
  }

  return async () => {
    const current = place.work()!
    const task = await reporting.task(current.id)
    if (task.state !== 'inProgress' || task.attempt !== current.attempt) throw new TaskOver()
    const { versionNumber, kind } = task
    if (isHigher(versionNumber, place.running(kind)) === false)
      return report(task, { state: 'alreadyNewest', versionNumber: place.running(kind) })
    try {
      place.demandKey()
      await download()
      await stage('checking')
      const md5 = await place.md5()
      if (md5 !== task.md5) throw new PackageRefused('md5', `it has another MD5 (${md5}) than it should.`)
      await place.inspect()
      if (task.type === updateType.prompt) {
        await stage('prompt')
        await agreement()
      }
      await stage('installing')
      await place.install()
    } catch (error) {
      if (error instanceof TaskOver || signal.aborted) throw error
      const refused = refusalOf(error)
      log(`The upgrade to ${versionNumber} is not put in place: ${refused.message}`)
      return report(task, { state: 'failed', reason: failureOf(refused.fault) })
    }
    log(`Version ${versionNumber} is in place and is started next.`)
    state.leave()
    place.restart()
  }
}
