/** The declaration of a screen, and of a menu entry that leads out of the console; `screens.ts` collects them. */
import type { Call, Language, PermissionCode } from '@gatehouse/contract'
import type { Condition } from '@gatehouse/contract/conditions'
import type { ParkInfo } from '@gatehouse/contract/organisation/calls'

/**
 * Menu groups in the order they are shown: what a guard needs every day, then who passes, where and by which rule; one-time
 * settings come last. Labels: `shell:menu.<group>`.
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

/** The list that a screen shows first, read while the code of its page is loading. */
export interface FirstList {
  /** Loads the call, which the page passes to `useList`. */
  call: () => Promise<Call>
  /** Part of the query that is the same at every address, as the page passes it. */
  fixed?: Readonly<Record<string, unknown>>
}

/** The declaration of a screen by a feature. `Name`: names of screens it may refer to. */
export interface ScreenDeclaration<Name extends string = string> {
  /** Its address. Parameters are in braces, as in the specification. */
  path: string
  /** The file of its component, the default export, relative to `src/`. */
  page: `${string}Page.tsx`
  /** Properties of the component, where several screens share it. */
  props?: Readonly<Record<string, unknown>>
  /**
   * The list it shows first. Absent where live frames keep the list current (`useLive`): such a list is read after the page has started to
   * listen, or events in between would be missed.
   */
  list?: FirstList
  /** Lists are kept alive; a form without parameters is offered as an action by the command palette. */
  kind: 'list' | 'detail' | 'form' | 'settings' | 'screen'
  /** `full` is shown without menu and header. Absent: `shell`. */
  layout?: 'shell' | 'full'
  /** `none`: opens without login. Absent: `login`. */
  auth?: 'login' | 'none'
  /** Absent: every user who is logged in may open it. */
  permission?: PermissionCode | null
  /** Codes required besides `permission`, all of them: a form requires those of its call. */
  besides?: readonly PermissionCode[]
  /** Condition on deployment, park and role besides; absent: none. */
  condition?: Condition
  /** The list a detail or form belongs to: its breadcrumb, and the menu entry that stays marked. */
  parent?: Name
  /** Group of its menu entry; `top` for home. Absent: no entry. */
  menu?: MenuGroup | 'top'
  /** The entry of another feature that it follows in the menu, where the order of the features would place it elsewhere. */
  after?: Name
  /** Opened by its address only: the function it belongs to is not built, or has no effect yet. */
  unoffered?: boolean
  /**
   * Shown without menu and header, yet a user works at it: the session is kept alive, alarms and notices are shown, and keys work as
   * everywhere.
   */
  attended?: true
  /** Shown on a wall: takes a session from its address and renews it by itself. */
  dataScreen?: true
}
/** The screens of a feature by their names: `as const satisfies ScreenDeclarations`. */
export type ScreenDeclarations = Readonly<Record<string, ScreenDeclaration>>

/** Facts that an entry leading out of the console may depend on, besides permission and condition. */
export interface Surroundings {
  language: Language
  /** Whether the installation has a third-party monitor. */
  thirdParty: boolean
  /** Whether an upgrade service runs beside the server; absent: no. */
  upgradeService?: boolean
  /** Which links of the park's parking system are set up; absent: none. */
  parking?: ParkInfo['parking']
}

/** A menu entry that leads out of the console, in a window of its own; its address: `shell/layout/outside.ts`. */
export interface OutsideEntry {
  permission: PermissionCode | null
  condition?: Condition
  menu: MenuGroup
  shows?: (around: Surroundings) => boolean
}
