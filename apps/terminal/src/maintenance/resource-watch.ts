/** Looks at processor, memory and disk once a minute, and tells the server when a share has crossed its threshold. */
import { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { RESOURCE_THRESHOLDS, kindsAbove, type ResourceThresholds, type ResourceUsage } from '@gatehouse/contract/maintenance/resources'
import type { ServerClient } from '../device/server.ts'

export interface ResourceWatch {
  /** Looks now. The server told these thresholds; none: those known hold. It is told the answer, so that it need not be told again. */
  look(thresholds?: ResourceThresholds): Promise<ResourceUsage>
  stop(): void
}

export interface ResourceWatchOptions {
  client: Pick<ServerClient, 'request'>
  online: () => boolean
  usage: () => Promise<ResourceUsage>
  log: (sentence: string) => void
  /** Milliseconds between looks; a minute unless told. */
  every?: number | undefined
}

const MINUTE = 60_000

export function startResourceWatch({ client, online, usage, log, every = MINUTE }: ResourceWatchOptions): ResourceWatch {
  let thresholds = RESOURCE_THRESHOLDS
  /** Which shares were too much when the server was told last; null: it has not been told since the start. */
  let told: string | null = null
  let looking = false

  const above = (now: ResourceUsage): string => kindsAbove(now, thresholds).join()

  async function report(): Promise<void> {
    if (looking || !online()) return
    looking = true
    try {
      const now = await usage()
      if (told === above(now)) return
      const answer = await client.request(maintenanceCalls.reportResource, { body: now })
      thresholds = answer.thresholds
      told = above(now)
    } catch (error) {
      // Told at the next look: a share that stays too high is still too high then.
      log(`What this terminal uses could not be told: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      looking = false
    }
  }

  const timer = setInterval(() => void report(), every)
  timer.unref()

  return {
    async look(fresh) {
      if (fresh) thresholds = fresh
      const now = await usage()
      told = above(now)
      return now
    },
    stop: () => clearInterval(timer),
  }
}
