/** Which entries of the menu a role opens: by the table of screens, as the menu itself does. */
import type { Language } from '@gatehouse/contract'
import { holds, type Circumstances } from '@gatehouse/contract/conditions'
import {
  MENU_GROUPS,
  outsideEntries,
  screenEntries,
  type MenuGroup,
  type OutsideEntry,
  type Screen,
  type Surroundings,
} from '../../../screens.ts'

export interface OpenedGroup {
  group: MenuGroup | 'top'
  /** Keys of the entries' names in `shell`. */
  entries: string[]
}
interface Entry {
  key: string
  menu: MenuGroup | 'top' | undefined
  asks: Pick<OutsideEntry, 'permission' | 'condition' | 'shows'> & Pick<Screen, 'besides'>
}

const all: Entry[] = [
  ...screenEntries.map(([name, screen]) => ({ key: `title.${name}`, menu: screen.menu, asks: screen })),
  ...Object.entries(outsideEntries as Record<string, OutsideEntry>).map(([name, entry]) => ({
    key: `outside.${name}`,
    menu: entry.menu,
    asks: entry,
  })),
].filter(({ menu }) => menu !== undefined)

/** Whether there is a third-party monitor is the installation's matter, not the role's. */
const around = (language: Language): Surroundings => ({ language, thirdParty: false })

/** In the order of the menu, without groups that stay empty. */
export function openedBy(permissions: ReadonlySet<string>, circumstances: Circumstances, language: Language): OpenedGroup[] {
  const opens = ({ asks: { permission, besides = [], condition, shows } }: Entry): boolean =>
    (permission === null || permissions.has(permission)) &&
    besides.every((code) => permissions.has(code)) &&
    holds(condition, circumstances) &&
    (shows?.(around(language)) ?? true)
  return (['top', ...MENU_GROUPS] as const)
    .map((group) => ({ group, entries: all.filter((entry) => entry.menu === group && opens(entry)).map(({ key }) => key) }))
    .filter(({ entries }) => entries.length > 0)
}

/** Entries of the menu that ask for a code. */
export const entriesOf = (code: string, language: Language): string[] =>
  all.filter(({ asks }) => asks.permission === code && (asks.shows?.(around(language)) ?? true)).map(({ key }) => key)
