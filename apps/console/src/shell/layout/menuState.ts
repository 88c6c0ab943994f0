/** Whether the menu is folded, and which of its groups somebody has opened or folded; tablets start with it folded. */
import { create } from 'zustand'
import { storage } from '../../kit/storage.ts'
import type { MenuGroup } from '../../screens.ts'

/** Groups by what was chosen for them; absent: as the menu begins. */
export type GroupChoices = Partial<Record<MenuGroup, 'open' | 'folded'>>

interface MenuState {
  collapsed: boolean
  groups: GroupChoices
}

export const useMenuState = create<MenuState>(() => ({
  collapsed: storage.get('menuCollapsed') ?? window.innerWidth < 1100,
  groups: storage.get('menuGroups') ?? {},
}))

export function toggleMenu(): void {
  const collapsed = !useMenuState.getState().collapsed
  storage.set('menuCollapsed', collapsed)
  useMenuState.setState({ collapsed })
}

export function chooseGroups(chosen: GroupChoices): void {
  const groups = { ...useMenuState.getState().groups, ...chosen }
  storage.set('menuGroups', groups)
  useMenuState.setState({ groups })
}
