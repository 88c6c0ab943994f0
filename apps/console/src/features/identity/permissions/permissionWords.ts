/** Permissions: in words, those one may grant, and what they open in the menu. */
import { useTranslation } from 'react-i18next'
import { languageOf, permissionKey, type Language } from '@gatehouse/contract'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { holds, type Circumstances } from '@gatehouse/contract/conditions'
import { useRead } from '../../../api/query.ts'
import { useMay, useSession } from '../../../api/session.ts'
import {
  MENU_GROUPS,
  outsideEntries,
  screenEntries,
  type MenuGroup,
  type OutsideEntry,
  type Screen,
  type Surroundings,
} from '../../../screens.ts'
import { groupsOf, isOpener, offeredOf, type CodeGroup } from './granting.ts'

export interface PermissionWords {
  module: (module: string) => string
  code: (code: string) => string
  /** One short line: the pages it opens, or that it comes along by itself; empty where the name says all. */
  hint: (code: string) => string
}

/** What a code is called and what it opens. */
export function usePermissionWords(): PermissionWords {
  const { t, i18n } = useTranslation('permissions')
  return {
    module: (module) => t(`module.${module}`, { defaultValue: module }),
    code: (code) => t(`code.${permissionKey(code)}`, { defaultValue: code }),
    hint: (code) => {
      if (isOpener(code)) return t('identity:permission.comesAlong')
      const names = entriesOf(code, languageOf(i18n.language)).map((key) => t(`shell:${key}`))
      return names.length === 0 ? '' : t('identity:permission.opens', { names: names.join(t('common:listSeparator')) })
    },
  }
}

export type Group = CodeGroup

/**
 * The permissions one may grant, by module: those one has oneself, of what the product and the park one is in have.
 * @returns undefined while they are on their way
 */
export function useGrantable(): Group[] | undefined {
  // Who keeps API users need not keep roles: then the session says what it holds.
  const mayAsk = useMay('system.role')
  const asked = useRead(roleCalls.groups, {}, { enabled: mayAsk })
  const { permissions = [], modules = [] } = useSession(({ profile }) => profile?.capabilities) ?? {}
  if (mayAsk && !asked.isError) return asked.data && offeredOf(asked.data, modules)
  return offeredOf(groupsOf(permissions), modules)
}

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

/**
 * Which entries of the menu a role opens: by the table of screens, as the menu itself does;
 * in the order of the menu, without groups that stay empty.
 */
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
