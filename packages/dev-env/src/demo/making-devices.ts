/** The devices of the demo campus: their credentials, and their connection. */
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { DemoDevice } from './campus.ts'
import type { DemoCredentials, MakingParts, Report } from './making-types.ts'
import { devicesOf } from './setting.ts'
import { startSimulatedDevice } from './simulated-device.ts'

/** Return the code and the secret of a demo device; a lost secret is replaced. */
export async function credentialsOf({ maker, server, own }: MakingParts, { code }: DemoDevice): Promise<DemoCredentials | null> {
  const mine = await own('device')
  const device = (await devicesOf(maker)).find((one) => one.code === code && mine.has(one.id))
  if (device === undefined) return null
  const { secrets } = server.platform
  const name = `device-${device.id}`
  const fresh = secrets.has(name) ? '' : (await maker.call(deviceCalls.resetSecret, { params: { id: device.id }, body: {} })).secret
  return { code, secret: await secrets.keep(name, () => fresh) }
}

/**
 * Connect a device, so that no door appears offline.
 * @param report called for a device that the server does not accept, where the campus is complete
 */
export async function connect(parts: MakingParts, device: DemoDevice, report: Report): Promise<void> {
  const credentials = await credentialsOf(parts, device)
  if (credentials === null) return
  const { server, connected, over } = parts
  const { modelId } = server.contexts.faces.service
  try {
    connected.set(device, await startSimulatedDevice({ ...credentials, server: server.url, epoch: 'demo', modelId, signal: over }))
  } catch (error) {
    parts.signal.throwIfAborted()
    if (!parts.isComplete) throw error
    report(`the demo goes on without ${device.code}: ${(error as Error).message}`)
  }
}
