/** Who passes where and when: strategies, access groups, associated rules and time rules. */
import { defineContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { extend } from '../../platform/extension-points.ts'
import { deviceGroupDeleted, devicesContext, devicesDeleted, ruleReach } from '../devices/index.ts'
import { identityContext } from '../identity/index.ts'
import { organisationContext } from '../organisation/index.ts'
import { groupDeleted, peopleContext, personsDeleted, visitorStrategies } from '../people/index.ts'
import { relationsContext } from '../relations/index.ts'
import { createAccessGroupService } from './access-groups.ts'
import type { AccessGroupService } from './access-groups-types.ts'
import { associatedHandlers } from './associated-calls.ts'
import { createAssociatedRules } from './associated-rules.ts'
import type { AssociatedRules } from './associated-rules-types.ts'
import { createReadCalendar } from './calendar.ts'
import { strategyHandlers, timeRuleHandlers } from './calls.ts'
import type { Guarding } from './changes.ts'
import type { StrategyDependencies } from './dependencies.ts'
import { createDeviceStrategies, type DeviceStrategies } from './device-strategies.ts'
import { accessErased } from './events.ts'
import { passageGuard, strategyDelivery } from './extension-points.ts'
import { createPasswordIsFree } from './pass-password.ts'
import { createStrategyReading, type StrategyReading } from './reading.ts'
import { createRelatedPersons } from './relation-users.ts'
import { strategyMigrations } from './schema.ts'
import { deleteStrategiesOfPark } from './strategies-data.ts'
import { createStrategyService } from './strategies.ts'
import type { StrategyService } from './strategies-types.ts'
import { createRuleStates } from './time-rules-effect.ts'
import { createTimeRuleService, type TimeRuleService } from './time-rules.ts'
import { createVisitorStrategies } from './visitor-strategies.ts'

export type { AccessGroupService } from './access-groups-types.ts'

export type { AboutRow } from './associated-rules-data.ts'

export type { AssociatedRules } from './associated-rules-types.ts'
export {
  namedBy,
  passing,
  NEW_ID,
  type Admission,
  type Agreed,
  type Guarding,
  type NamedDoors,
  type NamedStrategy,
  type NewPassage,
  type Terms,
  type WorldChange,
  type WorldDoor,
  type WorldPerson,
} from './changes.ts'
export type { DeviceStrategies } from './device-strategies.ts'
export { accessErased, strategiesChanged, timeRulesChanged } from './events.ts'
export { passageGuard, strategyDelivery } from './extension-points.ts'
export { guestsOf } from './guests.ts'
export { refuseIssues, refuseUnknown } from './issues.ts'
export type { StrategyReading } from './reading.ts'
export type { MemberKind } from './schema.ts'
export type { StrategyService } from './strategies-types.ts'
export { changedStrategy, decidingOf, distinct, type RequestTime } from './strategy-changes.ts'
export { changedTimeRule, valuesIn, type TimeRuleService } from './time-rules.ts'

export interface StrategiesContext extends Context {
  strategies: StrategyService
  accessGroups: AccessGroupService
  associatedRules: AssociatedRules
  timeRules: TimeRuleService
  deviceStrategies: DeviceStrategies
  reading: StrategyReading
}

export const strategiesContext = defineContext({
  name: 'strategies',
  uses: {
    organisation: organisationContext,
    identity: identityContext,
    people: peopleContext,
    devices: devicesContext,
    relations: relationsContext,
  },
  create(platform, { organisation, identity, people, devices, relations }): StrategiesContext {
    const needs: StrategyDependencies = {
      people: people.service,
      groups: people.groups,
      devices: devices.service,
      organisation: organisation.service,
      sharing: relations.sharing,
      demandRoom: identity.attempts.demandRoom,
    }
    const guard: Guarding = {
      during: (scope, change, work, terms) => platform.extensions.one(passageGuard).during(scope, change, work, terms),
    }
    const strategies = createStrategyService(platform, needs, guard)
    const timeRules = createTimeRuleService(
      platform,
      guard,
      createRuleStates(platform, needs, () => platform.extensions.one(strategyDelivery)),
    )
    const accessGroups = createAccessGroupService(platform, needs, strategies, guard)
    const deviceStrategies = createDeviceStrategies(platform, needs)
    const associatedRules = createAssociatedRules(platform, needs, strategies, guard)
    platform.events.consume({
      name: 'access.members',
      mode: 'once',
      handlers: [
        on(personsDeleted, async ({ parkId, payload }) => {
          await strategies.forget({ parkId }, 'person', payload.personIds)
          await associatedRules.forget({ parkId }, 'person', payload.personIds)
        }),
        on(groupDeleted, async ({ parkId, payload }) => {
          await strategies.forget({ parkId }, 'personGroup', [payload.groupId])
          await associatedRules.forget({ parkId }, 'personGroup', [payload.groupId])
        }),
        on(deviceGroupDeleted, ({ parkId, payload }) => strategies.forget({ parkId }, 'deviceGroup', [payload.groupId])),
        on(devicesDeleted, ({ parkId, payload }) => strategies.forget({ parkId }, 'device', payload.deviceIds)),
      ],
    })
    return {
      strategies,
      accessGroups,
      associatedRules,
      timeRules,
      deviceStrategies,
      reading: createStrategyReading(platform),
      calls: [
        ...strategyHandlers({
          strategies,
          accessGroups,
          deviceStrategies,
          relatedPersons: createRelatedPersons(platform, needs, deviceStrategies),
          passwordIsFree: createPasswordIsFree(needs),
        }),
        ...timeRuleHandlers(timeRules, createReadCalendar(platform, needs)),
        ...associatedHandlers(associatedRules),
      ],
      migrations: strategyMigrations,
      async erasePark(tx, scope) {
        await associatedRules.erasePark(tx, scope)
        await platform.history.erase(tx, scope, ['strategy', 'timeRule'])
        await platform.events.announce(tx, accessErased, scope.parkId, {})
        return deleteStrategiesOfPark(scope, tx)
      },
      extensions: [
        extend(ruleReach, { atDevice: deviceStrategies.idsAt, inGroup: deviceStrategies.idsIn }),
        extend(visitorStrategies, createVisitorStrategies(platform, strategies)),
      ],
    }
  },
})
