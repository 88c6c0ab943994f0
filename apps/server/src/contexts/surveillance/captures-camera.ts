/** The camera that a device is, and its clock. */
import { deviceType } from '@gatehouse/contract/enums/devices'
import { NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Camera, CaptureDependencies } from './captures-types.ts'

export const isCamera = ({ type }: { type: number }): boolean => type === deviceType.captureCamera

/** Return the camera a device is. @throws NotFound where it is none */
export async function cameraOf({ devices }: Pick<CaptureDependencies, 'devices'>, scope: Scope, deviceId: string): Promise<Camera> {
  const [facts] = await devices.facts(scope, [deviceId])
  if (facts === undefined || !isCamera(facts)) throw new NotFound()
  return { id: facts.id, name: facts.name, type: facts.type }
}

/** Return a function that sets the clock of the device right; nothing was captured later than now. */
export function clockCorrection(now: number, sentAt: number): (moment: number) => number {
  const offset = now - sentAt
  return (moment) => Math.min(now, Math.max(0, moment + offset))
}
