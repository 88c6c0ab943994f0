/** The organisation tree: partner, company, park. */
import type { Context, Platform } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { areaHandlers, type AddressNeeds } from './areas-calls.ts'
import { createAreaService, type AreaNeeds } from './areas.ts'
import { organisationHandlers, type OrganisationDependencies } from './calls.ts'
import { organisationChanged } from './events.ts'
import { limitHandlers } from './limits-calls.ts'
import { createDeviceLimits, type DeviceLimitService } from './limits.ts'
import { organisationMigrations } from './schema.ts'
import { createOrganisationService, type OrganisationService } from './service.ts'
import { settingHandlers, type SettingNeeds } from './settings-calls.ts'
import { createSettings, type Settings } from './settings.ts'

export { organisationChanged } from './events.ts'
export { COMPANY, PARK, PARTNER } from './data.ts'
export type { DeviceLimitService } from './limits.ts'
export { parkClock } from './park-clock.ts'
export type { AccessSettings, OrganisationService } from './service.ts'
export { defineSetting, settingChanged, type Setting, type Settings } from './settings.ts'

export interface OrganisationContext extends Context {
  service: OrganisationService
  settings: Settings
  limits: DeviceLimitService
}

export interface OrganisationNeeds extends OrganisationDependencies, AddressNeeds, AreaNeeds, SettingNeeds {}

export function createOrganisation(platform: Platform, needs: OrganisationNeeds): OrganisationContext {
  const settings = createSettings(platform)
  const service = createOrganisationService(platform, settings)
  const areas = createAreaService(platform, service, settings, needs)
  const limits = createDeviceLimits(platform, service, (tx, parkIds) => needs.countDevices(tx, parkIds))
  platform.events.consume({ name: 'organisation.tree', mode: 'everyNode', handlers: [on(organisationChanged, () => service.reload())] })
  return {
    name: 'organisation',
    service,
    settings,
    limits,
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
}
