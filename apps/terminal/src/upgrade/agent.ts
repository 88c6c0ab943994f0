/**
 * Brings a device to the version it is told of: fetches the package piece by piece, compares its MD5 and has its signature checked
 * before anything else is touched, waits where somebody is to agree, puts it in place, and tells the server of each step. Whatever
 * breaks it off, it goes on from what its place has kept.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { upgradeCalls, type UpgradeReport } from '@gatehouse/contract/upgrades/calls'
import { isHigher } from '@gatehouse/contract/upgrades/package'
import { updateType } from '@gatehouse/contract/enums/devices'
import { CommandRefused } from '../device/commands.ts'
import { createBackoff } from '../device/backoff.ts'
import { isMissing, ServerAway, ServerRefused, type ServerClient } from '../device/server.ts'
import type { UpgradePlace } from './place.ts'
import { failureOf, PackageRefused, refusalOf } from './refused.ts'

const PIECE = 1_048_576
/** Milliseconds between two words on how far the download is. */
const TELL_EVERY = 2_000
const LOOK_EVERY = 1_000
/** Hours of the device's place in which nobody is asked any more, from and to before. */
const NIGHT = { from: 3, to: 5 } as const

/** What is under way, for a screen. */
export interface UpgradeShown {
  versionNumber: string
  content: string
  step: 'downloading' | 'checking' | 'prompt' | 'installing'
  /** Percent of the download. */
  progress: number
}

export interface UpgradeAgentOptions {
  /** Null: nothing can be put in place here. */
  place: UpgradePlace | null
  client: ServerClient
  /** Whether the server sees this device. */
  isOnline: () => boolean
  /** Hour of the day at the door, null where that is not known. */
  hour: () => number | null
  /** Resolves when this version may speak of itself: somebody may still go back from it. */
  proven?: Promise<void>
  log: (sentence: string) => void
  onChange: () => void
  retry?: { first: number; limit: number }
  random?: () => number
}

export interface UpgradeAgent {
  /** The command `upgrade`. @throws CommandRefused where this installation is upgraded by other means */
  command(argument: { taskId: string }): Promise<Record<string, never>>
  shown(): UpgradeShown | null
  /** Somebody agrees; false where nothing waits for that. */
  agree(): boolean
  stop(): Promise<void>
}

/** The task is no longer this device's to work on. */
class Over extends Error {}

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
  let shown: UpgradeShown | null = null
  let wanted: string | null = null
  let agreed = false
  /** What comes next is another start of the program. */
  let leaving = false
  let running: Promise<void> | null = null

  function show(next: UpgradeShown | null): void {
    shown = next
    onChange()
  }

  /** Asks until there is an answer. @throws Over where the task is gone */
  async function asked<T>(ask: () => Promise<T>): Promise<T> {
    const backoff = createBackoff(retry?.first ?? 1_000, retry?.limit ?? 30_000, random)
    for (;;) {
      signal.throwIfAborted()
      try {
        return await ask()
      } catch (error) {
        if (isMissing(error)) throw new Over()
        if (!(error instanceof ServerAway || error instanceof ServerRefused)) throw error
        await pause(backoff.next(), undefined, { signal })
      }
    }
  }

  /** Tells the server; resolves once it knows. @throws Over where it wants nothing more of this attempt */
  async function report(task: { id: string; attempt: number }, told: Omit<UpgradeReport, 'attempt'>): Promise<void> {
    const { attempt, state } = await asked(() =>
      client.request(upgradeCalls.deviceReport, { params: { id: task.id }, body: { ...told, attempt: task.attempt } }, { signal }),
    )
    if (attempt !== task.attempt || (told.state === 'inProgress' && state !== 'inProgress')) throw new Over()
  }

  /** What became of the version that was put in place before this start. */
  async function tellOutcome(at: UpgradePlace): Promise<void> {
    const outcome = at.outcome()
    if (outcome === null) return
    const { task, ready, versionNumber } = outcome
    try {
      if (ready) {
        await report(task, { state: 'success', versionNumber })
        while (!isOnline()) await pause(LOOK_EVERY, undefined, { signal })
        await report(task, { state: 'restarted', versionNumber })
      } else await report(task, { state: 'failed', reason: 'notStarted' })
    } catch (error) {
      if (!(error instanceof Over)) throw error
    }
    at.told()
  }

  /** Shows and tells what comes now. */
  async function stage(at: UpgradePlace, step: 'checking' | 'prompt' | 'installing'): Promise<void> {
    const { versionNumber, content, ...task } = at.work()!
    show({ versionNumber, content, step, progress: 100 })
    await report(task, { state: 'inProgress', step, progress: 100 })
  }

  /** Whether there is something else to do by now. @throws Over */
  function stay({ id }: { id: string }): void {
    if (wanted !== null && wanted !== id) throw new Over()
  }

  async function fetch(at: UpgradePlace): Promise<void> {
    const task = at.work()!
    let toldAt = -Infinity
    while (at.fetched() < task.size) {
      stay(task)
      const from = at.fetched()
      const progress = Math.floor((100 * from) / task.size)
      show({ versionNumber: task.versionNumber, content: task.content, step: 'downloading', progress })
      if (performance.now() - toldAt >= TELL_EVERY) {
        await report(task, { state: 'inProgress', step: 'downloading', progress })
        toldAt = performance.now()
      }
      const range = { from, to: Math.min(from + PIECE, task.size) - 1 }
      at.append(await asked(() => client.download(upgradeCalls.devicePackage, { params: { id: task.id } }, { range, signal })))
    }
  }

  async function agreement(at: UpgradePlace): Promise<void> {
    const task = at.work()!
    const isNight = (): boolean => {
      const now = hour()
      return now !== null && now >= NIGHT.from && now < NIGHT.to
    }
    let toldAt = -Infinity
    while (!agreed && !isNight()) {
      stay(task)
      // It may be cancelled while nobody is there.
      if (performance.now() - toldAt >= 30 * LOOK_EVERY) {
        await report(task, { state: 'inProgress', step: 'prompt', progress: 100 })
        toldAt = performance.now()
      }
      await pause(LOOK_EVERY, undefined, { signal })
    }
  }

  /** Works off what the place has begun with. */
  async function bring(at: UpgradePlace): Promise<void> {
    const known = at.work()!
    const task = await asked(() => client.request(upgradeCalls.deviceUpgrade, { params: { id: known.id } }, { signal }))
    if (task.state !== 'inProgress' || task.attempt !== known.attempt) throw new Over()
    const { versionNumber, kind } = task
    if (isHigher(versionNumber, at.running(kind)) === false)
      return report(task, { state: 'alreadyNewest', versionNumber: at.running(kind) })
    try {
      at.demandKey()
      await fetch(at)
      await stage(at, 'checking')
      const md5 = await at.md5()
      if (md5 !== task.md5) throw new PackageRefused('md5', `it has another MD5 (${md5}) than it should.`)
      await at.inspect()
      if (task.type === updateType.prompt) {
        await stage(at, 'prompt')
        await agreement(at)
      }
      await stage(at, 'installing')
      await at.install()
    } catch (error) {
      if (error instanceof Over || signal.aborted) throw error
      const refused = refusalOf(error)
      log(`The upgrade to ${versionNumber} is not put in place: ${refused.message}`)
      return report(task, { state: 'failed', reason: failureOf(refused.fault) })
    }
    log(`Version ${versionNumber} is in place and is started next.`)
    leaving = true
    at.restart()
  }

  async function turn(at: UpgradePlace): Promise<void> {
    await proven
    await tellOutcome(at)
    for (;;) {
      signal.throwIfAborted()
      const next = wanted
      wanted = null
      const before = at.work()
      if (next !== null && next !== before?.id)
        at.begin(await asked(() => client.request(upgradeCalls.deviceUpgrade, { params: { id: next } }, { signal })).catch(given))
      else if (next !== null && before !== null) {
        // A new attempt at the same task begins anew.
        const task = await asked(() => client.request(upgradeCalls.deviceUpgrade, { params: { id: next } }, { signal })).catch(given)
        if (task?.attempt !== before.attempt) at.begin(task)
      }
      if (at.work() === null || leaving) return
      agreed = false
      try {
        await bring(at)
      } catch (error) {
        if (!(error instanceof Over)) throw error
      }
      // Put in place, the work ended with that: the place has begun anew.
      if (at.work() !== null) at.begin(null)
    }
  }

  /** What is over is nothing to begin with. */
  const given = (error: unknown): null => {
    if (error instanceof Over) return null
    throw error
  }

  function go(): void {
    if (place === null || running !== null || leaving || signal.aborted) return
    running = turn(place)
      .catch((error: unknown) => {
        if (!signal.aborted) log(`The upgrade is broken off: ${error instanceof Error ? error.message : String(error)}`)
      })
      .finally(() => {
        running = null
        show(null)
        if (wanted !== null) go()
      })
  }

  go()
  return {
    async command({ taskId }) {
      if (place === null) throw new CommandRefused('This installation is upgraded by its package manager.')
      wanted = taskId
      go()
      return {}
    },
    shown: () => shown,
    agree() {
      if (shown?.step !== 'prompt') return false
      agreed = true
      return true
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}
