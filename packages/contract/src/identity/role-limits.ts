/**
 * Which roles can be limited to device groups: the one rule by which the server refuses a role and the form shows the refusal in advance.
 */
import type { PermissionCode } from '../permissions.ts'

/**
 * Codes whose calls concern single devices, or none, so that devices of other groups can be left out. Any other code concerns all devices
 * at once, such as rules, settings and upgrades, or grants rights over the park itself. A new code concerns all devices until it is named
 * here. Erasure is not in the list: its receipt names every device.
 */
const LIMITABLE: ReadonlySet<string> = new Set<PermissionCode>([
  'person',
  'person.list',
  'person.audit',
  'basic.person.search',
  'own:person.edit',
  'own:person.export',
  'visitor',
  'visitor.report',
  'visitor.temporary.edit',
  'access',
  'access.record',
  'own:access.record.export',
  'own:access.record.delete',
  'device',
  'device.list',
  'own:door.open',
  'alert',
  'surveillance.alert',
  'surveillance.alert.handle',
  'access.alert',
])

/** Return the codes among these that a role limited to device groups cannot grant. */
export const codesBeyondLimit = (permissions: readonly string[]): string[] => permissions.filter((code) => !LIMITABLE.has(code))

/** Return whether a role of this sign can be limited: an administrator or operator is responsible for every device. */
export const isLimitable = (roleSign: string): boolean => roleSign !== 'admin' && roleSign !== 'operator'

/**
 * Codes that let a user choose from devices. A user who has one of them without a limit is shown all devices by calls that require no code,
 * such as the tree of device groups.
 */
export const DEVICE_CODES: readonly PermissionCode[] = [
  'device.list',
  'access.record',
  'own:door.open',
  'access.rule',
  'access.restriction',
  'park.access.rule',
  'device.setting',
  'device.upgrade',
  'card.key.all',
]
