/** The settings of the device protocol as the decision takes them. */
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import { scoreKept } from '@gatehouse/contract/faces/promise'
import type { AccessDevice } from './model.ts'

/** What a device compares a face with. */
export interface ComparedFaces {
  /** Templates of persons and their contacts. */
  templates: number
  /** The loosest rate of false matches that is recommended for a door with the model that compares. */
  loosest: number
}

/** The score a face must reach where so much is held: what keeps the promise, or the threshold where there is none. */
export const thresholdAt = (
  { promise, threshold }: Pick<DeviceSettings, 'promise' | 'threshold'>,
  { templates, loosest }: ComparedFaces,
): number => (promise === undefined ? threshold : scoreKept('door', promise.strangersPerThousand, { templates }, loosest, promise.curve))

/** What a device asks of a face. Its own threshold, set there or for it alone, is fixed, whatever the park promises. */
function thresholdsOf(settings: DeviceSettings, compared: ComparedFaces | null): AccessDevice['thresholds'] {
  const { promise, threshold, configuration } = settings
  const own = configuration?.threshold ?? null
  if (own !== null) return { face: own }
  if (compared === null || promise === undefined) return { face: threshold }
  return { face: thresholdAt(settings, compared), templates: compared.templates }
}

/**
 * What a device decides by, from the settings it was sent.
 * @param compared what the threshold is worked out for, where the settings carry a promise
 */
export function accessDeviceOf(settings: DeviceSettings, compared: ComparedFaces | null = null): AccessDevice {
  const { deviceId, direction, zone, factorTimeoutMs, secondVerification, margin, lookAlikeMargin, liveness, configuration } = settings
  const device = {
    id: deviceId,
    direction,
    zone,
    thresholds: thresholdsOf(settings, compared),
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
