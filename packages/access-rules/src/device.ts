/** The settings of the device protocol as the decision takes them. */
import type { DeviceSettings } from '@gatehouse/contract/device/protocol'
import type { AccessDevice } from './model.ts'

/** What a device decides by, from the settings it was sent. */
export function accessDeviceOf(settings: DeviceSettings): AccessDevice {
  const { deviceId, direction, zone, threshold, factorTimeoutMs, secondVerification, margin, lookAlikeMargin, liveness, configuration } =
    settings
  const device = {
    id: deviceId,
    direction,
    zone,
    thresholds: { face: threshold },
    factorTimeoutMs,
    secondVerification,
    margin,
    lookAlikeMargin,
    liveness,
  }
  if (!configuration) return device
  const { livenessSwitch, verificationMode, maskRule, helmetRule, temperatureCheck, temperatureMinimum, temperatureMaximum } = configuration
  return {
    ...device,
    // Without a score to ask for, a door that refuses would refuse everybody.
    liveness: livenessSwitch === 1 && liveness !== null && liveness.threshold !== null ? { ...liveness, refuses: true } : liveness,
    methods: verificationMode,
    wear: { mask: maskRule, helmet: helmetRule },
    temperature: temperatureCheck === 1 ? { minimum: temperatureMinimum, maximum: temperatureMaximum } : null,
  }
}
