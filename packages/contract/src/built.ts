/**
 * The part of the specification that is built. The API accepts and returns everything the specification names, while forms, menus and lists
 * offer only what is built. A built module is shown everywhere as soon as its codes are used (`UNUSED` in `permissions.ts`).
 */
import type { DevicePart } from './devices/fields.ts'
import { strategyKind } from './enums/access.ts'
import type { ValueOf } from './enums/definition.ts'
import { deviceType } from './enums/devices.ts'
import type { EnumName } from './enums/registry.ts'
import { isUsed, permissionModules, type PermissionCode, type PermissionModule } from './permissions.ts'

/**
 * Modules of which calls already require some codes, but that have no screens yet. The change that adds the screens removes the module from
 * this list.
 */
const WITHOUT_SCREENS: readonly PermissionModule[] = ['epidemic']

export const isBuilt = (module: PermissionModule): boolean => !WITHOUT_SCREENS.includes(module) && permissionModules[module].some(isUsed)

/** Codes of the built modules, in the order of the modules: those that forms offer. */
export const BUILT_CODES: readonly PermissionCode[] = (Object.keys(permissionModules) as PermissionModule[])
  .filter(isBuilt)
  .flatMap((module): readonly PermissionCode[] => permissionModules[module].filter(isUsed))

/** Types of device that have no function before a module is built. */
const TYPES_OF: Readonly<Partial<Record<PermissionModule, readonly number[]>>> = {
  attendance: [deviceType.mobileAttendanceMachine],
  epidemic: [deviceType.healthCodeClient, deviceType.mobileHealthCodeTerminal],
}

/** Types of device that have no function before a call requires this code. */
const TYPES_BY_CODE: Readonly<Partial<Record<PermissionCode, readonly number[]>>> = {
  'surveillance.rule': [deviceType.captureCamera, deviceType.identifyCamera],
  'access.alert': [deviceType.aiBox],
  'videoSurveillance.live': [deviceType.nvr],
}

export const isTypeBuilt = (type: number): boolean =>
  Object.entries(TYPES_OF).every(([module, types]) => !types.includes(type) || isBuilt(module as PermissionModule)) &&
  Object.entries(TYPES_BY_CODE).every(([code, types]) => !types.includes(type) || isUsed(code))

/** Parts of a device that are not used before a call requires this code. */
const PARTS_OF: Readonly<Partial<Record<DevicePart, PermissionCode>>> = {
  intercom: 'device.intercom.call',
  video: 'videoSurveillance.live',
}

export const isPartBuilt = (part: DevicePart): boolean => {
  const code = PARTS_OF[part]
  return code === undefined || isUsed(code)
}

/** Kinds of access rules for which there are people: visitors come with their module. */
export const BUILT_STRATEGY_KINDS: readonly ValueOf<typeof strategyKind>[] = strategyKind.values.filter(
  (kind) => kind !== strategyKind.visitor || isBuilt('visitor'),
)

/** Enums whose labels are not shown before a module is built. */
const ENUMS_OF: Readonly<Partial<Record<PermissionModule, readonly EnumName[]>>> = {
  visitor: [
    'visitReason',
    'visitorSource',
    'reservationChannel',
    'visitorSignInSource',
    'visitorStatus',
    'visitorAuditStatus',
    'visitorConfigTab',
    'visitAlertType',
  ],
  alert: [
    'alarmMatchType',
    'alarmLevel',
    'alarmHandlingStatus',
    'alarmHandlingStatusAlt',
    'deviceAlarmHandling',
    'alarmSound',
    'alarmPopupStay',
    'alertBubbleType',
    'alertType',
  ],
  monitoring: ['taskEnabled'],
  attendance: ['attendanceResult', 'commuteRecordType', 'shiftPairs', 'shiftType', 'specialCardDate'],
  patrol: ['patrolCycle', 'patrolTaskStatus', 'patrolRecordStatus'],
  epidemic: ['healthCodeColour', 'nucleicAcidWindow', 'vaccineMinimum'],
}

/** Enums whose labels are not shown before a call requires this code. */
const ENUMS_BY_CODE: Readonly<Partial<Record<PermissionCode, readonly EnumName[]>>> = {
  'videoSurveillance.history': ['videoDownloadState'],
}

export const isEnumBuilt = (name: string): boolean =>
  Object.entries(ENUMS_OF).every(
    ([module, names]) => !(names as readonly string[]).includes(name) || isBuilt(module as PermissionModule),
  ) && Object.entries(ENUMS_BY_CODE).every(([code, names]) => !(names as readonly string[]).includes(name) || isUsed(code))
