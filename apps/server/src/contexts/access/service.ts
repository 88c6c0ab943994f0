/** What other parts of the server use of access control. */
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database.ts'
import type { Scope } from '../../platform/session.ts'
import type { AccessDependencies } from './dependencies.ts'
import { createEntitlements, type ResolveEntitlements } from './entitlements.ts'
import { createIngest, type Ingest } from './ingest.ts'
import { createRecordService, type RecordService } from './records.ts'
import { readAckUnscoped } from './records-data.ts'
import type { AccessTables } from './schema.ts'
import { createStrategyService, type StrategyService } from './strategies.ts'
import { deleteStrategiesOfPark } from './strategies-data.ts'
import { createTimeRuleService, type TimeRuleService } from './time-rules.ts'
import { createToday, type Today } from './today.ts'

export interface AccessService extends Pick<RecordService, 'attachPicture' | 'rows'>, Pick<TimeRuleService, 'ensureDefaults'> {
  strategies: StrategyService
  timeRules: TimeRuleService
  records: RecordService
  today(scope: Scope): Promise<Today>
  entitlements: ResolveEntitlements
  ingest: Ingest
  /** The highest number stored of a device's epoch, 0 where none is. */
  ackSeq(deviceId: string, epoch: string): Promise<number>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<Record<string, number>>
}

export function createAccessService(platform: Platform, needs: AccessDependencies): AccessService {
  const db = platform.db as unknown as Database<AccessTables>
  const strategies = createStrategyService(platform, needs)
  const timeRules = createTimeRuleService(platform)
  const records = createRecordService(platform, needs)
  return {
    strategies,
    timeRules,
    records,
    today: createToday(platform, needs),
    entitlements: createEntitlements(platform, needs),
    ingest: createIngest(platform, needs),
    ackSeq: (deviceId, epoch) => readAckUnscoped(db, deviceId, epoch),
    attachPicture: records.attachPicture,
    rows: records.rows,
    ensureDefaults: timeRules.ensureDefaults,
    async erasePark(tx, scope) {
      const count = await records.erasePark(tx, scope)
      return { records: count, ...(await deleteStrategiesOfPark(scope, tx as Tx<AccessTables>)) }
    },
  }
}
