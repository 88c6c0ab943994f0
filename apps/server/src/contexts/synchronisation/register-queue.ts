/** Work on the registers of parks, one park after the other. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import { addMarks, mergedWork, noWork, type Marks, type Work } from './register-work.ts'

/** Changes that arrive within this time are read together. */
const GATHER_MS = 30
const RETRY_MS = 500

export interface RegisterQueue {
  /** Return the pending work of a park. */
  workOf(parkId: string): Work
  /** Add marks to the pending work, which starts soon. */
  add(parkId: string, marks: Marks): void
  /** Resolve when no work is pending. */
  settled(): Promise<void>
  stop(): Promise<void>
}

interface Steps {
  /** Do the work of a park; if it fails, what it leaves in `work` is tried again. */
  work(scope: Scope, work: Work): Promise<void>
  /** Called after work that succeeded. */
  done(scope: Scope): void
}

export function createRegisterQueue(platform: Pick<Platform, 'log'>, steps: Steps): RegisterQueue {
  const waiting = new Map<string, Work>()
  let running: Promise<void> | null = null
  let gathering: NodeJS.Timeout | undefined
  let stopped = false

  function workOf(parkId: string): Work {
    let work = waiting.get(parkId)
    if (work === undefined) waiting.set(parkId, (work = noWork()))
    return work
  }

  /** Do the work of one park; what could not be done stays marked. */
  async function workOn(parkId: string): Promise<void> {
    const scope: Scope = { parkId }
    const work = waiting.get(parkId)!
    waiting.delete(parkId)
    try {
      await steps.work(scope, work)
    } catch (error) {
      const since = workOf(parkId)
      waiting.set(parkId, mergedWork(work, since))
      throw error
    }
    steps.done(scope)
  }

  async function workThrough(): Promise<void> {
    while (waiting.size > 0 && !stopped) {
      const [parkId] = waiting.keys()
      try {
        await workOn(parkId!)
      } catch (error) {
        if (stopped) return
        platform.log.error({ err: error, parkId }, 'what devices should hold could not be worked out; it is tried again')
        await delay(RETRY_MS)
      }
    }
  }

  function run(): Promise<void> {
    clearTimeout(gathering)
    gathering = undefined
    running ??= workThrough().finally(() => {
      running = null
      if (waiting.size > 0 && !stopped) void run()
    })
    return running
  }

  return {
    workOf,
    add(parkId, marks) {
      addMarks(workOf(parkId), marks)
      if (running === null) gathering ??= setTimeout(() => void run(), GATHER_MS)
    },
    async settled() {
      while (waiting.size > 0 || running !== null) await run()
    },
    async stop() {
      stopped = true
      clearTimeout(gathering)
      await running
    },
  }
}
