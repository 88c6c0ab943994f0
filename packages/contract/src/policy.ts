/** Who may do what: one rule, by which the server refuses and the console leaves out. */
import type { CallShape } from './call.ts'
import { holds, type Circumstances } from './conditions.ts'

/** What decides of a session. */
export interface Caller {
  permissions: { has(code: string): boolean }
  circumstances: Circumstances
  /** Whether the link of a data screen is all that was shown. */
  onScreen?: boolean
  /** Whether the account lacks the second factor that is demanded of it. */
  secondFactorMissing?: boolean
}

/** What a call, a topic or a screen asks for. */
export type Demand = Pick<CallShape, 'permission' | 'besides' | 'condition' | 'dataScreen' | 'beforeSecondFactor'>

function hasPermission({ permissions, circumstances }: Caller, permission: CallShape['permission']): boolean {
  if (permission === 'public' || permission === 'self') return true
  if (permission === 'installation') return holds('installation', circumstances)
  return permissions.has(permission)
}

/** Whether a session is kept from what declares this until its account has a second factor, whatever else it may do. */
export const needsSecondFactor = (
  { secondFactorMissing }: Pick<Caller, 'secondFactorMissing'>,
  { beforeSecondFactor }: Pick<Demand, 'beforeSecondFactor'>,
): boolean => secondFactorMissing === true && beforeSecondFactor !== true

/** Whether a session may make a call, or hear a topic, that declares this. */
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
