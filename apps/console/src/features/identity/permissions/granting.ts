/** Permission codes as they are ticked: the code that opens a module comes along with what it leads to. */
import { OPENED_BY, permissionModules, type PermissionModule } from '@gatehouse/contract'
import { BUILT_CODES } from '@gatehouse/contract/built'

const OPENS: Readonly<Record<string, readonly string[] | undefined>> = OPENED_BY
const BUILT: ReadonlySet<string> = new Set(BUILT_CODES)
/** Whether there is anything behind a code. */
export const isBuiltCode = (code: string): boolean => BUILT.has(code)
const OPENER_OF = new Map(Object.entries(OPENS).flatMap(([opener, codes = []]) => codes.map((code) => [code, opener] as const)))

export interface CodeGroup {
  module: PermissionModule
  permissions: string[]
}

/** What a form offers: what is built, of modules that are on in the park. Modules of which nothing is left are not shown. */
export const offeredOf = (groups: readonly CodeGroup[], modulesOn: readonly string[]): CodeGroup[] =>
  groups
    .map(({ module, permissions }) => ({
      module,
      permissions: modulesOn.includes(module) ? permissions.filter(isBuiltCode) : [],
    }))
    .filter(({ permissions }) => permissions.length > 0)

/** Codes as they were chosen, with those held before that no form offers: they stay with whoever has them. */
export const withUnoffered = (before: readonly string[], chosen: readonly string[], offered: readonly string[]): string[] => [
  ...chosen,
  ...before.filter((code) => !offered.includes(code)),
]

/** Groups of these codes, in the order of the modules. */
export const groupsOf = (codes: readonly string[]): CodeGroup[] =>
  (Object.entries(permissionModules) as [PermissionModule, readonly string[]][])
    .map(([module, all]) => ({ module, permissions: all.filter((code) => codes.includes(code)) }))
    .filter(({ permissions }) => permissions.length > 0)

/** Whether a code only opens a part of the menu. */
export const isOpener = (code: string): boolean => code in OPENS

/** An opener stays as long as something behind it is ticked. */
export const isHeld = (code: string, ticked: ReadonlySet<string>): boolean => (OPENS[code] ?? []).some((behind) => ticked.has(behind))

/**
 * The codes after ticking or clearing some: openers come and go with what lies behind them, and what is held without being offered stays.
 *
 * @param grantable what may be ticked at all
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
    if (isHeld(opener, after)) after.add(opener)
    else if (!on) after.delete(opener)
  }
  return withUnoffered(
    ticked,
    grantable.filter((code) => after.has(code)),
    grantable,
  )
}
