/** The operation log and the log of reads (module M04). The platform writes them; here they are read. */
import type { Context, Platform } from '../../platform/context.ts'
import type { Settings } from '../organisation/index.ts'
import { auditHandlers } from './calls.ts'
import { forgetPark } from './forget.ts'
import { createRetentionJob } from './retention.ts'
import { createAuditService, type AuditDependencies } from './service.ts'

export interface AuditContextDependencies extends AuditDependencies {
  settings: Settings
}

export function createAudit(platform: Platform, needs: AuditContextDependencies): Context {
  const service = createAuditService(platform, needs)
  return {
    name: 'audit',
    calls: auditHandlers(platform, service, needs.settings),
    migrations: [],
    jobs: [createRetentionJob(platform, needs.settings)],
    erasePark: forgetPark,
  }
}
