/** A device that is connected, and sends the records a test passes to it. */
import { startSimulatedDevice, type SimulatedDevice } from '@gatehouse/dev-env/demo/simulated-device'
import type { MadeDevice, World } from '@gatehouse/dev-env/world'
import { onTestFinished } from 'vitest'

/** Start a device; it stops when the test ends, unless the test stopped it before. */
export async function connectedDevice(world: Pick<World, 'url'>, { code, secret }: MadeDevice): Promise<SimulatedDevice> {
  const simulated = await startSimulatedDevice({ server: world.url, code, secret, epoch: 'test', modelId: 'none' })
  onTestFinished(() => simulated.stop())
  return simulated
}
