/**
 * Permission codes, grouped as a role is edited. The first code of a module opens its menu where the specification
 * names one. Labels: `i18n/<lang>/permissions.json`, keys `module.<module>` and `code.<code>`, `own.` instead of `own:`.
 *
 * Codes that begin with `own:` are ours: a call that does more than look asks for them besides the specification's.
 */

/** The specification names eight modules; `patrol` to `system` are ours, for the codes that fit none of them. */
export const permissionModules = {
  person: ['person', 'person.list', 'person.audit', 'basic.person.search', 'own:person.export', 'own:person.erase'],
  visitor: ['visitor', 'visitor.report', 'visitor.temporary.edit', 'visitor.mp.setting', 'visitor.access.rule'],
  access: ['access', 'access.record', 'access.rule', 'access.restriction', 'own:access.record.export', 'own:access.record.delete'],
  device: [
    'device',
    'device.list',
    'device.setting',
    'device.upgrade',
    'device.intercom.list',
    'device.intercom.edit',
    'device.intercom.call',
    'card.key.all',
    'own:device.pair',
    'own:door.open',
  ],
  alert: ['alert', 'surveillance.alert', 'surveillance.alert.handle', 'access.alert'],
  monitoring: [
    'surveillance',
    'surveillance.data',
    'surveillance.rule',
    'trail.search',
    'videoSurveillance',
    'videoSurveillance.live',
    'videoSurveillance.history',
  ],
  attendance: ['attend', 'attend.list', 'attend.report'],
  statistics: ['screen'],
  patrol: [
    'patrol',
    'patrol.line.list',
    'patrol.line.edit',
    'patrol.task.list',
    'patrol.task.edit',
    'patrol.record.list',
    'patrol.statistic.list',
  ],
  epidemic: [
    'epidemicPrevention',
    'epidemic.prevention.person.list',
    'epidemic.prevention.device.list',
    'epidemic.prevention.record.list',
    'epidemic.prevention.alert.list',
  ],
  meeting: ['meeting', 'screen.sign.list', 'micro.app', 'screen.welcome.list'],
  park: [
    'park',
    'park.form.setting',
    'park.related',
    'park.access.rule',
    'system.base',
    'system.screen',
    'system.map',
    'system.push',
    'carpark.parkAdmin',
  ],
  system: ['system', 'system.user', 'system.role', 'system.area', 'system.api', 'system.domainName', 'system.log', 'development'],
} as const satisfies Record<string, readonly string[]>

export type PermissionModule = keyof typeof permissionModules
export type PermissionCode = (typeof permissionModules)[PermissionModule][number]

/** Every permission code, in the order of the modules. */
export const PERMISSION_CODES: readonly PermissionCode[] = Object.values(permissionModules).flat()

/** Where the words of a code stand: a colon separates something else in the keys of texts. */
export const permissionKey = (code: string): string => code.replace(':', '.')
