/** What accounts and roles need from areas above them. */
import { singlePoint } from '../../platform/extension-points.ts'
import type { DeviceGroupTree } from './privilege.ts'

/** Groups of devices to which roles can be limited. */
export const deviceGroupTree = singlePoint<DeviceGroupTree>('identity.deviceGroupTree')
