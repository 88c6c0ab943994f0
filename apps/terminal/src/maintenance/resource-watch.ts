/** Measures the usage of processor, memory and disk once a minute, and reports it to the server when a share has crossed its threshold. */
import { maintenanceCalls } from '@gatehouse/contract/maintenance/calls'
import { RESOURCE_THRESHOLDS, kindsAbove, type ResourceThresholds, type ResourceUsage } from '@gatehouse/contract/maintenance/resources'
import type { ServerClient } from '../device/server.ts'

export interface ResourceWatch {
  /**
   * Measure the usage now. The caller sends the answer, so it is not reported again. @param thresholds sent by the server; the previous
   * ones if absent
   */
  look(thresholds?: ResourceThresholds): Promise<ResourceUsage>
  stop(): void
}

export interface ResourceWatchOptions {
  client: Pick<ServerClient, 'request'>
  online: () => boolean
  usage: () => Promise<ResourceUsage>
  log: (sentence: string) => void
  /** Milliseconds between measurements; default one minute. */
  every?: number | undefined
}

const MINUTE = 60_000

export function startResourceWatch({ client, online, usage, log, every = MINUTE }: ResourceWatchOptions): ResourceWatch {
  let thresholds = RESOURCE_THRESHOLDS
  /** Kinds above their threshold at the last report; null if there was none since the start. */
  let reported: string | null = null
  let looking = false

  const above = (now: ResourceUsage): string => kindsAbove(now, thresholds).join()

  async function report(): Promise<void> {
    if (looking || !online()) return
    looking = true
    try {
      const now = await usage()
      if (reported === above(now)) return
      const answer = await client.request(maintenanceCalls.reportResource, { body: now })
      thresholds = answer.thresholds
      reported = above(now)
    } catch (error) {
      // Reported at the next measurement: a share that stays too high is still too high then.
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
      reported = above(now)
      return now
    },
    stop: () => clearInterval(timer),
  }
}
