/** Access records: received from devices, listed, explained, and kept as long as retention allows. */
import { defineContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { extend } from '../../platform/extension-points.ts'
import type { Scope } from '../../platform/session/session.ts'
import { devicesContext } from '../devices/index.ts'
import { facesContext, faceUse } from '../faces/index.ts'
import { identityContext } from '../identity/index.ts'
import { organisationContext } from '../organisation/index.ts'
import { peopleContext, personsDeleted } from '../people/index.ts'
import { relationsContext } from '../relations/index.ts'
import { strategiesContext } from '../strategies/index.ts'
import { secondVerification, visitorPasses, synchronisationContext } from '../synchronisation/index.ts'
import { recordHandlers } from './calls.ts'
import type { RecordDependencies } from './dependencies.ts'
import { createRecordErasure, type RecordErasure } from './erasure.ts'
import { recordPictured } from './events.ts'
import { createRecordExport } from './export.ts'
import { erasedPersons } from './extension-points.ts'
import { createIngest, type Ingest } from './ingest.ts'
import { createLinkedRecords } from './linked-records.ts'
import { createPartitionsJob } from './partitions-job.ts'
import { createPassages, type Passages } from './passages.ts'
import { createPictureRetention } from './picture-retention.ts'
import { createRecordRemoval, type RemoveRecords } from './record-removal.ts'
import { countRecordsOf, type RecordsOf } from './record-removal-data.ts'
import { readAckUnscoped } from './records-data.ts'
import { createRecordService, type RecordService } from './records.ts'
import { recordMigrations } from './schema.ts'
import { createRulePassages, type RulePassages } from './rule-passages.ts'
import { createSecondPhotographs } from './second-photographs.ts'
import { createVerify, type Verify } from './second-verification.ts'
import { createWatchListHits, type WatchListHits } from './watch-list-hits.ts'
import { createWhy } from './why.ts'

export type { StoringDevice, RecordErasure } from './erasure.ts'
export { recordPictured, recordsReceived, spanOf, watchListHitNoted } from './events.ts'
export type { Span } from './records-data.ts'
export { correctedRecords, erasedPersons, recordCompanions } from './extension-points.ts'
export type { NewRecord } from './ingest-data.ts'
export type { Ingest } from './ingest.ts'
export { listMonthsUnscoped } from './partitions-data.ts'
export type { PassageFacts, Passages } from './passages.ts'
export type { Pseudonym } from './pseudonym.ts'
export {
  deleteBacklog,
  hasMarkedUnscoped,
  insertBacklog,
  isBacklogged,
  listBacklogUnscoped,
  markingUnscoped,
  numberedAt,
  RECORDS,
  recordsOf,
} from './reading.ts'
export { noteNames } from './record-names-data.ts'
export type { RemoveRecords } from './record-removal.ts'
export { isCounted, isStranger } from './records-data.ts'
export type { RecordService } from './records.ts'
export type { RulePassage, RulePassages } from './rule-passages.ts'
export { lockWatched } from './watched-lock.ts'

export interface RecordsContext extends Context {
  records: RecordService
  ingest: Ingest
  /** The highest sequence number stored of a device's epoch, 0 where none is. */
  ackSeq(deviceId: string, epoch: string): Promise<number>
  /** The second verification of a passage. @throws NotFound for an unknown person or device */
  verify: Verify
  passages: Passages
  rulePassages: RulePassages
  watchListHits: WatchListHits
  removeRecords: RemoveRecords
  /** How many records the park has, and how many of them a removal would delete. */
  countRecords(scope: Scope, of: RecordsOf): Promise<{ these: number; all: number }>
  erasure: RecordErasure
}

export const recordsContext = defineContext({
  name: 'records',
  uses: {
    organisation: organisationContext,
    identity: identityContext,
    faces: facesContext,
    people: peopleContext,
    devices: devicesContext,
    relations: relationsContext,
    strategies: strategiesContext,
    synchronisation: synchronisationContext,
  },
  create(platform, { organisation, identity, faces, people, devices, relations, strategies, synchronisation }): RecordsContext {
    const db = platform.db
    const { knownPersons } = synchronisation
    const needs: RecordDependencies = {
      people: people.service,
      groups: people.groups,
      faces: faces.service,
      devices: devices.service,
      organisation: organisation.service,
      sharing: relations.sharing,
      reading: strategies.reading,
      measures: organisation.measures,
      whoMay: identity.whoMay,
      pseudonymised: (scope, ids) => platform.extensions.one(erasedPersons)(scope, ids),
      passes: {
        isUsable: (scope, use) => platform.extensions.one(visitorPasses).isUsable(scope, use),
        use: (scope, use) => platform.extensions.one(visitorPasses).use(scope, use),
      },
      restrictions: { ask: (scope, passage, isAbandoned) => platform.extensions.one(secondVerification).ask(scope, passage, isAbandoned) },
    }
    const watchListHits = createWatchListHits(platform, needs)
    const secondPhotographs = createSecondPhotographs(platform, needs)
    const records = createRecordService(platform, { ...needs, faces: { ...needs.faces, photosOf: knownPersons.photosOf } }, watchListHits)
    platform.events.consume({
      name: 'records.members',
      mode: 'once',
      handlers: [
        on(personsDeleted, async ({ parkId, payload }) => {
          await watchListHits.forget({ parkId }, payload.personIds)
          await secondPhotographs.forget({ parkId }, payload.personIds)
        }),
      ],
    })
    // Separate consumers, so that a person now at a door is not looked for only after all passages of the time the server was down.
    for (const arrival of ['prompt', 'late'] as const)
      platform.events.consume({
        name: `access.watchListHits.${arrival}`,
        mode: 'once',
        handlers: [on(recordPictured, ({ parkId, payload }) => watchListHits.look({ parkId }, payload.recordId, arrival))],
      })
    return {
      records,
      ingest: createIngest(platform, { ...needs, people: { ...needs.people, facts: knownPersons.facts }, homeOf: knownPersons.homeOf }),
      ackSeq: (deviceId, epoch) => readAckUnscoped(db, deviceId, epoch),
      verify: createVerify(() => platform.clock.now(), needs, synchronisation.service),
      passages: createPassages(platform),
      rulePassages: createRulePassages(platform),
      watchListHits,
      removeRecords: createRecordRemoval(platform),
      countRecords: (scope, of) => countRecordsOf(scope, db, of),
      erasure: createRecordErasure(platform, {
        strategies: strategies.strategies,
        associatedRules: strategies.associatedRules,
        watchListHits,
        synchronisation: synchronisation.service,
        status: synchronisation.status,
        organisation: needs.organisation,
        devices: needs.devices,
      }),
      calls: recordHandlers({
        records,
        linkedRecords: createLinkedRecords(platform, needs, records),
        secondPhotographs,
        why: createWhy(platform, synchronisation.service.settingsOf, { ...needs, homeOf: knownPersons.homeOf, watchListHits }),
      }),
      migrations: recordMigrations,
      jobs: [createPartitionsJob(platform, { retentionMonths: platform.config.recordMonths }), createPictureRetention(platform, needs)],
      exports: [createRecordExport(platform, needs)],
      async erasePark(tx, scope) {
        await secondPhotographs.erasePark(tx, scope)
        return { records: await records.erasePark(tx, scope) }
      },
      extensions: [extend(faceUse, { facesPerDay: watchListHits.facesPerDay, lookedAgain: secondPhotographs.again })],
    }
  },
})
