/** Which roles can be limited to device groups: one rule, by which the server refuses and the form says so beforehand. */
import type { PermissionCode } from '../permissions.ts'

/**
 * Codes whose calls tell of devices one by one, or of none, so that those of other groups can be left out. Any other code is about all
 * devices at once, such as rules, settings and upgrades, or hands on power over the park itself. Whatever is new is about all of them
 * until it is named here. An erasure is not: its receipt names every device.
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

/** Those of these codes that a role limited to device groups cannot grant. */
export const codesBeyondLimit = (permissions: readonly string[]): string[] => permissions.filter((code) => !LIMITABLE.has(code))

/** Whether a role of this sign can be limited: an administrator or operator is responsible for every device. */
export const isLimitable = (roleSign: string): boolean => roleSign !== 'admin' && roleSign !== 'operator'

/**
 * Codes that show devices to choose from. Who holds one of them without a limit is shown all devices where no code is asked for, as in
 * the tree of device groups.
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
