/**
 * The table of screens as plain data: what may be opened, by whom, and where it stands in the menu. The inventory and
 * the tests read it under Node; `routes.tsx` adds the lazily loaded component of each. Titles: `shell:title.<name>`.
 */
import type { PermissionCode } from '@gatehouse/contract'
import { addresses, type AddressName } from './paths.ts'

/** Menu groups in the order they are shown; labels: `shell:menu.<group>`. */
export const MENU_GROUPS = [
  'epidemic', 'alert', 'person', 'device', 'access', 'visitor', 'patrol', 'video', 'attendance', 'meeting', 'microApp', 'surveillance', 'park', 'system',
] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

export interface Screen {
  path: string
  /** `none`: opens without login. */
  auth: 'login' | 'none'
  permission: PermissionCode | null
  /** Lists are kept alive; a form without parameters is offered as an action by the command palette. */
  kind: 'list' | 'detail' | 'form' | 'settings' | 'screen'
  /** `full` stands outside menu and header. */
  layout: 'shell' | 'full'
  /** The list a detail or form belongs to: its breadcrumb, and the menu entry that stays marked. */
  parent?: AddressName
  /** Group of its menu entry; `top` for home. Absent: no entry. */
  menu?: MenuGroup | 'top'
}

type ScreenDefinition = Partial<Omit<Screen, 'path'>> & Pick<Screen, 'kind'>
const screen = (name: AddressName, { kind, ...rest }: ScreenDefinition): Screen => ({
  path: addresses[name],
  auth: 'login',
  permission: null,
  layout: 'shell',
  kind,
  ...rest,
})

const full = { kind: 'screen', layout: 'full' } as const

export const screens = {
  // Leads on to /login, and from there home where the session is good.
  root: screen('root', full),
  login: screen('login', { ...full, auth: 'none' }),
  refresh: screen('refresh', full),
  forbidden: screen('forbidden', { kind: 'screen' }),
  notFound: screen('notFound', { kind: 'screen' }),

  home: screen('home', { kind: 'screen', menu: 'top' }),

  staffList: screen('staffList', { kind: 'list', permission: 'person.list', menu: 'person' }),
  staffAdd: screen('staffAdd', { kind: 'form', permission: 'person.list', parent: 'staffList' }),
  staffDetails: screen('staffDetails', { kind: 'detail', permission: 'person.list', parent: 'staffList' }),

  deviceList: screen('deviceList', { kind: 'list', permission: 'device.list', menu: 'device' }),
  deviceDetails: screen('deviceDetails', { kind: 'detail', permission: 'device.list', parent: 'deviceList' }),

  staffCurrent: screen('staffCurrent', { kind: 'list', permission: 'access.record', menu: 'access' }),
  passStrategy: screen('passStrategy', { kind: 'list', permission: 'access.rule', menu: 'access' }),
  passStrategyDetail: screen('passStrategyDetail', { kind: 'detail', permission: 'access.rule', parent: 'passStrategy' }),
  addPassStrategyDetail: screen('addPassStrategyDetail', { kind: 'form', permission: 'access.rule', parent: 'passStrategy' }),
  syncStatus: screen('syncStatus', { kind: 'list', permission: 'access.rule', parent: 'passStrategy' }),
  faceCorrections: screen('faceCorrections', { kind: 'list', permission: 'access.record', menu: 'access' }),
  timeRule: screen('timeRule', { kind: 'list', permission: 'access.rule', menu: 'access' }),
  timeRuleDetail: screen('timeRuleDetail', { kind: 'form', permission: 'access.rule', parent: 'timeRule' }),

  strangerRecords: screen('strangerRecords', { kind: 'list', permission: 'access.record', menu: 'park' }),

  // One entry for what is looked at once a month: the others are its tabs.
  faceEngine: screen('faceEngine', { kind: 'list', permission: 'device.setting', menu: 'system' }),
  facePolicy: screen('facePolicy', { kind: 'settings', permission: 'device.setting', parent: 'faceEngine' }),
  faceReport: screen('faceReport', { kind: 'list', permission: 'device.setting', parent: 'faceEngine' }),
  faceReportDetail: screen('faceReportDetail', { kind: 'detail', permission: 'device.setting', parent: 'faceEngine' }),
  faceLiveness: screen('faceLiveness', { kind: 'settings', permission: 'device.setting', parent: 'faceEngine' }),
} satisfies Partial<Record<AddressName, Screen>>
export type ScreenName = keyof typeof screens

/** A screen by its name; undefined for addresses that are no screen, such as the root. */
export const screenOf = (name: AddressName): Screen | undefined => (screens as Partial<Record<AddressName, Screen>>)[name]

/** Every screen with its name, in the order of the table. */
export const screenEntries = Object.entries(screens) as [ScreenName, Screen][]
