/** The development group, for people who examine an installation: the context as others see it. */
import { defineContext, type Context } from '../../platform/context.ts'
import { devicesContext, deviceLine } from '../devices/index.ts'
import { facesContext } from '../faces/index.ts'
import { synchronisationContext } from '../synchronisation/index.ts'
import { developmentHandlers } from './calls.ts'
import { createDevelopmentService, type DevelopmentNeeds } from './service.ts'

export const developmentContext = defineContext({
  name: 'development',
  uses: { devices: devicesContext, faces: facesContext, synchronisation: synchronisationContext },
  create(platform, { devices, faces, synchronisation }): Context {
    const needs: DevelopmentNeeds = {
      synchronisation,
      devices: devices.service,
      channel: () => platform.channel(),
      engine: () => faces.engine,
      sentAt: (deviceId) => platform.extensions.one(deviceLine).sentAt(deviceId),
    }
    return { calls: developmentHandlers(createDevelopmentService(platform, needs), synchronisation.status), migrations: [] }
  },
})
