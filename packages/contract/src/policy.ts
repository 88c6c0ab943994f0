/** Who may do what: one rule, by which the server refuses and the console leaves out. */
import type { CallShape } from './call.ts'
import { holds, type Circumstances } from './conditions.ts'

/** What decides of a session. */
export interface Caller {
  permissions: { has(code: string): boolean }
  circumstances: Circumstances
  /** Whether the link of a data screen is all that was shown. */
  onScreen?: boolean
}

/** What a call, a topic or a screen asks for. */
export type Demand = Pick<CallShape, 'permission' | 'besides' | 'condition' | 'dataScreen'>

function hasPermission({ permissions, circumstances }: Caller, permission: CallShape['permission']): boolean {
  if (permission === 'public' || permission === 'self') return true
  if (permission === 'installation') return holds('installation', circumstances)
  return permissions.has(permission)
}

/** Whether a session may make a call, or hear a topic, that declares this. */
export const mayCall = (caller: Caller, { permission, besides = [], condition, dataScreen }: Demand): boolean =>
  (caller.onScreen !== true || dataScreen === true) &&
  hasPermission(caller, permission) &&
  besides.every((code) => hasPermission(caller, code)) &&
  holds(condition, caller.circumstances)
