/** The organisation tree: partner, company, park. */
import type { Context, Platform } from '../../platform/context.ts'
import { on } from '../../platform/events.ts'
import { organisationHandlers, type OrganisationDependencies } from './calls.ts'
import { organisationChanged } from './events.ts'
import { organisationMigrations } from './schema.ts'
import { createOrganisationService, type OrganisationService } from './service.ts'

export { organisationChanged } from './events.ts'
export { COMPANY, PARK, PARTNER } from './data.ts'
export type { OrganisationService } from './service.ts'

export interface OrganisationContext extends Context {
  service: OrganisationService
}

export function createOrganisation(platform: Platform, needs: OrganisationDependencies): OrganisationContext {
  const service = createOrganisationService(platform)
  platform.events.consume({ name: 'organisation.tree', mode: 'everyNode', handlers: [on(organisationChanged, () => service.reload())] })
  return {
    name: 'organisation',
    service,
    calls: organisationHandlers(platform, service, needs),
    migrations: organisationMigrations,
    start: () => service.start(),
  }
}
