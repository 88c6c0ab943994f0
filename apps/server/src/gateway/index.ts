/** The gateway to devices: their HTTP calls, and their messages over MQTT. */
import { deviceLine, devicesContext } from '../contexts/devices/index.ts'
import { doorControl, doorsContext } from '../contexts/doors/index.ts'
import { facesContext } from '../contexts/faces/index.ts'
import { peopleContext } from '../contexts/people/index.ts'
import { recordsContext } from '../contexts/records/index.ts'
import { synchronisationContext } from '../contexts/synchronisation/index.ts'
import { defineContext, type Context } from '../platform/context.ts'
import { extend } from '../platform/extension-points.ts'
import { gatewayHandlers } from './calls.ts'
import { createGateway } from './gateway.ts'

export const gatewayContext = defineContext({
  name: 'gateway',
  uses: {
    devices: devicesContext,
    doors: doorsContext,
    faces: facesContext,
    people: peopleContext,
    records: recordsContext,
    synchronisation: synchronisationContext,
  },
  create(platform, { devices, doors, faces, people, records, synchronisation }): Context {
    const gateway = createGateway(platform, {
      synchronisation: synchronisation.service,
      ingest: (device, message) => records.ingest(device, message),
      devices: devices.service,
      noteDoorState: (device, state) => doors.service.noteState(device, state),
    })
    return {
      calls: gatewayHandlers(platform, {
        synchronisation: synchronisation.service,
        records,
        devices: devices.service,
        faces: faces.service,
        people: people.service,
        channel: () => platform.channel(),
      }),
      migrations: [],
      begin: async (channel) => gateway.start(channel),
      end: () => gateway.stop(),
      extensions: [extend(deviceLine, gateway), extend(doorControl, gateway)],
    }
  },
})
