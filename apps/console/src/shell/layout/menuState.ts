/** Whether the menu is folded; tablets start with it folded. */
import { create } from 'zustand'
import { storage } from '../../kit/storage.ts'

export const useMenuCollapsed = create<{ collapsed: boolean }>(() => ({
  collapsed: storage.get('menuCollapsed') ?? window.innerWidth < 1100,
}))

export function toggleMenu(): void {
  const collapsed = !useMenuCollapsed.getState().collapsed
  storage.set('menuCollapsed', collapsed)
  useMenuCollapsed.setState({ collapsed })
}
