/** A device without a door of its own: the test decides what it answers to commands. */
import { startDevice, type Device, type DeviceOptions } from '@gatehouse/terminal/device/device'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { Catalogue } from '@gatehouse/dev-env/simulator/catalogue'
import { createSimulatedStore } from '@gatehouse/dev-env/simulator/store'
import type { MadeDevice, Site, World } from '@gatehouse/dev-env/world'
import { until } from './until.ts'

export interface AnsweringDevice {
  device: Device
  made: MadeDevice
  /** Disconnect in order; resolve when the server has seen the device go. */
  stop(): Promise<void>
}

/** Start a device at a door of a park; the server sees it online when this returns. */
export async function startAnswering(
  world: World,
  site: Site,
  {
    operateDoor = async () => ({ isSuccess: true, errorType: null }),
    ...options
  }: Partial<Pick<DeviceOptions, 'operateDoor' | 'commands' | 'facts'>> = {},
  at?: MadeDevice,
): Promise<AnsweringDevice> {
  const made = at ?? (await site.device())
  const onlineIs = (status: number) => async () => (await site.call(deviceCalls.read, { params: { id: made.id } })).onlineStatus === status
  const device = startDevice({
    ...options,
    operateDoor,
    server: world.url,
    code: made.code,
    secret: made.secret,
    store: createSimulatedStore({ catalogue: new Catalogue() }).powerOn(),
    modelId: 'none',
    version: 'test',
    retry: { first: 50, limit: 200 },
  })
  await until(`device ${made.code} to be seen online`, onlineIs(1))
  return {
    device,
    made,
    async stop() {
      await device.stop()
      await until(`device ${made.code} to be seen leaving`, onlineIs(0))
    },
  }
}
