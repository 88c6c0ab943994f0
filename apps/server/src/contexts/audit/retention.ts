/** How long entries are kept, and the job that deletes older ones. */
import { LOG_KEPT_MONTHS } from '@gatehouse/contract'
import { logRetention } from '@gatehouse/contract/audit/calls'
import type { Platform } from '../../platform/context.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { defineSetting, type Settings } from '../organisation/index.ts'
import { deleteBeforeUnscoped } from './data.ts'

export const retentionSetting = defineSetting('audit.retention', logRetention, { months: LOG_KEPT_MONTHS })

/** Most entries deleted by one statement, so that none locks the log for long. */
const AT_ONCE = 10_000

/** Return the same day some months ago; the last day of that month where it has no such day. */
export function monthsBefore(now: number, months: number): number {
  const date = new Date(now)
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1))
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return first.getTime() + (Math.min(date.getUTCDate(), days) - 1) * 86_400_000 + (now % 86_400_000)
}

/** The daily job `audit.dropOld`. */
export function createRetentionJob(platform: Platform, settings: Settings): Job {
  const db = platform.db
  return {
    name: 'audit.dropOld',
    schedule: '23 2 * * *',
    async run() {
      const before = monthsBefore(platform.clock.now(), settings.read(INSTALLATION_ID, retentionSetting).months)
      let deleted = 0
      for (const table of ['operationLog', 'readLog'] as const) {
        for (;;) {
          const some = await deleteBeforeUnscoped(db, table, before, AT_ONCE)
          deleted += some
          if (some < AT_ONCE) break
        }
      }
      return { outcome: deleted > 0 ? 'success' : 'skipped', counts: { logEntries: deleted } }
    },
  }
}
