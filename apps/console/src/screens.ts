/**
 * The screens as plain data: what may be opened, by whom, and where it stands in the menu. Each feature declares its own; here they are
 * collected. The inventory and the tests read them under Node; `pages.ts` adds the page of each. Titles: `shell:title.<name>`.
 */
import type { Language, PermissionCode } from '@gatehouse/contract'
import { showsParking, type Condition } from '@gatehouse/contract/conditions'
import type { ParkInfo } from '@gatehouse/contract/organisation/calls'
import { approvalsScreens } from './features/approvals/screens.ts'
import { auditScreens } from './features/audit/screens.ts'
import { cardsScreens } from './features/cards/screens.ts'
import { configurationScreens } from './features/configuration/screens.ts'
import { developmentScreens } from './features/development/screens.ts'
import { devicesScreens } from './features/devices/screens.ts'
import { enrolmentScreens } from './features/enrolment/screens.ts'
import { exportsScreens } from './features/exports/screens.ts'
import { facesScreens } from './features/faces/screens.ts'
import { homeScreens } from './features/home/screens.ts'
import { identityScreens } from './features/identity/screens.ts'
import { importsScreens } from './features/imports/screens.ts'
import { organisationScreens } from './features/organisation/screens.ts'
import { peopleScreens } from './features/people/screens.ts'
import { privacyScreens } from './features/privacy/screens.ts'
import { questionsScreens } from './features/questions/screens.ts'
import { recordsScreens } from './features/records/screens.ts'
import { relationsScreens } from './features/relations/screens.ts'
import { restrictionsScreens } from './features/restrictions/screens.ts'
import { dataScreens } from './features/screens/screens.ts'
import { statisticsScreens } from './features/statistics/screens.ts'
import { strategiesScreens } from './features/strategies/screens.ts'
import { synchronisationScreens } from './features/synchronisation/screens.ts'
import { systemScreens } from './features/system/screens.ts'
import { upgradesScreens } from './features/upgrades/screens.ts'
import { shellScreens } from './shell/screens.ts'

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

/** What a feature says of a screen. `Name`: the names of screens it may refer to. */
export interface ScreenDeclaration<Name extends string = string> {
  /** Its address. Parameters stand in braces, as in the specification. */
  path: string
  /** The file of its component, the default export, from `src/`. */
  page: `${string}Page.tsx`
  /** What the component is given, where several screens share it. */
  props?: Readonly<Record<string, unknown>>
  /** Lists are kept alive; a form without parameters is offered as an action by the command palette. */
  kind: 'list' | 'detail' | 'form' | 'settings' | 'screen'
  /** `full` stands outside menu and header. Absent: `shell`. */
  layout?: 'shell' | 'full'
  /** `none`: opens without login. Absent: `login`. */
  auth?: 'login' | 'none'
  /** Absent: anybody's who is logged in. */
  permission?: PermissionCode | null
  /** Codes demanded besides `permission`, all of them: a form asks for what its call does. */
  besides?: readonly PermissionCode[]
  /** What must hold of deployment, park and role besides; absent: nothing. */
  condition?: Condition
  /** The list a detail or form belongs to: its breadcrumb, and the menu entry that stays marked. */
  parent?: Name
  /** Group of its menu entry; `top` for home. Absent: no entry. */
  menu?: MenuGroup | 'top'
  /** The entry of another feature it follows in the menu, where the order of the features would put it elsewhere. */
  after?: Name
  /** Opens by its address alone: what it is about is not built. */
  unoffered?: boolean
  /** Outside menu and header, yet somebody works at it: the session is kept, alarms and notices are told, and keys work as everywhere. */
  attended?: true
  /** Hangs on a wall: takes a session from its address and renews it by itself. */
  dataScreen?: true
}
/** The screens of a feature by their names: `as const satisfies ScreenDeclarations`. */
export type ScreenDeclarations = Readonly<Record<string, ScreenDeclaration>>

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

/** One line for each feature, in the order their entries have within a group of the menu. */
const declared = {
  ...shellScreens,
  ...homeScreens,
  ...recordsScreens,
  ...statisticsScreens,
  ...peopleScreens,
  ...enrolmentScreens,
  ...importsScreens,
  ...devicesScreens,
  ...configurationScreens,
  ...upgradesScreens,
  ...cardsScreens,
  ...strategiesScreens,
  ...synchronisationScreens,
  ...restrictionsScreens,
  ...questionsScreens,
  ...approvalsScreens,
  ...relationsScreens,
  ...privacyScreens,
  ...identityScreens,
  ...organisationScreens,
  ...dataScreens,
  ...auditScreens,
  ...systemScreens,
  ...exportsScreens,
  ...facesScreens,
  ...developmentScreens,
}
export type ScreenName = keyof typeof declared

/** How most screens are. */
const USUAL = { layout: 'shell', auth: 'login', permission: null } as const satisfies Partial<ScreenDeclaration>
export type Screen = ScreenDeclaration<ScreenName> & Required<Pick<ScreenDeclaration, keyof typeof USUAL>>

// Given its type argument, the call refuses a screen that refers to one that does not exist.
const collected = Object.entries<ScreenDeclaration<ScreenName>>(declared).map(
  ([name, screen]) => [name as ScreenName, { ...USUAL, ...screen }] satisfies [ScreenName, Screen],
)

export const screens = Object.fromEntries(collected) as { [Name in ScreenName]: Screen & Pick<(typeof declared)[Name], 'path'> }

/** The group of the menu that leads to a screen, itself or by the page it belongs to. */
export function groupOf(name: ScreenName): MenuGroup | 'top' | undefined {
  const { menu, parent } = screens[name]
  return menu ?? (parent && groupOf(parent))
}
/** Home and what no entry leads to come first. */
const placeOf = (name: ScreenName): number => (MENU_GROUPS as readonly unknown[]).indexOf(groupOf(name))

/** Every screen with its name, in the order of the menu. */
export const screenEntries: readonly [ScreenName, Screen][] = collected
  .toSorted(([one], [other]) => placeOf(one) - placeOf(other))
  .filter(([, { after }]) => after === undefined)
  .flatMap((entry) => [entry, ...collected.filter(([, { after }]) => after === entry[0])])
