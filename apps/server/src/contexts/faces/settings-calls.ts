/** Handlers of the calls on how strictly a park compares faces. */
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { FaceSettings } from './settings.ts'

export function settingsHandlers(policy: FaceSettings): MountedCall[] {
  return [
    handler(facePolicyCalls.read, ({ scope }) => policy.read(scope)),
    handler(facePolicyCalls.change, ({ scope, body: { version, ...fields } }) => policy.change(scope, version, fields)),
  ]
}
