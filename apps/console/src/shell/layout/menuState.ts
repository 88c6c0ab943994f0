/** Whether the menu is folded, and which of its groups the user has opened or folded. It starts folded in a narrow window. */
import { create } from 'zustand'
import { storage } from '../../api/storage.ts'
import type { MenuGroup } from '../../screens.ts'

/** Groups by what was chosen for them; absent: as the menu begins. */
export type GroupChoices = Partial<Record<MenuGroup, 'open' | 'folded'>>

interface MenuState {
  collapsed: boolean
  groups: GroupChoices
}

const narrow = matchMedia('(max-width: 1099px)')
/** The open menu lies over the page there: layout.module.css. */
const phone = matchMedia('(max-width: 759px)')
const startsCollapsed = (): boolean => phone.matches || (storage.get('menuCollapsed') ?? narrow.matches)

export const useMenuState = create<MenuState>(() => ({
  collapsed: startsCollapsed(),
  groups: storage.get('menuGroups') ?? {},
}))

// Also a window made narrower, a tablet that is turned, and a browser zoom.
for (const width of [narrow, phone]) width.addEventListener('change', () => useMenuState.setState({ collapsed: startsCollapsed() }))

/** On a phone the choice is not kept: the menu would cover the next page. */
export function toggleMenu(): void {
  const collapsed = !useMenuState.getState().collapsed
  if (!phone.matches) storage.set('menuCollapsed', collapsed)
  useMenuState.setState({ collapsed })
}

/** Give the page back the room that the open menu takes on a phone. */
export function collapseOnPhone(): void {
  if (phone.matches) useMenuState.setState({ collapsed: true })
}

export function chooseGroups(chosen: GroupChoices): void {
  const groups = { ...useMenuState.getState().groups, ...chosen }
  storage.set('menuGroups', groups)
  useMenuState.setState({ groups })
}
