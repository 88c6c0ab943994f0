/** Devices as callers see them. */
import type { DeviceFacts } from '@gatehouse/contract/device/protocol-status'
import type { Device } from '@gatehouse/contract/devices/device'
import { deviceModel, doorState, gateStatus } from '@gatehouse/contract/enums/devices'
import { DEVICE_NEARLY_FULL } from '@gatehouse/contract'
import type { DeviceRow } from './data.ts'
import { ANDROID } from './status-data.ts'

/** Numbers of persons a device should store, stores, and cannot recognise. */
export interface DeviceHolding {
  personsDesired: number
  personsHeld: number
  personsFailed: number
  /** How many of the persons it cannot recognise have no photo. */
  personsWithoutPhoto: number
}
export const NOTHING: DeviceHolding = { personsDesired: 0, personsHeld: 0, personsFailed: 0, personsWithoutPhoto: 0 }

/** Return how many persons have yet to reach a device; negative: to leave it. Persons without a photo do not count: none can be sent. */
export const missingAt = ({ personsDesired, personsHeld, personsWithoutPhoto }: DeviceHolding): number =>
  personsDesired - personsHeld - personsWithoutPhoto

/** Return whether a device should store so many persons that it is nearly full. @param capacity null if it has reported none */
export const isNearlyFull = (capacity: number | null, personsDesired: number): boolean =>
  capacity !== null && personsDesired >= capacity * DEVICE_NEARLY_FULL && personsDesired > 0

const GATE_OF: Readonly<Record<string, number>> = {
  [doorState.opened]: gateStatus.open,
  [doorState.alwaysOpen]: gateStatus.open,
  [doorState.alwaysOpening]: gateStatus.open,
  [doorState.closing]: gateStatus.open,
  [doorState.closed]: gateStatus.close,
  [doorState.opening]: gateStatus.close,
}
/** Return the value of `gateStatus`: open, closed, or none if unknown. @param door value of the enum `doorState` */
export const gateOf = (door: string | undefined): number => GATE_OF[door ?? ''] ?? gateStatus.none

export function present(
  { online, authorisation, groupName, facts, digitalCode, releasedAt, ...row }: DeviceRow,
  counts: DeviceHolding = NOTHING,
): Device {
  const {
    apkName = '',
    platform = row.model === deviceModel.android ? ANDROID : '',
    license = null,
    capacity = null,
    storeTampering = null,
  } = facts as DeviceFacts
  return {
    ...row,
    personsDesired: counts.personsDesired,
    personsHeld: counts.personsHeld,
    personsFailed: counts.personsFailed,
    personsWithoutPhoto: counts.personsWithoutPhoto,
    groupName: groupName ?? '',
    digitalCode: digitalCode ?? '',
    onlineStatus: Number(online),
    authorisationStatus: authorisation,
    released: releasedAt !== null,
    apkName,
    platform,
    license,
    capacity,
    storeTampering,
    nearlyFull: isNearlyFull(capacity, counts.personsDesired),
  }
}
