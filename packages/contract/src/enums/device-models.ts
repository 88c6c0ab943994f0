import type { ValueOf } from './definition.ts'
import { deviceType } from './devices.ts'
import type { deviceModel } from './devices.ts'

/** Models that a type may have; any other is refused with 400204. A type that is not listed accepts any model. */
export const modelsOfType: Readonly<Record<number, readonly number[] | undefined>> = {
  [deviceType.captureCamera]: [1, 2, 3, 6, 11, 12],
  [deviceType.faceGate]: [4, 5],
  [deviceType.faceAccessController]: [4, 5],
  [deviceType.mobileHealthCodeTerminal]: [4, 5],
  [deviceType.nvr]: [7, 9, 10],
  [deviceType.gateController]: [8],
} satisfies Partial<Record<ValueOf<typeof deviceType>, readonly ValueOf<typeof deviceModel>[]>>
