/** Which groups of the menu are open: those of this browser's choice, and the one in use. */
import { useState } from 'react'
import type { MenuGroup } from '../../screens.ts'
import { groupOf, openAtFirst, type MenuSection } from './menu.ts'
import { chooseGroups, useMenuState } from './menuState.ts'

interface OpenGroups {
  open: MenuGroup[]
  /** Takes over which are open now. */
  change: (open: readonly MenuGroup[]) => void
}

/** @param entry the one that is marked */
export function useOpenGroups(sections: readonly MenuSection[], entry: string): OpenGroups {
  const choices = useMenuState(({ groups }) => groups)
  const inUse = groupOf(sections, entry)
  /** Folded while it was in use: it stays so until another one is. */
  const [leftFolded, leaveFolded] = useState<MenuGroup | null>(null)
  if (leftFolded !== null && leftFolded !== inUse) leaveFolded(null)
  const first = openAtFirst(sections)
  const isOpen = (group: MenuGroup): boolean =>
    (group === inUse && group !== leftFolded) || (choices[group] ?? (first.includes(group) ? 'open' : 'folded')) === 'open'
  const groups = sections.flatMap(({ group }) => (group === 'top' ? [] : [group]))
  const open = groups.filter(isOpen)

  function change(next: readonly MenuGroup[]): void {
    const changed = groups.filter((group) => next.includes(group) !== open.includes(group))
    chooseGroups(Object.fromEntries(changed.map((group) => [group, next.includes(group) ? 'open' : 'folded'])))
    if (inUse !== null && changed.includes(inUse)) leaveFolded(next.includes(inUse) ? null : inUse)
  }
  return { open, change }
}
