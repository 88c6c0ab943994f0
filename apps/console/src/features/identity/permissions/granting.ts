/** Ticked permission codes: a code that opens a part of the menu is ticked together with the codes behind it. */
import { OPENED_BY, permissionModules, type PermissionModule } from '@gatehouse/contract'
import { BUILT_CODES } from '@gatehouse/contract/built'

const OPENS: Readonly<Record<string, readonly string[] | undefined>> = OPENED_BY
const BUILT: ReadonlySet<string> = new Set(BUILT_CODES)
/** Return whether the feature behind a code is built. */
export const isBuiltCode = (code: string): boolean => BUILT.has(code)
const OPENER_OF = new Map(Object.entries(OPENS).flatMap(([opener, codes = []]) => codes.map((code) => [code, opener] as const)))

export interface CodeGroup {
  module: PermissionModule
  permissions: string[]
}

/** Return the groups a form offers: built codes of modules that are on in the park, without empty modules. */
export const offeredOf = (groups: readonly CodeGroup[], modulesOn: readonly string[]): CodeGroup[] =>
  groups
    .map(({ module, permissions }) => ({
      module,
      permissions: modulesOn.includes(module) ? permissions.filter(isBuiltCode) : [],
    }))
    .filter(({ permissions }) => permissions.length > 0)

/** Return the chosen codes, together with existing ones that the form does not offer: those stay granted. */
export const withUnoffered = (before: readonly string[], chosen: readonly string[], offered: readonly string[]): string[] => [
  ...chosen,
  ...before.filter((code) => !offered.includes(code)),
]

/** Return the codes in groups, in the order of the modules. */
export const groupsOf = (codes: readonly string[]): CodeGroup[] =>
  (Object.entries(permissionModules) as [PermissionModule, readonly string[]][])
    .map(([module, all]) => ({ module, permissions: all.filter((code) => codes.includes(code)) }))
    .filter(({ permissions }) => permissions.length > 0)

/** Return whether a code only opens a part of the menu. */
export const isOpener = (code: string): boolean => code in OPENS

/** Return whether an opener must stay ticked: it does while something behind it is. */
export const isOpenerNeeded = (code: string, ticked: ReadonlySet<string>): boolean =>
  (OPENS[code] ?? []).some((behind) => ticked.has(behind))

/**
 * Return the codes after ticking or clearing some. Openers follow what lies behind them, and granted codes that are not offered stay.
 *
 * @param grantable codes that may be ticked
 */
export function retick(ticked: readonly string[], codes: readonly string[], on: boolean, grantable: readonly string[]): string[] {
  const after = new Set(ticked)
  for (const code of codes) {
    if (on) after.add(code)
    else after.delete(code)
  }
  for (const code of codes) {
    const opener = OPENER_OF.get(code)
    if (opener === undefined || !grantable.includes(opener)) continue
    if (isOpenerNeeded(opener, after)) after.add(opener)
    else if (!on) after.delete(opener)
  }
  return withUnoffered(
    ticked,
    grantable.filter((code) => after.has(code)),
    grantable,
  )
}
