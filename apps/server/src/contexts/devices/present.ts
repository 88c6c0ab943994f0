/** Devices as callers see them. */
import type { ToldFacts } from '@gatehouse/contract/device/protocol'
import type { Device } from '@gatehouse/contract/devices/calls'
import { deviceModel, doorState, gateStatus } from '@gatehouse/contract/enums/devices'
import { DEVICE_NEARLY_FULL } from '@gatehouse/contract'
import { ANDROID, type DeviceRow } from './data.ts'

/** Persons a device should hold, does hold, and cannot recognise. */
export interface DeviceHolding {
  personsDesired: number
  personsHeld: number
  personsFailed: number
  /** Of those it cannot recognise, the ones who have no photo. */
  personsWithoutPhoto: number
}
export const NOTHING: DeviceHolding = { personsDesired: 0, personsHeld: 0, personsFailed: 0, personsWithoutPhoto: 0 }

/** How many persons have yet to reach a device; below zero: to leave it. Without a photo there is nobody to recognise. */
export const missingAt = ({ personsDesired, personsHeld, personsWithoutPhoto }: DeviceHolding): number =>
  personsDesired - personsHeld - personsWithoutPhoto

/** Whether a device should hold so many persons that there is hardly room for more. @param capacity null where it has not told */
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
/** Whether a gate stands open; none where that is not known. @param door of the enum `doorState` */
export const gateOf = (door: string | undefined): number => GATE_OF[door ?? ''] ?? gateStatus.none

export function present(
  { online, authorisation, groupName, facts, digitalCode, releasedAt, ...row }: DeviceRow,
  held: DeviceHolding = NOTHING,
): Device {
  const {
    apkName = '',
    platform = row.model === deviceModel.android ? ANDROID : '',
    license = null,
    capacity = null,
    storeTampering = null,
  } = facts as ToldFacts
  return {
    ...row,
    personsDesired: held.personsDesired,
    personsHeld: held.personsHeld,
    personsFailed: held.personsFailed,
    personsWithoutPhoto: held.personsWithoutPhoto,
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
    nearlyFull: isNearlyFull(capacity, held.personsDesired),
    lastSeenAt: row.lastSeenAt as number | null,
    onlineSince: row.onlineSince as number | null,
    createdAt: row.createdAt as number,
  }
}
