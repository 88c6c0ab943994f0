/**
 * The table of screens as plain data: what may be opened, by whom, and where it stands in the menu. The inventory and
 * the tests read it under Node; `routes.tsx` adds the lazily loaded component of each. Titles: `shell:title.<name>`.
 */
import type { Language, PermissionCode } from '@gatehouse/contract'
import { isBuilt } from '@gatehouse/contract/built'
import { showsParking, type Condition } from '@gatehouse/contract/conditions'
import type { ParkInfo } from '@gatehouse/contract/organisation/calls'
import { addresses, type AddressName } from './paths.ts'

/** Menu groups in the order they are shown: what a guard's day needs, then who passes, where and by which rule; what is set up once comes last. Labels: `shell:menu.<group>`. */
export const MENU_GROUPS = [
  'record',
  'alert',
  'person',
  'visitor',
  'device',
  'access',
  'attendance',
  'patrol',
  'video',
  'surveillance',
  'epidemic',
  'meeting',
  'microApp',
  'parking',
  'thirdParty',
  'park',
  'system',
  'operations',
] as const
export type MenuGroup = (typeof MENU_GROUPS)[number]

export interface Screen {
  path: string
  /** `none`: opens without login. */
  auth: 'login' | 'none'
  permission: PermissionCode | null
  /** Codes demanded besides `permission`, all of them: a form asks for what its call does. */
  besides?: readonly PermissionCode[]
  /** What must hold of deployment, park and role besides; absent: nothing. */
  condition?: Condition
  /** Lists are kept alive; a form without parameters is offered as an action by the command palette. */
  kind: 'list' | 'detail' | 'form' | 'settings' | 'screen'
  /** `full` stands outside menu and header. */
  layout: 'shell' | 'full'
  /** The list a detail or form belongs to: its breadcrumb, and the menu entry that stays marked. */
  parent?: AddressName
  /** Group of its menu entry; `top` for home. Absent: no entry. */
  menu?: MenuGroup | 'top'
  /** Opens by its address alone: what it is about is not built. */
  unoffered?: boolean
  /** Outside menu and header, yet somebody works at it: the session is kept, alarms and notices are told, and keys work as everywhere. */
  attended?: true
  /** Hangs on a wall: takes a session from its address and renews it by itself. */
  dataScreen?: true
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

const editPersons = ['own:person.edit'] as const
const full = { kind: 'screen', layout: 'full' } as const

/** What an entry that leads out may ask besides permission and condition. */
export interface Surroundings {
  language: Language
  /** Whether the installation has a third-party monitor. */
  thirdParty: boolean
  /** Whether an upgrade service runs beside the server; absent: no. */
  upgradeService?: boolean
  /** What is set up of the parking system of the park; absent: nothing. */
  parking?: ParkInfo['parking']
}

/** A menu entry that leads out of the console, in a window of its own; where to: `shell/layout/outside.ts`. */
export interface OutsideEntry {
  permission: PermissionCode | null
  condition?: Condition
  menu: MenuGroup
  shows?: (around: Surroundings) => boolean
}
/** Shown where its address is set up. */
const parking = (link: keyof ParkInfo['parking']) =>
  ({
    permission: 'carpark.parkAdmin',
    menu: 'parking',
    shows: ({ language, parking: has }) => showsParking(language) && has?.[link] === true,
  }) as const satisfies OutsideEntry

/** Labels: `shell:outside.<name>`. */
export const outsideEntries = {
  deviceUpgrade: {
    permission: 'device.upgrade',
    condition: 'deviceUpgrade',
    menu: 'device',
    shows: ({ upgradeService }) => upgradeService === true,
  },
  parkingCreate: parking('account'),
  parkingManager: parking('login'),
  thirdPartyMonitor: { permission: null, menu: 'thirdParty', shows: ({ thirdParty }) => thirdParty },
} as const satisfies Record<string, OutsideEntry>
export type OutsideName = keyof typeof outsideEntries

export const screens = {
  // Leads on to /login, and from there home where the session is good.
  root: screen('root', full),
  login: screen('login', { ...full, auth: 'none' }),
  refresh: screen('refresh', full),
  forbidden: screen('forbidden', full),
  notFound: screen('notFound', full),

  home: screen('home', { kind: 'screen', menu: 'top' }),

  staffCurrent: screen('staffCurrent', { kind: 'list', permission: 'access.record', menu: 'record' }),
  guardMode: screen('guardMode', { ...full, permission: 'access.record', attended: true, menu: 'record' }),
  strangerRecords: screen('strangerRecords', { kind: 'list', permission: 'access.record', condition: 'notLite', menu: 'record' }),
  accessStatistics: screen('accessStatistics', { kind: 'list', permission: 'access.record', menu: 'record' }),
  faceCorrections: screen('faceCorrections', { kind: 'list', permission: 'access.record', menu: 'record' }),

  staffList: screen('staffList', { kind: 'list', permission: 'person.list', menu: 'person' }),
  staffAdd: screen('staffAdd', { kind: 'form', permission: 'person.list', besides: editPersons, parent: 'staffList' }),
  staffDetails: screen('staffDetails', { kind: 'detail', permission: 'person.list', parent: 'staffList' }),
  customerList: screen('customerList', { kind: 'list', permission: 'person.list', condition: 'customerManager', menu: 'person' }),
  customerAdd: screen('customerAdd', {
    kind: 'form',
    permission: 'person.list',
    besides: editPersons,
    condition: 'customerManager',
    parent: 'customerList',
  }),
  customerDetails: screen('customerDetails', {
    kind: 'detail',
    permission: 'person.list',
    condition: 'customerManager',
    parent: 'customerList',
  }),
  blacklist: screen('blacklist', { kind: 'list', permission: 'person.list', condition: 'notOther', menu: 'person' }),
  blackAdd: screen('blackAdd', {
    kind: 'form',
    permission: 'person.list',
    besides: editPersons,
    condition: 'notOther',
    parent: 'blacklist',
  }),
  blackDetails: screen('blackDetails', { kind: 'detail', permission: 'person.list', condition: 'notOther', parent: 'blacklist' }),
  staffApproveTab: screen('staffApproveTab', { kind: 'list', permission: 'person.audit', menu: 'person' }),
  oneToN: screen('oneToN', { kind: 'screen', permission: 'basic.person.search', menu: 'person' }),
  staffImport: screen('staffImport', { kind: 'list', permission: 'person.list', besides: editPersons, parent: 'staffList' }),
  staffImportDetail: screen('staffImportDetail', {
    kind: 'detail',
    permission: 'person.list',
    besides: editPersons,
    parent: 'staffImport',
  }),
  photoBoard: screen('photoBoard', { kind: 'list', permission: 'person.list', parent: 'staffList' }),
  secondPhotographs: screen('secondPhotographs', {
    kind: 'list',
    permission: 'person.list',
    besides: ['access.record'],
    parent: 'staffList',
  }),
  enrolmentLinks: screen('enrolmentLinks', { kind: 'list', permission: 'person.list', parent: 'staffList' }),
  staffSetting: screen('staffSetting', { kind: 'settings', permission: 'person.list', condition: 'staffSetting', parent: 'staffList' }),
  erasures: screen('erasures', { kind: 'list', permission: 'person.list', parent: 'staffList' }),
  erasureDetails: screen('erasureDetails', { kind: 'detail', permission: 'person.list', parent: 'erasures' }),

  deviceList: screen('deviceList', { kind: 'list', permission: 'device.list', menu: 'device' }),
  deviceDetails: screen('deviceDetails', { kind: 'detail', permission: 'device.list', parent: 'deviceList' }),
  deviceConfig: screen('deviceConfig', { kind: 'list', permission: 'device.setting', menu: 'device' }),
  deviceConfigDetail: screen('deviceConfigDetail', { kind: 'detail', permission: 'device.setting', parent: 'deviceConfig' }),
  deviceConfigTemplates: screen('deviceConfigTemplates', { kind: 'list', permission: 'device.setting', parent: 'deviceConfig' }),
  deviceConfigDefaults: screen('deviceConfigDefaults', { kind: 'settings', permission: 'device.setting', parent: 'deviceConfig' }),
  deviceConfigDisplay: screen('deviceConfigDisplay', { kind: 'settings', permission: 'device.setting', parent: 'deviceConfig' }),
  deviceUpgradeNotPrivatization: screen('deviceUpgradeNotPrivatization', { kind: 'list', permission: 'device.upgrade', menu: 'device' }),
  clientUpgradeDetail: screen('clientUpgradeDetail', {
    kind: 'detail',
    permission: 'device.upgrade',
    parent: 'deviceUpgradeNotPrivatization',
  }),
  deviceUpgradeDetail: screen('deviceUpgradeDetail', {
    kind: 'detail',
    permission: 'device.upgrade',
    parent: 'deviceUpgradeNotPrivatization',
  }),
  algorithmUpgrade: screen('algorithmUpgrade', { kind: 'list', permission: 'device.upgrade', parent: 'deviceUpgradeNotPrivatization' }),
  apkUpload: screen('apkUpload', { kind: 'form', permission: 'device.upgrade', parent: 'deviceUpgradeNotPrivatization' }),

  // One entry for all about cards: the others are its tabs.
  issuedCards: screen('issuedCards', { kind: 'list', permission: 'card.key.all', menu: 'device' }),
  leaderCard: screen('leaderCard', { kind: 'form', permission: 'card.key.all', parent: 'issuedCards' }),
  mainCard: screen('mainCard', { kind: 'form', permission: 'card.key.all', parent: 'issuedCards' }),
  initCard: screen('initCard', { kind: 'form', permission: 'card.key.all', parent: 'issuedCards' }),
  batchInitCard: screen('batchInitCard', { kind: 'form', permission: 'card.key.all', parent: 'issuedCards' }),

  passStrategy: screen('passStrategy', { kind: 'list', permission: 'access.rule', menu: 'access' }),
  passStrategyDetail: screen('passStrategyDetail', { kind: 'detail', permission: 'access.rule', parent: 'passStrategy' }),
  addPassStrategyDetail: screen('addPassStrategyDetail', { kind: 'form', permission: 'access.rule', parent: 'passStrategy' }),
  syncStatus: screen('syncStatus', { kind: 'list', permission: 'access.rule', parent: 'passStrategy' }),
  accessRestriction: screen('accessRestriction', { kind: 'list', permission: 'access.restriction', menu: 'access' }),
  addAccessRestrictionDetail: screen('addAccessRestrictionDetail', {
    kind: 'form',
    permission: 'access.restriction',
    parent: 'accessRestriction',
  }),
  accessRestrictionDetail: screen('accessRestrictionDetail', {
    kind: 'detail',
    permission: 'access.restriction',
    parent: 'accessRestriction',
  }),
  accessRestrictionPersonList: screen('accessRestrictionPersonList', {
    kind: 'list',
    permission: 'access.restriction',
    parent: 'accessRestriction',
  }),
  accessRestrictionMuster: screen('accessRestrictionMuster', {
    kind: 'list',
    permission: 'access.restriction',
    parent: 'accessRestriction',
  }),
  accessQuestion: screen('accessQuestion', { kind: 'list', permission: 'access.rule', menu: 'access' }),
  accessQuestionPerson: screen('accessQuestionPerson', { kind: 'list', permission: 'person.list', parent: 'accessQuestion' }),
  timeRule: screen('timeRule', { kind: 'list', permission: 'access.rule', menu: 'access' }),
  timeRuleDetail: screen('timeRuleDetail', { kind: 'form', permission: 'access.rule', parent: 'timeRule' }),
  writtenRules: screen('writtenRules', { kind: 'list', permission: 'access.rule', menu: 'access' }),
  writtenRuleDetail: screen('writtenRuleDetail', { kind: 'form', permission: 'access.rule', parent: 'writtenRules' }),
  pendingChanges: screen('pendingChanges', { kind: 'list', permission: 'access.rule', parent: 'writtenRules' }),

  customize: screen('customize', { kind: 'settings', permission: 'park.form.setting', menu: 'park' }),
  associatedPark: screen('associatedPark', { kind: 'list', permission: 'park.related', menu: 'park' }),
  associatedPersonList: screen('associatedPersonList', { kind: 'list', permission: 'person', condition: 'notLite', menu: 'park' }),
  associatedPersonDetail: screen('associatedPersonDetail', {
    kind: 'detail',
    permission: 'person',
    condition: 'notLite',
    parent: 'associatedPersonList',
  }),
  associatedRule: screen('associatedRule', { kind: 'list', permission: 'park.access.rule', menu: 'park' }),
  associatedRuleDetail: screen('associatedRuleDetail', { kind: 'detail', permission: 'park.access.rule', parent: 'associatedRule' }),
  addAssociatedRuleDetail: screen('addAssociatedRuleDetail', { kind: 'form', permission: 'park.access.rule', parent: 'associatedRule' }),
  associatedRuleSyncStatus: screen('associatedRuleSyncStatus', { kind: 'list', permission: 'park.access.rule', parent: 'associatedRule' }),
  associatedRuleVisitorDetail: screen('associatedRuleVisitorDetail', {
    kind: 'detail',
    permission: 'park.access.rule',
    parent: 'associatedRule',
  }),
  addAssociatedRuleVisitorDetail: screen('addAssociatedRuleVisitorDetail', {
    kind: 'form',
    permission: 'park.access.rule',
    parent: 'associatedRule',
    unoffered: !isBuilt('visitor'),
  }),
  privacyPolicy: screen('privacyPolicy', { kind: 'settings', permission: 'system.base', menu: 'park' }),

  basicSettings: screen('basicSettings', { kind: 'settings', permission: 'system.base', menu: 'park' }),
  screenSettings: screen('screenSettings', { kind: 'settings', permission: 'system.screen', menu: 'park' }),
  dataScreen: screen('dataScreen', { ...full, permission: 'screen', dataScreen: true }),
  // No entry while no screen shows the map: the one that does brings `menu: 'park'`.
  mapSettings: screen('mapSettings', { kind: 'settings', permission: 'system.map' }),

  userManage: screen('userManage', { kind: 'list', permission: 'system.user', menu: 'system' }),
  roleManage: screen('roleManage', { kind: 'list', permission: 'system.role', menu: 'system' }),
  roleDetail: screen('roleDetail', { kind: 'form', permission: 'system.role', parent: 'roleManage' }),
  newRole: screen('newRole', { kind: 'form', permission: 'system.role', parent: 'roleManage' }),
  apiUserManage: screen('apiUserManage', { kind: 'list', permission: 'system.api', menu: 'system' }),
  regionManage: screen('regionManage', { kind: 'list', permission: 'system.area', menu: 'system' }),
  regionDetail: screen('regionDetail', { kind: 'detail', permission: 'system.area', parent: 'regionManage' }),
  deviceLimit: screen('deviceLimit', { kind: 'list', permission: 'system.area', condition: 'installation', menu: 'system' }),
  deviceLimitDetail: screen('deviceLimitDetail', {
    kind: 'form',
    permission: 'system.area',
    condition: 'installation',
    parent: 'deviceLimit',
  }),
  userLog: screen('userLog', { kind: 'list', permission: 'system.log', menu: 'system' }),
  readLog: screen('readLog', { kind: 'list', permission: 'system.log', parent: 'userLog' }),
  dataDictionary: screen('dataDictionary', { kind: 'list', permission: 'system.base', condition: 'installation', menu: 'system' }),
  ipSettings: screen('ipSettings', { kind: 'settings', permission: 'system.domainName', menu: 'system' }),
  uiSettings: screen('uiSettings', { kind: 'settings', permission: 'system.base', condition: 'installation', menu: 'system' }),
  noticeSettings: screen('noticeSettings', { kind: 'list', permission: 'system.base', condition: 'installation', menu: 'system' }),
  messageOutbox: screen('messageOutbox', { kind: 'list', permission: 'system.base', condition: 'installation', menu: 'system' }),
  about: screen('about', { kind: 'settings', menu: 'system' }),
  // Everybody's own, reached from the menu of the person.
  exportRecord: screen('exportRecord', { kind: 'list' }),
  onlineNotice: screen('onlineNotice', { kind: 'screen', layout: 'full' }),

  // One entry for what is looked at once a month: the others are its tabs.
  faceEngine: screen('faceEngine', { kind: 'list', permission: 'device.setting', menu: 'system' }),
  facePolicy: screen('facePolicy', { kind: 'settings', permission: 'device.setting', parent: 'faceEngine' }),
  faceReport: screen('faceReport', { kind: 'list', permission: 'device.setting', parent: 'faceEngine' }),
  faceReportDetail: screen('faceReportDetail', { kind: 'detail', permission: 'device.setting', parent: 'faceEngine' }),
  faceLiveness: screen('faceLiveness', { kind: 'settings', permission: 'device.setting', parent: 'faceEngine' }),

  dataReleased: screen('dataReleased', { kind: 'list', permission: 'development', menu: 'operations' }),
  serviceMonitor: screen('serviceMonitor', { kind: 'list', permission: 'development', menu: 'operations' }),
  personnelIssued: screen('personnelIssued', { kind: 'list', permission: 'development', menu: 'operations' }),
} satisfies Partial<Record<AddressName, Screen>>
export type ScreenName = keyof typeof screens

/** A screen by its name; undefined for addresses that are no screen, such as the root. */
export const screenOf = (name: AddressName): Screen | undefined => (screens as Partial<Record<AddressName, Screen>>)[name]

/** Every screen with its name, in the order of the table. */
export const screenEntries = Object.entries(screens) as [ScreenName, Screen][]
