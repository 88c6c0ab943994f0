/** Handlers of the settings of terminals. */
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { DevicesService } from '../devices/index.ts'
import type { Copies } from './copies.ts'
import type { SettingFiles } from './files.ts'
import { listSettings } from './list.ts'
import type { ConfigurationService } from './service-types.ts'
import type { SettingTemplates } from './templates.ts'

interface Parts {
  service: ConfigurationService
  templates: SettingTemplates
  copies: Copies
  files: SettingFiles
  devices: DevicesService
}

export function configurationHandlers(platform: Platform, { service, templates, copies, files, devices }: Parts): MountedCall[] {
  return [
    handler(configurationCalls.display, ({ scope }) => service.display(scope)),
    handler(configurationCalls.changeDisplay, async ({ session, scope, body }) => {
      await service.changeDisplay(session, body.displayFields, body.version)
      return service.display(scope)
    }),
    handler(configurationCalls.park, async ({ session, scope }) => ({ areaCode: session.park.areaCode, ...(await service.park(scope)) })),
    handler(configurationCalls.changePark, async ({ session, scope, body }) => {
      await service.changePark(session, body)
      return { areaCode: session.park.areaCode, ...(await service.park(scope)) }
    }),
    handler(configurationCalls.list, ({ scope, query }) => listSettings(scope, platform.db, devices, query)),
    handler(configurationCalls.effective, ({ scope, query }) => service.shown(scope, (query.id ?? query.deviceId)!)),
    handler(configurationCalls.detail, ({ scope, query }) => service.detail(scope, (query.id ?? query.deviceId)!)),
    handler(configurationCalls.add, async ({ session, scope, body: { deviceId, ...change } }) => {
      await service.change(session, deviceId, change)
      return service.detail(scope, deviceId)
    }),
    handler(configurationCalls.templates, ({ scope, query }) => templates.list(scope, query)),
    handler(configurationCalls.template, ({ scope, params }) => templates.read(scope, params.id)),
    handler(configurationCalls.addTemplate, async ({ session, body }) => ({ id: await templates.add(session, body) })),
    handler(configurationCalls.changeTemplate, async ({ session, body: { id, version, ...fields } }) => {
      await templates.change(session, id, version, fields)
      return { id }
    }),
    handler(configurationCalls.deleteTemplates, async ({ scope, query: { ids = [] } }) => {
      if (ids.length === 0) throw new InvalidRequest([{ path: 'ids', rule: 'required' }])
      return { deleted: await templates.delete(scope, ids) }
    }),
    handler(configurationCalls.copyPreview, ({ session, body }) => copies.preview(session, body)),
    handler(configurationCalls.copy, ({ session, body }) => copies.copy(session, body)),
    handler(configurationCalls.upload, async ({ scope, body, file }) => {
      if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
      return files.store(scope, body.kind, file.bytes)
    }),
    handler(configurationCalls.file, ({ scope, params }) => files.read(scope, params.id)),
    handler(configurationCalls.secrets, ({ device }) => service.secretsOf(device)),
    handler(configurationCalls.deviceFile, async ({ scope, device, params: { id } }) => {
      const { voiceFile, screenSaver } = await service.effective(scope, device.deviceId)
      if (id !== voiceFile && id !== screenSaver) throw new NotFound()
      return files.read(scope, id)
    }),
  ]
}
