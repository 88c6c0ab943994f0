/** What other parts of the server use of access control. */
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database.ts'
import type { Scope } from '../../platform/session.ts'
import { createLivenessTrial, type LivenessTrial } from './clinic-liveness.ts'
import { createClinic, type Clinic } from './clinic.ts'
import type { AccessDependencies } from './dependencies.ts'
import { accessErased, devicesReminded, eventBatches, personsTouched } from './events.ts'
import { createIngest, type Ingest } from './ingest.ts'
import { createRecordService, type RecordService } from './records.ts'
import { readAckUnscoped } from './records-data.ts'
import type { AccessTables } from './schema.ts'
import { createStrategyService, type StrategyService } from './strategies.ts'
import { deleteStrategiesOfPark } from './strategies-data.ts'
import { createTimeRuleService, type TimeRuleService } from './time-rules.ts'
import { createVerify, type Verify } from './second-verification.ts'
import { createSynchronisation, type SynchronisationService } from './synchronisation/service.ts'
import { createResend, type Resend } from './synchronisation/resend.ts'
import { createStatusService, type StatusService } from './synchronisation/status.ts'
import { createToday, type Today } from './today.ts'
import { createWhy, type Why } from './why.ts'

export interface AccessService extends Pick<RecordService, 'attachPicture' | 'rows'>, Pick<TimeRuleService, 'ensureDefaults'> {
  strategies: StrategyService
  timeRules: TimeRuleService
  records: RecordService
  clinic: Clinic
  livenessTrial: LivenessTrial
  today(scope: Scope): Promise<Today>
  why: Why
  synchronisation: SynchronisationService
  status: StatusService
  resend: Resend
  /** The second verification of a passage. @throws NotFound for an unknown person or device */
  verify: Verify
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
  const clinic = createClinic(platform, needs)
  const synchronisation = createSynchronisation(platform, {
    sources: {
      persons: { facts: needs.people.facts, page: needs.people.page, groupRows: needs.groups.rows },
      faces: needs.faces,
      devices: needs.devices,
    },
    organisation: needs.organisation,
    policyOf: needs.faces.policyOf,
  })
  const status = createStatusService(platform, synchronisation.view, needs)
  const resend = createResend(platform, synchronisation.view, status, {
    async touch(scope, touched) {
      const payloads = [...touched].flatMap(([audienceId, ids]) => eventBatches([...ids]).map((personIds) => ({ audienceId, personIds })))
      await platform.transaction((tx: Tx<AccessTables>) => platform.events.announceAll(tx, personsTouched, scope.parkId, payloads))
      await platform.events.settled()
      await synchronisation.settled()
    },
    remind: (scope, deviceIds) =>
      platform.transaction((tx: Tx<AccessTables>) =>
        platform.events.announceAll(tx, devicesReminded, scope.parkId, eventBatches(deviceIds).map((batch) => ({ deviceIds: batch }))),
      ),
  })
  return {
    status,
    resend,
    strategies,
    timeRules,
    records,
    clinic,
    livenessTrial: createLivenessTrial(platform, needs),
    today: createToday(platform, needs),
    why: createWhy(platform, synchronisation.settingsOf),
    synchronisation,
    verify: createVerify(() => platform.clock.now(), needs, synchronisation),
    ingest: createIngest(platform, needs),
    ackSeq: (deviceId, epoch) => readAckUnscoped(db, deviceId, epoch),
    attachPicture: records.attachPicture,
    rows: records.rows,
    ensureDefaults: timeRules.ensureDefaults,
    async erasePark(tx, scope) {
      await clinic.erasePark(tx, scope)
      const count = await records.erasePark(tx, scope)
      await synchronisation.erasePark(tx, scope)
      await platform.history.erase(tx, scope, ['strategy', 'timeRule'])
      await platform.events.announce(tx, accessErased, scope.parkId, {})
      return { records: count, ...(await deleteStrategiesOfPark(scope, tx as Tx<AccessTables>)) }
    },
  }
}
