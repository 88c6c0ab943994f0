/** The left menu as data: groups with the entries a session may open. */
import type { PermissionCode } from '@gatehouse/contract'
import { MENU_GROUPS, screenEntries, type MenuGroup, type ScreenName } from '../../screens.ts'

export interface MenuSection {
  group: MenuGroup | 'top'
  entries: ScreenName[]
}

/** Sections in order, without those that hold nothing for this session. Home asks for no permission and is always there. */
export function menuFor(may: (permission: PermissionCode | null) => boolean): MenuSection[] {
  return (['top', ...MENU_GROUPS] as const)
    .map((group) => ({ group, entries: screenEntries.filter(([, { menu, permission }]) => menu === group && may(permission)).map(([name]) => name) }))
    .filter(({ entries }) => entries.length > 0)
}
