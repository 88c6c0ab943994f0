import { auditCalls } from '@gatehouse/contract/audit/calls'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import { INSTALLATION_ID } from '../../platform/installation.ts'
import type { Settings } from '../organisation/index.ts'
import { retentionSetting } from './retention.ts'
import type { AuditService } from './service.ts'

export function auditHandlers(platform: Platform, audit: AuditService, settings: Settings): MountedCall[] {
  return [
    handler(auditCalls.operations, ({ session, query }) => audit.operations(session, query)),
    handler(auditCalls.operation, async ({ session, params, ip }) => {
      const { detail, personal } = await audit.operation(session, params.id)
      // What was changed of somebody is shown with its values: that is a read like any other.
      if (personal.length > 0) platform.audit.read(auditCalls.operation, session, ip, personal.slice(0, 100))
      return detail
    }),
    handler(auditCalls.reads, ({ session, query }) => audit.reads(session, query)),
    handler(auditCalls.retention, async () => {
      const { months, version } = settings.show(INSTALLATION_ID, retentionSetting)
      return { months, version }
    }),
    handler(auditCalls.changeRetention, ({ body: { version, ...value } }) =>
      settings.write(INSTALLATION_ID, retentionSetting, value, version),
    ),
  ]
}
