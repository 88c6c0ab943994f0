/** Which parts of the specification are offered, and which are not because they are not built. */
import { expect, it } from 'vitest'
import { BUILT_STRATEGY_KINDS, isBuilt, isEnumBuilt, isPartBuilt, isTypeBuilt } from './built.ts'
import { deviceType } from './enums/devices.ts'
import { enums } from './enums/registry.ts'
import { permissionModules, type PermissionModule } from './permissions.ts'

const modules = Object.keys(permissionModules) as PermissionModule[]

it('the modules that are built', () => {
  expect(modules.filter(isBuilt)).toEqual(['person', 'visitor', 'access', 'device', 'alert', 'monitoring', 'statistics', 'park', 'system'])
})

it('devices, parts of them and rules of a module that is not built are none', () => {
  expect(deviceType.values.filter((type) => !isTypeBuilt(type))).toEqual([
    deviceType.mobileAttendanceMachine,
    deviceType.healthCodeClient,
    deviceType.mobileHealthCodeTerminal,
    deviceType.nvr,
  ])
  expect((['network', 'door', 'passcode', 'intercom', 'channels', 'video'] as const).filter(isPartBuilt)).toEqual([
    'network',
    'door',
    'passcode',
    'channels',
  ])
  expect(BUILT_STRATEGY_KINDS).toEqual(['staff', 'visitor'])
})

it('words of what is not built are not for the dictionary, all others are', () => {
  const hidden = Object.keys(enums).filter((name) => !isEnumBuilt(name))
  expect(hidden).toHaveLength(12)
  for (const name of ['shiftType', 'attendanceResult', 'patrolCycle', 'healthCodeColour']) expect(hidden).toContain(name)
  for (const name of ['gender', 'visitReason', 'failReason', 'monitorPrecision', 'alarmType', 'alarmLevel', 'customFieldInputType'])
    expect(hidden).not.toContain(name)
})
