/** What other parts of the server use of access control. */
import type { Measures } from '@gatehouse/contract/organisation/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { createAccessGroupService, type AccessGroupService } from './access-groups.ts'
import { createAssociatedRules, type AssociatedRules } from './associated-rules.ts'
import { createReadCalendar, type ReadCalendar } from './calendar.ts'
import { createLivenessTrial, type LivenessTrial } from './clinic-liveness.ts'
import { createClinic, type Clinic } from './clinic.ts'
import { createDeviceCounts, type DeviceCounts } from './device-counts.ts'
import type { AccessDependencies } from './dependencies.ts'
import { createDeviceStrategies, type DeviceStrategies } from './device-strategies.ts'
import { accessErased, devicesReminded, eventBatches, personsTouched } from './events.ts'
import { createAccessErasure, type AccessErasure } from './erasure.ts'
import { createKnownPersons, type KnownPersons } from './guests.ts'
import { createIngest, type Ingest } from './ingest.ts'
import { createLinkedRecords, type LinkedRecords } from './linked-records.ts'
import { findMeasures } from './measures.ts'
import { createPassages, type Passages } from './passages.ts'
import { createPasswordIsFree, type PasswordIsFree } from './pass-password.ts'
import { createRecordRemoval, type RemoveRecords } from './record-removal.ts'
import { createRecordService, type RecordService } from './records.ts'
import { countRecordsOf, readAckUnscoped, type RecordsOf } from './records-data.ts'
import { createRelatedPersons, type RelatedPersons } from './relation-users.ts'
import type { AccessTables } from './schema.ts'
import type { Guarding } from './admission.ts'
import { createPendingChanges, type PendingChangeService } from './pending-changes.ts'
import { createStrategyService, type StrategyService } from './strategies.ts'
import { deleteStrategiesOfPark } from './strategies-data.ts'
import { createTimeRuleService, type TimeRuleService } from './time-rules.ts'
import { createRuleStates } from './time-rules-effect.ts'
import { createPermits, type PermitService } from './permits.ts'
import { createChangeDrafts, type ChangeDrafts } from './questions/changes.ts'
import { createPermitEffect, type FindPermitEffect } from './questions/permit-effect.ts'
import { createPersonsNamed, type PersonsNamed } from './questions/persons-named.ts'
import { createQuestions, type QuestionService } from './questions/service.ts'
import { createWrittenRules, type WrittenRuleService } from './written-rules.ts'
import { createDraftChange } from './written-rules-drafts.ts'
import { createPassageGuard } from './written-rules-guard.ts'
import { deleteWrittenRulesOfPark } from './written-rules-data.ts'
import { createSecondPhotographs, type SecondPhotographs } from './second-photographs.ts'
import { createVerify, type Verify } from './second-verification.ts'
import { withCardPasswords } from './synchronisation/card-passwords.ts'
import { withRestrictions } from './synchronisation/restricted-devices.ts'
import { createSynchronisation, type SynchronisationService } from './synchronisation/service.ts'
import { createSendAgain, type SendAgain } from './synchronisation/send-again.ts'
import { createResend, type ChangeLog, type Resend } from './synchronisation/resend.ts'
import { createStatusService, type StatusService } from './synchronisation/status.ts'
import { createStatistics, type StatisticsService } from './statistics.ts'
import { createStatisticsCounting, type StatisticsCounting } from './statistics-counting.ts'
import { createWatchListHits, type WatchListHits } from './watch-list-hits.ts'
import { createCountAsWatched, type CountAsWatched } from './watched-passages.ts'
import { createToday, type Today } from './today.ts'
import { createWhy, type Why } from './why.ts'

export interface AccessService extends Pick<RecordService, 'attachPicture' | 'rows' | 'seen'>, Pick<TimeRuleService, 'ensureDefaults'> {
  strategies: StrategyService
  accessGroups: AccessGroupService
  associatedRules: AssociatedRules
  deviceStrategies: DeviceStrategies
  relatedPersons: RelatedPersons
  linkedRecords: LinkedRecords
  passages: Passages
  /** Persons of this park and those of linked ones who may pass here. */
  knownPersons: KnownPersons
  passwordIsFree: PasswordIsFree
  readCalendar: ReadCalendar
  timeRules: TimeRuleService
  records: RecordService
  removeRecords: RemoveRecords
  /** How many records there are in the park, and how many of them a removal would take. */
  countRecords(scope: Scope, of: RecordsOf): Promise<{ these: number; all: number }>
  clinic: Clinic
  secondPhotographs: SecondPhotographs
  livenessTrial: LivenessTrial
  today(scope: Scope): Promise<Today>
  /** What records of the park have told of temperature, mask and helmet so far. */
  measured(scope: Scope): Promise<Measures>
  statistics: StatisticsService
  counting: StatisticsCounting
  countAsWatched: CountAsWatched
  watchListHits: WatchListHits
  deviceCounts: DeviceCounts
  facesPerDay: WatchListHits['facesPerDay']
  why: Why
  questions: QuestionService
  changeDrafts: ChangeDrafts
  permits: PermitService
  permitEffect: FindPermitEffect
  personsNamed: PersonsNamed
  writtenRules: WrittenRuleService
  pendingChanges: PendingChangeService
  /** Stands before changes that other contexts make. */
  guard: Guarding
  synchronisation: SynchronisationService
  status: StatusService
  resend: Resend
  sendAgain: SendAgain
  erasure: AccessErasure
  /** The second verification of a passage. @throws NotFound for an unknown person or device */
  verify: Verify
  ingest: Ingest
  /** The highest number stored of a device's epoch, 0 where none is. */
  ackSeq(deviceId: string, epoch: string): Promise<number>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<Record<string, number>>
}

export function createAccessService(platform: Platform, needs: AccessDependencies): AccessService {
  const db = platform.db as unknown as Database<AccessTables>
  const guard = createPassageGuard(platform, needs)
  const strategies = createStrategyService(platform, needs, guard)
  const timeRules = createTimeRuleService(
    platform,
    guard,
    createRuleStates(platform, needs, () => synchronisation),
  )
  const accessGroups = createAccessGroupService(platform, needs, strategies, guard)
  const counting = createStatisticsCounting(platform)
  const deviceStrategies = createDeviceStrategies(platform, needs)
  const clinic = createClinic(platform, needs)
  const secondPhotographs = createSecondPhotographs(platform, needs)
  const synchronisation = createSynchronisation(platform, {
    sources: {
      persons: { ...withCardPasswords(needs.people, needs.cardPasswords), groupRows: needs.groups.rows },
      faces: needs.faces,
      devices: withRestrictions(needs.devices, needs.restrictions),
      sharing: needs.sharing,
    },
    organisation: needs.organisation,
    policyOf: needs.faces.policyOf,
    comparingAt: needs.faces.comparingAt,
  })
  const known = createKnownPersons(needs, synchronisation.view)
  const withGuests = { ...needs, people: { ...needs.people, facts: known.facts } }
  const watchListHits = createWatchListHits(platform, needs)
  const records = createRecordService(platform, { ...needs, faces: { ...needs.faces, photosOf: known.photosOf } }, watchListHits)
  const status = createStatusService(platform, synchronisation.view, { devices: needs.devices, people: known })
  const associatedRules = createAssociatedRules(platform, needs, strategies, guard)
  const changeLog: ChangeLog = {
    async touch(scope, touched) {
      const payloads = [...touched].flatMap(([audienceId, ids]) => eventBatches([...ids]).map((personIds) => ({ audienceId, personIds })))
      await platform.transaction((tx: Tx<AccessTables>) => platform.events.announceAll(tx, personsTouched, scope.parkId, payloads))
      await platform.events.settled()
      await synchronisation.settled()
    },
    remind: (scope, deviceIds) =>
      platform.transaction((tx: Tx<AccessTables>) =>
        platform.events.announceAll(
          tx,
          devicesReminded,
          scope.parkId,
          eventBatches(deviceIds).map((batch) => ({ deviceIds: batch })),
        ),
      ),
  }
  const writtenRules = createWrittenRules(platform, needs, guard, createDraftChange(platform, needs, associatedRules))
  const pendingChanges = createPendingChanges(platform, { strategies, timeRules, accessGroups, associatedRules, writtenRules })
  const resend = createResend(platform, synchronisation.view, status, changeLog)
  return {
    status,
    resend,
    sendAgain: createSendAgain(synchronisation.view, status, changeLog),
    erasure: createAccessErasure(platform, {
      strategies,
      associatedRules,
      watchListHits,
      synchronisation,
      status,
      organisation: needs.organisation,
      devices: needs.devices,
    }),
    strategies,
    associatedRules,
    accessGroups,
    guard,
    writtenRules,
    pendingChanges,
    permits: createPermits(platform, needs, { strategies, accessGroups, timeRules, pendingChanges }),
    permitEffect: createPermitEffect(platform, needs, timeRules),
    deviceStrategies,
    relatedPersons: createRelatedPersons(platform, needs, deviceStrategies),
    linkedRecords: createLinkedRecords(platform, needs, records),
    passages: createPassages(platform),
    knownPersons: known,
    passwordIsFree: createPasswordIsFree(needs),
    readCalendar: createReadCalendar(platform, needs),
    timeRules,
    records,
    removeRecords: createRecordRemoval(platform, counting),
    countRecords: (scope, of) => countRecordsOf(scope, db, of),
    clinic,
    secondPhotographs,
    livenessTrial: createLivenessTrial(platform, needs),
    today: createToday(platform, needs),
    measured: (scope) => findMeasures(scope, platform.db as never),
    statistics: createStatistics(platform, needs),
    counting,
    countAsWatched: createCountAsWatched(platform, needs),
    watchListHits,
    facesPerDay: watchListHits.facesPerDay,
    deviceCounts: createDeviceCounts(platform, needs),
    why: createWhy(platform, synchronisation.settingsOf, { ...needs, homeOf: known.homeOf, watchListHits }),
    questions: createQuestions(platform, withGuests, guard),
    changeDrafts: createChangeDrafts(needs, accessGroups),
    personsNamed: createPersonsNamed(platform, withGuests, deviceStrategies),
    synchronisation,
    verify: createVerify(() => platform.clock.now(), needs, synchronisation),
    ingest: createIngest(platform, { ...withGuests, homeOf: known.homeOf }),
    ackSeq: (deviceId, epoch) => readAckUnscoped(db, deviceId, epoch),
    attachPicture: records.attachPicture,
    rows: records.rows,
    seen: records.seen,
    ensureDefaults: timeRules.ensureDefaults,
    async erasePark(tx, scope) {
      await clinic.erasePark(tx, scope)
      await secondPhotographs.erasePark(tx, scope)
      const count = await records.erasePark(tx, scope)
      await counting.erasePark(tx, scope)
      await synchronisation.erasePark(tx, scope)
      await associatedRules.erasePark(tx, scope)
      await platform.history.erase(tx, scope, ['strategy', 'timeRule'])
      await deleteWrittenRulesOfPark(scope, tx as Tx<AccessTables>)
      await platform.events.announce(tx, accessErased, scope.parkId, {})
      return { records: count, ...(await deleteStrategiesOfPark(scope, tx as Tx<AccessTables>)) }
    },
  }
}
