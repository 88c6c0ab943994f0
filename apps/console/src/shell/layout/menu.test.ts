import { expect, test } from 'vitest'
import { PERMISSION_CODES } from '@gatehouse/contract'
import { holds } from '@gatehouse/contract/conditions'
import { groupOf, menuFor, openAtFirst } from './menu.ts'

const circumstances = {
  roleSign: 'admin',
  atRoot: true,
  lite: false,
  privatised: true,
  customerManager: false,
  deviceUpgradeType: 0,
  masking: false,
}
const menuOf = (permissions: readonly string[]) =>
  menuFor(({ permission, condition }) => (permission === null || permissions.includes(permission)) && holds(condition, circumstances), {
    language: 'zh-CN',
    thirdParty: false,
  })

test('what a guard needs every day stands first: home, records and strangers, alarms, then people, visitors, devices and rules', () => {
  const [home, records, alarms, ...rest] = menuOf(PERMISSION_CODES)
  expect(home).toEqual({ group: 'top', entries: ['home'], outside: [] })
  expect(records).toEqual({
    group: 'record',
    entries: ['staffCurrent', 'guardMode', 'strangerRecords', 'accessStatistics', 'faceCorrections'],
    outside: [],
  })
  expect(alarms).toEqual({
    group: 'alert',
    entries: ['monitorAlarm', 'deviceAlarm', 'maintenanceAlarm', 'aiBoxAlarm', 'ruleAlarm', 'alarmSettings'],
    outside: [],
  })
  expect(rest.map(({ group }) => group)).toEqual(['person', 'visitor', 'device', 'access', 'surveillance', 'park', 'system', 'operations'])
})

test('operations are one group, and key cards stand with the devices behind a single entry', () => {
  const menu = menuOf(PERMISSION_CODES)
  expect(menu.at(-1)).toMatchObject({ group: 'operations', entries: ['dataReleased', 'serviceMonitor', 'personnelIssued'] })
  expect(menu.find(({ group }) => group === 'device')?.entries).toEqual([
    'deviceList',
    'deviceConfig',
    'deviceUpgradeNotPrivatization',
    'issuedCards',
  ])
})

test('a long menu begins with its first group open, or more, as far as it fits into a window; a short one is all open', () => {
  const menu = menuOf(PERMISSION_CODES)
  expect(openAtFirst(menu)).toEqual(['record', 'person'])
  const lines = menu.reduce(
    (sum, section) => sum + 1 + (openAtFirst(menu).some((group) => group === section.group) ? section.entries.length : 0),
    0,
  )
  expect(lines).toBeLessThanOrEqual(20)
  const guard = menuOf(['person.list', 'access.record', 'device.list'])
  expect(openAtFirst(guard)).toEqual(guard.map(({ group }) => group).slice(1))
})

test('an entry is known by its group; home is in none', () => {
  const menu = menuOf(PERMISSION_CODES)
  expect([groupOf(menu, 'strangerRecords'), groupOf(menu, 'serviceMonitor'), groupOf(menu, 'home'), groupOf(menu, '')]).toEqual([
    'record',
    'operations',
    null,
    null,
  ])
})
