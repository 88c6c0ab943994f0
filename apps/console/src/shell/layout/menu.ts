/** The left menu as data: groups with the entries a session may open. */
import type { Asked } from '../../kit/session.ts'
import {
  MENU_GROUPS,
  outsideEntries,
  screenEntries,
  type MenuGroup,
  type OutsideEntry,
  type OutsideName,
  type ScreenName,
  type Surroundings,
} from '../../screens.ts'

export interface MenuSection {
  group: MenuGroup | 'top'
  entries: ScreenName[]
  /** Those that lead out of the console. */
  outside: OutsideName[]
}

const outside = Object.entries(outsideEntries) as [OutsideName, OutsideEntry][]

/** Sections in order, without those that hold nothing for this session. Home asks for no permission and is always there. */
export function menuFor(mayOpen: (asked: Asked) => boolean, around: Surroundings): MenuSection[] {
  return (['top', ...MENU_GROUPS] as const)
    .map((group) => ({
      group,
      entries: screenEntries.filter(([, screen]) => screen.menu === group && mayOpen(screen)).map(([name]) => name),
      outside: outside
        .filter(([, entry]) => entry.menu === group && mayOpen(entry) && (entry.shows?.(around) ?? true))
        .map(([name]) => name),
    }))
    .filter((section) => section.entries.length + section.outside.length > 0)
}
