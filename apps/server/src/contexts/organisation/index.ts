/** The organisation tree: partner, company, park. */
import { defineContext, everyContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { deviceCount, measureSources, personGroupNames, publicAddress, sessionKeeper, type FindMeasures } from './extension-points.ts'
import { areaHandlers, type AddressNeeds } from './areas-calls.ts'
import { createAreaService } from './areas.ts'
import type { AreaNeeds } from './areas-types.ts'
import { organisationHandlers, type OrganisationDependencies } from './calls.ts'
import { organisationChanged } from './events.ts'
import { limitHandlers } from './limits-calls.ts'
import { createDeviceLimits, type DeviceLimitService } from './limits.ts'
import { organisationMigrations } from './schema.ts'
import { createOrganisationService, type OrganisationService } from './service.ts'
import { settingHandlers, type SettingNeeds } from './settings-calls.ts'
import { createSettings, type Settings } from './settings.ts'

export { canChangePark } from './policy.ts'

export { deviceCount, measureSources, personGroupNames, publicAddress, sessionKeeper, type FindMeasures } from './extension-points.ts'

export { organisationChanged } from './events.ts'
export { COMPANY, PARK, PARTNER } from './data.ts'
export type { DeviceLimitService } from './limits.ts'
export { parkClock } from './park-clock.ts'
export { typedDay, typedMoment } from './typed-moment.ts'
export type { AccessSettings, OrganisationService } from './service.ts'
export { defineSetting, settingChanged, type Setting, type Settings } from './settings.ts'

export interface OrganisationContext extends Context {
  service: OrganisationService
  settings: Settings
  limits: DeviceLimitService
  /** Return what the sensors of a park can report. */
  measures: FindMeasures
}

export interface OrganisationNeeds extends OrganisationDependencies, AddressNeeds, AreaNeeds, SettingNeeds {}

export const organisationContext = defineContext({
  name: 'organisation',
  uses: {},
  create(platform): OrganisationContext {
    const keeper = () => platform.extensions.one(sessionKeeper)
    const needs: OrganisationNeeds = {
      parksOf: (session) => service.parksBelow(session.organisationId),
      roleNameOf: (userId, language) => keeper().roleNameOf(userId, language),
      moveSession: (session, parkId) => keeper().move(session, parkId),
      contexts: () => platform.extensions.all(everyContext),
      countDevices: (tx, parkIds) => platform.extensions.one(deviceCount)(tx, parkIds),
      belonging: (tx, organisationId) => keeper().belonging(tx, organisationId),
      personGroups: (scope, ids) => platform.extensions.one(personGroupNames)(scope, ids),
      async measures(scope) {
        const found = await Promise.all(platform.extensions.all(measureSources).map((find) => find(scope)))
        return {
          temperature: found.some(({ temperature }) => temperature),
          mask: found.some(({ mask }) => mask),
          helmet: found.some(({ helmet }) => helmet),
        }
      },
      refreshSessions: (tx) => keeper().refreshOwners(tx),
      forgetSessions: () => keeper().forgetOwners(),
      publicAddress: (organisationId) => platform.extensions.one(publicAddress)(organisationId),
    }
    const settings = createSettings(platform)
    const service = createOrganisationService(platform, settings)
    const areas = createAreaService(platform, service, settings, needs)
    const limits = createDeviceLimits(platform, service, (tx, parkIds) => needs.countDevices(tx, parkIds))
    platform.events.consume({ name: 'organisation.tree', mode: 'everyNode', handlers: [on(organisationChanged, () => service.reload())] })
    return {
      service,
      settings,
      limits,
      measures: needs.measures,
      calls: [
        ...organisationHandlers(service, needs),
        ...areaHandlers(platform, service, areas, needs),
        ...settingHandlers(platform, service, settings, needs),
        ...limitHandlers(limits),
      ],
      migrations: organisationMigrations,
      async start() {
        await service.start()
        await settings.start()
      },
    }
  },
})
