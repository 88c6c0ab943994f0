/** Settings of terminals: the context as others see it. */
import { measureSources } from '../organisation/index.ts'
import { defineContext, type Context } from '../../platform/context.ts'
import { on } from '../../platform/events/events.ts'
import { devicesContext, devicesDeleted, deviceConfiguration } from '../devices/index.ts'
import { facesContext } from '../faces/index.ts'
import { synchronisationContext } from '../synchronisation/index.ts'
import { extend } from '../../platform/extension-points.ts'
import { configurationHandlers } from './calls.ts'
import { createCopies } from './copies.ts'
import { createSettingFiles } from './files.ts'
import { configurationMigrations } from './schema.ts'
import { createConfigurationService, type ConfigurationNeeds } from './service.ts'
import type { ConfigurationService } from './service-types.ts'
import { createSettingTemplates } from './templates.ts'

export type { ConfigurationService } from './service-types.ts'

export interface ConfigurationContext extends Context {
  service: ConfigurationService
}

export const configurationContext = defineContext({
  name: 'configuration',
  uses: { devices: devicesContext, faces: facesContext, synchronisation: synchronisationContext },
  create(platform, { devices, faces, synchronisation }): ConfigurationContext {
    const needs: ConfigurationNeeds = {
      devices: devices.service,
      faces: faces.service,
      secretsRevisionOf: async (device) => (await synchronisation.service.manifest(device)).settings.secretsRevision ?? '',
    }
    const files = createSettingFiles(platform)
    const checks = { faces: needs.faces, files }
    const service = createConfigurationService(platform, { ...needs, ...checks })
    const templates = createSettingTemplates(platform, checks)
    const copies = createCopies(platform, needs.devices)
    platform.events.consume({
      name: 'configuration.forget',
      mode: 'once',
      handlers: [on(devicesDeleted, ({ parkId, payload }) => service.forgetDevices({ parkId }, payload.deviceIds))],
    })
    return {
      service,
      calls: configurationHandlers(platform, { service, templates, copies, files, devices: needs.devices }),
      migrations: configurationMigrations,
      jobs: [
        {
          name: 'configuration.dropUnusedFiles',
          schedule: '43 3 * * *',
          run: async () => ({ outcome: 'success', counts: { files: await files.dropUnused() } }),
        },
      ],
      erasePark: (tx, scope) => service.erasePark(tx, scope),
      extensions: [
        extend(deviceConfiguration, (scope, ids) => service.configured(scope, ids)),
        extend(measureSources, (scope) => service.measures(scope)),
      ],
    }
  },
})
