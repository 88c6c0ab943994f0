/** Limits of a session's permissions to device groups. */
import type { CallShape } from '@gatehouse/contract'
import { seeingAllDevices, seesAllDevices, type DeviceLimits, type Scope, type Session } from './session.ts'

export const NO_LIMITS: DeviceLimits = new Map()

/** Return the limits of the codes that a call or topic requires; all of them apply. */
const limitsOn = (limits: DeviceLimits, { permission, besides = [] }: Pick<CallShape, 'permission' | 'besides'>): (readonly string[])[] =>
  limits.size === 0 ? [] : [permission, ...besides].flatMap((code) => (limits.has(code) ? [limits.get(code)!] : []))

/**
 * Return a session for a call or topic: its scope sees only devices within the limits of the codes that are required, whatever limits it
 * had before.
 */
export function limitedSession<S extends Pick<Session, 'scope' | 'deviceLimits'>>(
  session: S,
  demand: Pick<CallShape, 'permission' | 'besides'>,
): S {
  const deviceGroups = limitsOn(session.deviceLimits, demand)
  if (deviceGroups.length === 0) return seesAllDevices(session.scope) ? session : { ...session, scope: seeingAllDevices(session.scope) }
  const { parkId, sees } = session.scope
  return { ...session, scope: { parkId, sees: { watchList: true, ...sees, deviceGroups } } }
}

/** Return whether everything within one scope's limits is also within another's. */
export const isWithinLimits = (narrow: Scope, wide: Scope): boolean =>
  (wide.sees?.deviceGroups ?? []).every((groups) =>
    (narrow.sees?.deviceGroups ?? []).some((some) => some.every((id) => groups.includes(id))),
  )
