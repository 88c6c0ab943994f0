/** The settings of the device protocol as the decision takes them. */
import type { DeviceSettings } from '@gatehouse/contract/device/protocol'
import type { AccessDevice } from './model.ts'

/** What a device decides by, from the settings it was sent. */
export function accessDeviceOf(settings: DeviceSettings): AccessDevice {
  const { deviceId, direction, zone, threshold, factorTimeoutMs, secondVerification, margin, lookAlikeMargin, liveness } = settings
  return { id: deviceId, direction, zone, thresholds: { face: threshold }, factorTimeoutMs, secondVerification, margin, lookAlikeMargin, liveness }
}
