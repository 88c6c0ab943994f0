/** To which device groups what a session may do is limited. */
import type { CallShape } from '@gatehouse/contract'
import { seeingAllDevices, seesAllDevices, type Scope, type Session } from './session.ts'

/**
 * Device groups by permission code; `self` stands for what asks for none. What a code grants holds for devices in these groups and those
 * below them. A code that is absent holds for every device; one without any group, for none.
 */
export type DeviceLimits = ReadonlyMap<string, readonly string[]>

export const NO_LIMITS: DeviceLimits = new Map()

/** The limits that what is declared so falls under: all of them hold. */
const limitsOn = (limits: DeviceLimits, { permission, besides = [] }: Pick<CallShape, 'permission' | 'besides'>): (readonly string[])[] =>
  limits.size === 0 ? [] : [permission, ...besides].flatMap((code) => (limits.has(code) ? [limits.get(code)!] : []))

/** A session as a call or topic is made by it: its scope knows of no device beyond the limits of the codes that are asked for, whatever it was asked for before. */
export function limitedSession<S extends Pick<Session, 'scope' | 'deviceLimits'>>(
  session: S,
  demand: Pick<CallShape, 'permission' | 'besides'>,
): S {
  const deviceGroups = limitsOn(session.deviceLimits, demand)
  if (deviceGroups.length === 0) return seesAllDevices(session.scope) ? session : { ...session, scope: seeingAllDevices(session.scope) }
  const { parkId, sees } = session.scope
  return { ...session, scope: { parkId, sees: { watchList: true, ...sees, deviceGroups } } }
}

/** Whether everything that exists within one sight's limits does within another's. */
export const isWithinLimits = (narrow: Scope, wide: Scope): boolean =>
  (wide.sees?.deviceGroups ?? []).every((groups) =>
    (narrow.sees?.deviceGroups ?? []).some((some) => some.every((id) => groups.includes(id))),
  )
