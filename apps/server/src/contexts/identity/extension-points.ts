/** What accounts and roles ask of areas above them. */
import { singlePoint } from '../../platform/extension-points.ts'
import type { DeviceGroupTree } from './privilege.ts'

/** Groups of devices, as roles are limited to them. */
export const deviceGroupTree = singlePoint<DeviceGroupTree>('identity.deviceGroupTree')
