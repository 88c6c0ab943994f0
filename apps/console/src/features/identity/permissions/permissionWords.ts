/** Permissions in words, those the user may grant, and the entries of the menu they open. */
import { useTranslation } from 'react-i18next'
import { languageOf, permissionKey, type Language } from '@gatehouse/contract'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { holds, type Circumstances } from '@gatehouse/contract/conditions'
import { useRead } from '../../../api/query.ts'
import { useMay, useSession } from '../../../api/session.ts'
import { MENU_GROUPS, type MenuGroup, type OutsideEntry, type Surroundings } from '../../../screenDeclaration.ts'
import { outsideEntries, screenEntries, type Screen } from '../../../screens.ts'
import { groupsOf, isOpener, offeredOf, type CodeGroup } from './granting.ts'

export interface PermissionWords {
  module: (module: string) => string
  code: (code: string) => string
  /** One short line: the pages the code opens, or that it is ticked automatically; empty where the name is enough. */
  hint: (code: string) => string
}

/** Return the names of codes, and what they open. */
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
 * Return the permissions the user may grant, by module: their own, of features that are built and modules that are on in the park.
 * @returns undefined while they are being read
 */
export function useGrantable(): Group[] | undefined {
  // A user who manages API users may lack the permission to read roles: then the permissions of the session are used.
  const mayReadRoles = useMay('system.role')
  const groups = useRead(roleCalls.groups, {}, { enabled: mayReadRoles })
  const { permissions = [], modules = [] } = useSession(({ profile }) => profile?.capabilities) ?? {}
  if (mayReadRoles && !groups.isError) return groups.data && offeredOf(groups.data, modules)
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

/** Return the surroundings of a menu. A third-party monitor depends on the installation, not on a role. */
const around = (language: Language): Surroundings => ({ language, thirdParty: false })

/**
 * Return the entries of the menu that a role opens, in the order of the menu and without empty groups. The table of screens decides, as
 * it does for the menu itself.
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

/** Return the entries of the menu that need a code. */
export const entriesOf = (code: string, language: Language): string[] =>
  all.filter(({ asks }) => asks.permission === code && (asks.shows?.(around(language)) ?? true)).map(({ key }) => key)
