/** The left menu as data: groups with the entries a session may open, and which of them are open. */
import type { Requirement } from '../../api/session.ts'
import { MENU_GROUPS, type MenuGroup, type OutsideEntry, type Surroundings } from '../../screenDeclaration.ts'
import { outsideEntries, screenEntries, type OutsideName, type ScreenName } from '../../screens.ts'

export interface MenuSection {
  group: MenuGroup | 'top'
  entries: ScreenName[]
  /** Entries that lead out of the console. */
  outside: OutsideName[]
}

const outside = Object.entries(outsideEntries) as [OutsideName, OutsideEntry][]

/** Return the sections in order, without those that are empty for this session. Home needs no permission and is always there. */
export function menuFor(mayOpen: (requirement: Requirement) => boolean, around: Surroundings): MenuSection[] {
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

/** Lines of a menu that fit into a window of usual height without scrolling. */
const LINES = 20

const lengthOf = (section: MenuSection): number => section.entries.length + section.outside.length

/** Return the groups that are open until the user folds them: the first ones, as far as the whole menu fits into a window. */
export function openAtFirst(sections: readonly MenuSection[]): MenuGroup[] {
  const open: MenuGroup[] = []
  let lines = sections.length
  for (const section of sections) {
    const { group } = section
    if (group === 'top') continue
    // One that is too long stays folded, and leaves room for a shorter one after it.
    if (lines + lengthOf(section) > LINES) continue
    lines += lengthOf(section)
    open.push(group)
  }
  return open
}

/** Return the group of an entry; null for one without a group, such as home. */
export function groupOf(sections: readonly MenuSection[], entry: string): MenuGroup | null {
  const group = sections.find(({ entries }) => (entries as readonly string[]).includes(entry))?.group
  return group === undefined || group === 'top' ? null : group
}
