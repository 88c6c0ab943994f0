/** Permission codes as they are ticked: the code that opens a module comes along with what it leads to. */
import { permissionModules } from '@gatehouse/contract'

/** The code that opens a part of the menu → what lies behind it. Codes that stand for themselves are not in here. */
const OPENS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    (['person', 'visitor', 'access', 'device', 'alert', 'attendance', 'patrol', 'epidemic', 'system'] as const).map((module) => {
      const [opener, ...rest] = permissionModules[module]
      return [opener, rest]
    }),
  ),
  surveillance: permissionModules.monitoring.filter((code) => code.startsWith('surveillance.') || code === 'trail.search'),
  videoSurveillance: permissionModules.monitoring.filter((code) => code.startsWith('videoSurveillance.')),
  meeting: permissionModules.meeting.filter((code) => code.startsWith('screen.')),
  park: permissionModules.park.filter((code) => code !== 'park' && code !== 'carpark.parkAdmin'),
}
const OPENER_OF = new Map(Object.entries(OPENS).flatMap(([opener, codes]) => codes.map((code) => [code, opener] as const)))

/** Whether a code only opens a part of the menu. */
export const isOpener = (code: string): boolean => code in OPENS

/** An opener stays as long as something behind it is ticked. */
export const isHeld = (code: string, ticked: ReadonlySet<string>): boolean => (OPENS[code] ?? []).some((behind) => ticked.has(behind))

/**
 * The codes after ticking or clearing some: openers come and go with what lies behind them.
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
  return grantable.filter((code) => after.has(code))
}
