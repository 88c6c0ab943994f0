/** Synchronisation: the persons, strategies and rules that devices store, and how they are sent. */
import { defineContext, type Context, type Platform } from '../../platform/context.ts'
import { eventBatches } from '../../platform/events/batches.ts'
import { on } from '../../platform/events/events.ts'
import { extend } from '../../platform/extension-points.ts'
import { cardsChanged, cardsContext, palmsChanged } from '../cards/index.ts'
import {
  deviceGroupDeleted,
  deviceGroupsChanged,
  deviceHoldings,
  devicesChanged,
  devicesContext,
  devicesDeleted,
} from '../devices/index.ts'
import { faceDoors, facesChanged, facesContext } from '../faces/index.ts'
import { organisationChanged, organisationContext, settingChanged } from '../organisation/index.ts'
import { groupDeleted, groupsChanged, peopleContext, personsChanged, personsDeleted, personSending } from '../people/index.ts'
import { parkLinksChanged, relationsContext } from '../relations/index.ts'
import { restrictionsChanged } from '../restrictions/events.ts'
import { accessErased, strategiesChanged, strategiesContext, strategyDelivery, timeRulesChanged } from '../strategies/index.ts'
import { CONFIGURATION_SETTING, passKeysChanged } from '../visitors/events.ts'
import { withCardPasswords } from './card-passwords.ts'
import { devicesReminded, erasuresNoted, personsTouched } from './events.ts'
import { secondVerification, visitorMachines, visitorPasses } from './extension-points.ts'
import { createKnownPersons, type KnownPersons } from './known-persons.ts'
import { withPalms } from './palms.ts'
import { createResend, type ChangeLog } from './resend.ts'
import { withRestrictions } from './restricted-devices.ts'
import { synchronisationMigrations } from './schema.ts'
import { createSendAgain } from './send-again.ts'
import { createSynchronisation, type SynchronisationService } from './service.ts'
import { associatedStatusHandlers, statusHandlers } from './status-calls.ts'
import { createStatusService, type StatusService } from './status.ts'
import { withVisitorMachines } from './visitor-machines.ts'
import { withPasses, withPassKeys } from './visitor-passes.ts'

export { alike, coverageOf, doorKey, strategiesAtDoors } from './coverage.ts'
export { devicesReminded, erasuresNoted, holdingsChanged } from './events.ts'
export {
  secondVerification,
  visitorMachines,
  visitorPasses,
  type SecondVerification,
  type VisitorMachines,
  type VisitorPasses,
} from './extension-points.ts'
export type { KnownPersons } from './known-persons.ts'
export { loadPairs } from './pairs.ts'
export type { StrategyFacts } from './register-facts.ts'
export type { Released } from './holdings.ts'
export type { SynchronisationService } from './service.ts'
export { readTimeRules } from './sources.ts'
export { createStandingReader, entitled } from './standing.ts'
export type { Rules, Standing, StandingDoor, StandingPerson, StandingReader } from './standing-types.ts'
export type { StatusService } from './status.ts'

export interface SynchronisationContext extends Context {
  service: SynchronisationService
  /** Persons of this park, and persons of linked parks who may pass here. */
  knownPersons: KnownPersons
  status: StatusService
}

const createChangeLog = (platform: Platform, service: SynchronisationService): ChangeLog => {
  return {
    async touch(scope, touched) {
      const payloads = [...touched].flatMap(([audienceId, ids]) => eventBatches([...ids]).map((personIds) => ({ audienceId, personIds })))
      await platform.transaction((tx) => platform.events.announceAll(tx, personsTouched, scope.parkId, payloads))
      await platform.events.settled()
      await service.settled()
    },
    remind: (scope, deviceIds) =>
      platform.transaction((tx) =>
        platform.events.announceAll(
          tx,
          devicesReminded,
          scope.parkId,
          eventBatches(deviceIds).map((batch) => ({ deviceIds: batch })),
        ),
      ),
  }
}

export const synchronisationContext = defineContext({
  name: 'synchronisation',
  uses: {
    organisation: organisationContext,
    faces: facesContext,
    people: peopleContext,
    devices: devicesContext,
    relations: relationsContext,
    cards: cardsContext,
    strategies: strategiesContext,
  },
  create(platform, { organisation, faces, people, devices, relations, cards, strategies }): SynchronisationContext {
    const { reading, associatedRules } = strategies
    const persons = withPasses(withPalms(withCardPasswords(people.service, cards.passwords), cards.palmTemplates), (scope, ids) =>
      platform.extensions.one(visitorPasses).idsOf(scope, ids),
    )
    const restricted = withRestrictions(devices.service, (scope) => platform.extensions.one(secondVerification).asking(scope))
    const withKeys = withPassKeys(restricted, (scope) => platform.extensions.one(visitorPasses).keysOf(scope))
    const service = createSynchronisation(platform, {
      sources: {
        persons: { ...persons, groupRows: people.groups.rows },
        faces: faces.service,
        devices: withVisitorMachines(withKeys, (scope) => platform.extensions.one(visitorMachines).settingsOf(scope)),
        sharing: relations.sharing,
        reading,
      },
      organisation: organisation.service,
      policyOf: faces.service.policyOf,
      comparingAt: faces.service.comparingAt,
    })
    const knownPersons = createKnownPersons({ people: people.service, faces: faces.service }, service.view)
    const status = createStatusService(platform, service.view, { devices: devices.service, people: knownPersons, reading })
    const changeLog = createChangeLog(platform, service)
    const resend = createResend(platform, service.view, status, changeLog)
    const sendAgain = createSendAgain(service.view, status, changeLog)

    // Thresholds and margins are part of every device's settings.
    faces.service.onPolicyChanged((scope) => service.mark(scope, { time: true }))
    const markPersons = ({ parkId, payload }: { parkId: string; payload: { personIds: string[] } }) =>
      service.mark({ parkId }, { persons: payload.personIds })
    const markDevices = ({ parkId }: { parkId: string }) => service.mark({ parkId }, { devices: true })
    const markGroups = ({ parkId }: { parkId: string }) => service.mark({ parkId }, { groups: true })
    platform.events.consume({
      name: 'access.synchronisation',
      mode: 'everyNode',
      handlers: [
        on(personsChanged, markPersons),
        on(personsDeleted, markPersons),
        on(facesChanged, markPersons),
        on(cardsChanged, markPersons),
        on(palmsChanged, markPersons),
        on(groupsChanged, markGroups),
        on(groupDeleted, markGroups),
        on(devicesChanged, markDevices),
        on(devicesDeleted, markDevices),
        on(restrictionsChanged, markDevices),
        on(passKeysChanged, markDevices),
        // What visitor machines decide by is part of their settings.
        on(settingChanged, ({ payload: { ownerId, name } }) => {
          if (name === CONFIGURATION_SETTING) service.mark({ parkId: ownerId }, { devices: true })
        }),
        on(deviceGroupsChanged, markGroups),
        on(deviceGroupDeleted, markGroups),
        on(strategiesChanged, ({ parkId, payload }) => service.mark({ parkId }, { strategies: payload.strategyIds })),
        on(parkLinksChanged, async ({ parkId, payload }) =>
          service.mark({ parkId }, { strategies: await associatedRules.idsOf({ parkId }, payload.relationIds) }),
        ),
        on(timeRulesChanged, ({ parkId }) => service.mark({ parkId }, { timeRules: true })),
        // The time zone is part of every device's settings.
        on(organisationChanged, ({ parkId }) => service.mark({ parkId }, { time: true })),
        on(personsTouched, ({ parkId, payload }) => service.touch({ parkId }, new Map([[payload.audienceId, new Set(payload.personIds)]]))),
        on(erasuresNoted, ({ parkId }) => service.notifyErasures({ parkId })),
        on(accessErased, async ({ parkId }) => {
          await service.notifyErasures({ parkId })
          service.mark({ parkId }, { everything: true })
        }),
      ],
    })
    platform.events.consume({
      name: 'synchronisation.forget',
      mode: 'once',
      handlers: [on(devicesDeleted, ({ parkId, payload }) => service.forgetDevices({ parkId }, payload.deviceIds))],
    })
    return {
      service,
      knownPersons,
      status,
      calls: [...statusHandlers(status, resend), ...associatedStatusHandlers(associatedRules, status, resend)],
      migrations: synchronisationMigrations,
      jobs: [
        {
          name: 'access.synchronisationUpkeep',
          schedule: '17 3 * * *',
          async run() {
            await service.upkeep()
            return { outcome: 'success' }
          },
        },
      ],
      begin: () => service.start(),
      stop: () => service.stop(),
      async erasePark(tx, scope) {
        await service.erasePark(tx, scope)
        return {}
      },
      extensions: [
        extend(faceDoors, { doorsByFaceAlone: service.view.doorsByFaceAlone, doorGroups: service.view.doorGroups }),
        extend(personSending, sendAgain),
        extend(deviceHoldings, service.holdings),
        extend(strategyDelivery, {
          devicesOf: service.view.devicesOf,
          async upToDate(scope, deviceIds) {
            const released = await service.released(scope, deviceIds)
            return new Set(
              [...released].flatMap(([id, { desired, reported }]) =>
                desired?.revision === reported?.revision && desired !== null ? [id] : [],
              ),
            )
          },
        }),
      ],
    }
  },
})
