/** Strategies, time rules, access records, and what devices hold of them. */
import type { Context, Platform } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { cardsChanged } from '../cards/index.ts'
import { facesChanged } from '../faces/index.ts'
import { organisationChanged } from '../organisation/index.ts'
import { groupDeleted, groupsChanged, personsChanged, personsDeleted } from '../people/index.ts'
import { parkLinksChanged } from '../relations/index.ts'
import { accessHandlers } from './calls.ts'
import { clinicMigrations } from './clinic-schema.ts'
import type { AccessDependencies } from './dependencies.ts'
import { accessErased, erasuresNoted, personsTouched, recordPictured, strategiesChanged, timeRulesChanged } from './events.ts'
import { createRecordExport } from './export-records.ts'
import { createPartitionsJob } from './partitions-job.ts'
import { createPictureRetention } from './picture-retention.ts'
import { accessMigrations } from './schema.ts'
import { recordNameMigrations } from './schema-record-names.ts'
import { recordMigrations } from './schema-records.ts'
import { statisticsMigrations } from './schema-statistics.ts'
import { createAccessService, type AccessService } from './service.ts'
import { synchronisationMigrations } from './synchronisation/schema.ts'

export {
  devicesReminded,
  holdingsChanged,
  recordPictured,
  recordsReceived,
  strategiesChanged,
  timeRulesChanged,
  watchListHitNoted,
} from './events.ts'
export type { KnowingDevice } from './erasure.ts'
export type { AccessDependencies, AccessDevices } from './dependencies.ts'
export type { PassageFacts } from './passages.ts'
export type { AccessService } from './service.ts'
export type { Released } from './synchronisation/service.ts'

export interface AccessContext extends Context {
  service: AccessService
}

export function createAccess(platform: Platform, needs: AccessDependencies): AccessContext {
  const service = createAccessService(platform, needs)
  const { strategies, associatedRules, secondPhotographs, synchronisation, watchListHits } = service
  const { devicesChanged, devicesDeleted, deviceGroupsChanged, deviceGroupDeleted } = needs.deviceEvents
  platform.events.consume({
    name: 'access.members',
    mode: 'once',
    handlers: [
      on(personsDeleted, async ({ parkId, payload }) => {
        await strategies.forget({ parkId }, 'person', payload.personIds)
        await associatedRules.forget({ parkId }, 'person', payload.personIds)
        await watchListHits.forget({ parkId }, payload.personIds)
        await secondPhotographs.forget({ parkId }, payload.personIds)
      }),
      on(groupDeleted, async ({ parkId, payload }) => {
        await strategies.forget({ parkId }, 'personGroup', [payload.groupId])
        await associatedRules.forget({ parkId }, 'personGroup', [payload.groupId])
      }),
      on(deviceGroupDeleted, ({ parkId, payload }) => strategies.forget({ parkId }, 'deviceGroup', [payload.groupId])),
      on(devicesDeleted, async ({ parkId, payload }) => {
        await strategies.forget({ parkId }, 'device', payload.deviceIds)
        await synchronisation.forgetDevices({ parkId }, payload.deviceIds)
      }),
    ],
  })
  platform.events.consume({
    name: 'access.watchedPassages',
    mode: 'once',
    handlers: [personsChanged, personsDeleted].map((event) => on(event, ({ payload }) => service.countAsWatched(payload.personIds))),
  })
  // Apart, so that whoever stands at a door now is not looked for behind all who stood there while the server was away.
  for (const arrival of ['prompt', 'late'] as const)
    platform.events.consume({
      name: `access.watchListHits.${arrival}`,
      mode: 'once',
      handlers: [on(recordPictured, ({ parkId, payload }) => watchListHits.look({ parkId }, payload.recordId, arrival))],
    })
  // Thresholds and leads are part of every device's settings.
  needs.faces.onPolicyChanged((scope) => synchronisation.mark(scope, { time: true }))
  const persons = ({ parkId, payload }: { parkId: string; payload: { personIds: string[] } }) =>
    synchronisation.mark({ parkId }, { persons: payload.personIds })
  const devices = ({ parkId }: { parkId: string }) => synchronisation.mark({ parkId }, { devices: true })
  const groups = ({ parkId }: { parkId: string }) => synchronisation.mark({ parkId }, { groups: true })
  platform.events.consume({
    name: 'access.synchronisation',
    mode: 'everyNode',
    handlers: [
      on(personsChanged, persons),
      on(personsDeleted, persons),
      on(facesChanged, persons),
      on(cardsChanged, persons),
      on(groupsChanged, groups),
      on(groupDeleted, groups),
      on(devicesChanged, devices),
      on(devicesDeleted, devices),
      on(needs.restrictionsChanged, devices),
      on(deviceGroupsChanged, groups),
      on(deviceGroupDeleted, groups),
      on(strategiesChanged, ({ parkId, payload }) => synchronisation.mark({ parkId }, { strategies: payload.strategyIds })),
      on(parkLinksChanged, async ({ parkId, payload }) =>
        synchronisation.mark({ parkId }, { strategies: await associatedRules.idsOf({ parkId }, payload.relationIds) }),
      ),
      on(timeRulesChanged, ({ parkId }) => synchronisation.mark({ parkId }, { timeRules: true })),
      // The zone is part of every device's settings.
      on(organisationChanged, ({ parkId }) => synchronisation.mark({ parkId }, { time: true })),
      on(personsTouched, ({ parkId, payload }) =>
        synchronisation.touch({ parkId }, new Map([[payload.audienceId, new Set(payload.personIds)]])),
      ),
      on(erasuresNoted, ({ parkId }) => synchronisation.tellErasures({ parkId })),
      on(accessErased, async ({ parkId }) => {
        await synchronisation.tellErasures({ parkId })
        synchronisation.mark({ parkId }, { everything: true })
      }),
    ],
  })
  return {
    name: 'access',
    service,
    calls: accessHandlers(service),
    migrations: [
      ...accessMigrations,
      ...recordMigrations,
      ...statisticsMigrations,
      ...recordNameMigrations,
      ...clinicMigrations,
      ...synchronisationMigrations,
    ],
    jobs: [
      createPartitionsJob(platform, { retentionMonths: platform.config.recordMonths }),
      createPictureRetention(platform, needs),
      {
        name: 'access.synchronisationUpkeep',
        schedule: '17 3 * * *',
        async run() {
          await synchronisation.upkeep()
          return { outcome: 'success' }
        },
      },
      {
        name: 'access.pendingChangesUpkeep',
        schedule: '41 3 * * *',
        async run() {
          await service.pendingChanges.upkeep()
          return { outcome: 'success' }
        },
      },
    ],
    exports: [createRecordExport(platform, needs)],
    start: () => service.counting.start(),
    async stop() {
      await service.counting.stop()
      await synchronisation.stop()
    },
    erasePark: (tx, scope) => service.erasePark(tx, scope),
  }
}
