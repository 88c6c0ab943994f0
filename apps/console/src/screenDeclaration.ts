/** What is said of a screen, and of a menu entry that leads out: the form of the declarations that `screens.ts` collects. */
import type { Call, Language, PermissionCode } from '@gatehouse/contract'
import type { Condition } from '@gatehouse/contract/conditions'
import type { ParkInfo } from '@gatehouse/contract/organisation/calls'

/**
 * Menu groups in the order they are shown: what a guard's day needs, then who passes, where and by which rule; what is
 * set up once comes last. Labels: `shell:menu.<group>`.
 */
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

/** The list a screen shows first, read while the code of its page is on its way. */
export interface FirstList {
  /** Loads the call, which the page passes to `useList`. */
  call: () => Promise<Call>
  /** Part of the query that is the same at every address, as the page passes it. */
  fixed?: Readonly<Record<string, unknown>>
}

/** What a feature says of a screen. `Name`: the names of screens it may refer to. */
export interface ScreenDeclaration<Name extends string = string> {
  /** Its address. Parameters stand in braces, as in the specification. */
  path: string
  /** The file of its component, the default export, from `src/`. */
  page: `${string}Page.tsx`
  /** What the component is given, where several screens share it. */
  props?: Readonly<Record<string, unknown>>
  /**
   * What it shows first. Absent where live frames keep the list true (`useLive`): such a list is read after the page has begun to
   * listen, or what happens in between would be missed.
   */
  list?: FirstList
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
