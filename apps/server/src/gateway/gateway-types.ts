/** The interface of the gateway, and what it needs of the areas. */
import type { DeviceLine, DevicesService } from '../contexts/devices/index.ts'
import type { DoorControl } from '../contexts/doors/index.ts'
import type { SynchronisationService } from '../contexts/synchronisation/index.ts'
import type { Ingest } from '../contexts/records/index.ts'
import type { DeviceChannel } from '../platform/broker/types.ts'
import type { DevicePrincipal } from '../platform/session/session.ts'

export interface Gateway extends DoorControl, DeviceLine {
  start(channel: DeviceChannel): void
  /** Handle the messages that have arrived, and no more. */
  stop(): Promise<void>
}
export interface GatewayNeeds {
  synchronisation: SynchronisationService
  ingest: Ingest
  devices: DevicesService
  /** Store the state of a device's door. */
  noteDoorState(device: DevicePrincipal, state: string): void
}
