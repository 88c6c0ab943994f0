/** One device of a park. */
import { NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DevicesService } from '../devices/index.ts'

/** @throws NotFound */
export async function oneDevice(devices: Pick<DevicesService, 'some'>, scope: Scope, deviceId: string) {
  const [device] = await devices.some(scope, [deviceId])
  if (device === undefined) throw new NotFound()
  return device
}
