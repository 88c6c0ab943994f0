/** What visitors did at visitor machines that their visits did not allow: shown to the desk until somebody has seen to it. */
import type { DataOf } from '@gatehouse/contract'
import type { MachineConflict, machineConflictCalls } from '@gatehouse/contract/visitors/machine-conflicts'
import type { Platform } from '../../platform/context.ts'
import type { Paging } from '../../platform/database/page.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Scope } from '../../platform/session/session.ts'
import { deleteOrphanedUnscoped, findConflicts, listConflicts, settleConflicts } from './machine-data.ts'

export interface MachineConflicts {
  list(scope: Scope, paging: Paging): Promise<DataOf<(typeof machineConflictCalls)['list']>>
  /** Return how many were not seen to before. @throws NotFound */
  settle(scope: Scope, ids: readonly string[]): Promise<number>
  job: Job
}

/** Milliseconds for which what machines said of deleted visits is kept; no machine repeats it that late. */
const KEPT_MS = 30 * 86_400_000

export function createMachineConflicts(platform: Pick<Platform, 'db' | 'clock' | 'audit' | 'transaction'>): MachineConflicts {
  const { db, clock } = platform
  return {
    async list(scope, { page, size }) {
      const { content, total } = await listConflicts(scope, db, { page, size })
      return {
        total,
        content: content.map((row) => ({
          ...row,
          visitorName: row.visitorName ?? '',
          reason: row.reason!,
          status: row.status as MachineConflict['status'],
        })),
        page,
        size,
      }
    },
    async settle(scope, ids) {
      const distinct = [...new Set(ids)].toSorted()
      return platform.transaction(async (tx) => {
        const rows = await findConflicts(scope, tx, distinct)
        if (rows.length < distinct.length) throw new NotFound()
        const settled = await settleConflicts(scope, tx, distinct, clock.now())
        for (const { id, visitId, kind, deviceName } of rows.filter((row) => settled.includes(row.id)))
          platform.audit.note({ entity: 'visitMachineEvent', id, label: deviceName, before: {}, after: { visitId, kind, settled: true } })
        return settled.length
      })
    },
    job: {
      name: 'visitors.forgetMachineEvents',
      schedule: '54 2 * * *',
      async run() {
        const deleted = await deleteOrphanedUnscoped(db, clock.now() - KEPT_MS)
        return { outcome: deleted > 0 ? 'success' : 'skipped' }
      },
    },
  }
}
