/** What the form of an area starts from. */
import type { InputOf } from '@gatehouse/contract'
import { restrictionLimitType } from '@gatehouse/contract/enums/access'
import type { RestrictionArea, restrictionFields } from '@gatehouse/contract/restrictions/calls'

export type AreaValues = Partial<InputOf<typeof restrictionFields>>

export const newArea = (): AreaValues => ({
  limitType: restrictionLimitType.antiSneakBack,
  deviceIds: [],
  exitDeviceIds: [],
  antiSneakBack: true,
  flowLimit: false,
  limitCount: null,
  offlinePolicy: 'refuse',
})

export const valuesOf = ({
  name,
  limitType,
  deviceIds,
  exitDeviceIds,
  antiSneakBack,
  flowLimit,
  limitCount,
  offlinePolicy,
}: RestrictionArea): AreaValues => ({
  name,
  limitType,
  deviceIds,
  exitDeviceIds,
  antiSneakBack,
  flowLimit,
  limitCount,
  offlinePolicy,
})
