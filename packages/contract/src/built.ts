/**
 * What the product has so far. The specification names more: the API takes and answers all of it, while forms, menus and lists offer
 * nothing that is not built. A module that is built shows everywhere as soon as its codes are used (`UNUSED` in `permissions.ts`).
 */
import type { DevicePart } from './devices/fields.ts'
import { accessMethod, strategyKind } from './enums/access.ts'
import type { ValueOf } from './enums/definition.ts'
import { deviceType } from './enums/devices.ts'
import type { EnumName } from './enums/registry.ts'
import { isUsed, permissionModules, type PermissionCode, type PermissionModule } from './permissions.ts'

/** Calls ask for some of their codes already, but no screen does: the module that brings its screens takes its name out. */
const WITHOUT_SCREENS: readonly PermissionModule[] = ['epidemic']

export const isBuilt = (module: PermissionModule): boolean => !WITHOUT_SCREENS.includes(module) && permissionModules[module].some(isUsed)

/** Codes of what is built, in the order of the modules: those that forms offer. */
export const BUILT_CODES: readonly PermissionCode[] = (Object.keys(permissionModules) as PermissionModule[])
  .filter(isBuilt)
  .flatMap((module): readonly PermissionCode[] => permissionModules[module].filter(isUsed))

/** Types of device that do nothing without a module. */
const TYPES_OF: Readonly<Partial<Record<PermissionModule, readonly number[]>>> = {
  monitoring: [deviceType.captureCamera, deviceType.identifyCamera, deviceType.aiBox, deviceType.nvr],
  attendance: [deviceType.mobileAttendanceMachine],
  epidemic: [deviceType.healthCodeClient, deviceType.mobileHealthCodeTerminal],
}

export const isTypeBuilt = (type: number): boolean =>
  Object.entries(TYPES_OF).every(([module, types]) => !types.includes(type) || isBuilt(module as PermissionModule))

/** Parts of a device that nothing uses before one asks for this code. */
const PARTS_OF: Readonly<Partial<Record<DevicePart, PermissionCode>>> = {
  intercom: 'device.intercom.call',
  video: 'videoSurveillance.live',
}

export const isPartBuilt = (part: DevicePart): boolean => {
  const code = PARTS_OF[part]
  return code === undefined || isUsed(code)
}

/**
 * Ways of passing of which nobody has anything to show: codes come with visitors, and no reader takes down a palm yet. What is left is
 * by what a strategy can let somebody pass.
 */
export const BUILT_METHODS: readonly number[] = accessMethod.values.filter(
  (method) =>
    method !== accessMethod.handprint && ((method !== accessMethod.qrCode && method !== accessMethod.qrCodeAndFace) || isBuilt('visitor')),
)

/** Kinds of strategies and rules there is somebody for: visitors come with their module. */
export const BUILT_STRATEGY_KINDS: readonly ValueOf<typeof strategyKind>[] = strategyKind.values.filter(
  (kind) => kind !== strategyKind.visitor || isBuilt('visitor'),
)

/** Enums whose words nobody reads before a module is built. */
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
  monitoring: ['taskEnabled', 'videoDownloadState'],
  attendance: ['attendanceResult', 'commuteRecordType', 'shiftPairs', 'shiftType', 'specialCardDate'],
  patrol: ['patrolCycle', 'patrolTaskStatus', 'patrolRecordStatus'],
  epidemic: ['healthCodeColour', 'nucleicAcidWindow', 'vaccineMinimum'],
}

export const isEnumBuilt = (name: string): boolean =>
  Object.entries(ENUMS_OF).every(([module, names]) => !(names as readonly string[]).includes(name) || isBuilt(module as PermissionModule))
