/**
 * Permission codes, grouped as the form of a role shows them. The first code of a module opens its menu where the specification names one.
 * Labels: `i18n/<lang>/permissions.json`, keys `module.<module>` and `code.<code>`, with `own.` instead of `own:`.
 *
 * Codes that begin with `own:` are not in the specification: calls that do more than read require them in addition to the specification's
 * codes.
 */

/** The specification names eight modules; `patrol` to `system` are added, for the codes that belong to none of them. */
export const permissionModules = {
  person: ['person', 'person.list', 'person.audit', 'basic.person.search', 'own:person.edit', 'own:person.export', 'own:person.erase'],
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
    'own:device.edit',
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

/** Codes by module; modules without a code are left out. */
export type PermissionsByModule = { [Module in PermissionModule]?: PermissionCode[] | undefined }

/** Return the codes by module, in the order of the modules. */
export const permissionsByModule = (codes: readonly string[]): PermissionsByModule =>
  Object.fromEntries(
    Object.entries(permissionModules).flatMap(([module, all]) => {
      const granted = all.filter((code) => codes.includes(code))
      return granted.length === 0 ? [] : [[module, granted]]
    }),
  )

/** Return all codes of all modules. */
export const codesOfModules = (modules: PermissionsByModule): PermissionCode[] => Object.values(modules).flatMap((codes) => codes ?? [])

const opened = (module: PermissionModule, isBehind: (code: PermissionCode) => boolean = () => true): readonly PermissionCode[] =>
  permissionModules[module].filter((code, index) => index > 0 && isBehind(code))

/** Code that opens a part of the menu → the codes in that part. Codes that open nothing are not in here. */
export const OPENED_BY: Readonly<Partial<Record<PermissionCode, readonly PermissionCode[]>>> = {
  person: opened('person'),
  visitor: opened('visitor'),
  access: opened('access'),
  device: opened('device'),
  alert: opened('alert'),
  surveillance: opened('monitoring', (code) => code.startsWith('surveillance.') || code === 'trail.search'),
  videoSurveillance: opened('monitoring', (code) => code.startsWith('videoSurveillance.')),
  attend: opened('attendance'),
  patrol: opened('patrol'),
  epidemicPrevention: opened('epidemic'),
  meeting: opened('meeting', (code) => code.startsWith('screen.')),
  park: opened('park', (code) => code !== 'carpark.parkAdmin'),
  system: opened('system'),
}

/**
 * Codes of parts that are not built: no call, topic or screen requires them, and they open nothing that requires one. Forms do not offer
 * them; roles that have them keep them. When a part is built, its codes are removed from this list; `used-codes.test.ts` fails if they are
 * not.
 */
const UNUSED: ReadonlySet<string> = new Set<PermissionCode>([
  'device.intercom.list',
  'device.intercom.edit',
  'device.intercom.call',
  'videoSurveillance',
  'videoSurveillance.live',
  'videoSurveillance.history',
  'attend',
  'attend.list',
  'attend.report',
  'patrol',
  'patrol.line.list',
  'patrol.line.edit',
  'patrol.task.list',
  'patrol.task.edit',
  'patrol.record.list',
  'patrol.statistic.list',
  'epidemic.prevention.person.list',
  'epidemic.prevention.device.list',
  'meeting',
  'screen.sign.list',
  'micro.app',
  'screen.welcome.list',
  'system.push',
])

/** Return whether a code is required by anything in the product, or opens something that is. */
export const isUsed = (code: string): boolean => !UNUSED.has(code)

/** Return the key of a code's text: in keys of texts a colon separates the namespace. */
export const permissionKey = (code: string): string => code.replace(':', '.')
