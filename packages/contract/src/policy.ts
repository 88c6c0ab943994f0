/** Who may do what: the one rule by which the server refuses a call and the console hides an entry. */
import type { CallShape } from './call.ts'
import { holds, type Circumstances } from './conditions.ts'

/** Facts of a session on which permission depends. */
export interface Caller {
  permissions: { has(code: string): boolean }
  circumstances: Circumstances
  /** Whether the session has only the token of a data screen link. */
  onScreen?: boolean
  /** Whether the account lacks the second factor that is required of it. */
  secondFactorMissing?: boolean
}

/** Requirements of a call, a topic or a screen. */
export type Demand = Pick<CallShape, 'permission' | 'besides' | 'condition' | 'dataScreen' | 'beforeSecondFactor'>

function hasPermission({ permissions, circumstances }: Caller, permission: CallShape['permission']): boolean {
  if (permission === 'public' || permission === 'self') return true
  if (permission === 'installation') return holds('installation', circumstances)
  return permissions.has(permission)
}

/** Return whether a session must set up a second factor before it can use this call, topic or screen, whatever else it may do. */
export const needsSecondFactor = (
  { secondFactorMissing }: Pick<Caller, 'secondFactorMissing'>,
  { beforeSecondFactor }: Pick<Demand, 'beforeSecondFactor'>,
): boolean => secondFactorMissing === true && beforeSecondFactor !== true

/** Return whether a session may make a call, or receive a topic, with these requirements. */
export function mayCall(caller: Caller, demand: Demand): boolean {
  const { permission, besides = [], condition, dataScreen } = demand
  return (
    (caller.onScreen !== true || dataScreen === true) &&
    !needsSecondFactor(caller, demand) &&
    hasPermission(caller, permission) &&
    besides.every((code) => hasPermission(caller, code)) &&
    holds(condition, caller.circumstances)
  )
}
