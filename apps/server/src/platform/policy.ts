/** Who may do what: the one place what a call declares is compared with a session. */
import type { Call, Permission } from '@gatehouse/contract'
import { holds } from '@gatehouse/contract/conditions'
import type { Session } from './session.ts'

function hasPermission(session: Session, permission: Permission): boolean {
  if (permission === 'public' || permission === 'self') return true
  if (permission === 'installation') return holds('installation', session.circumstances)
  return session.permissions.has(permission)
}

/** Whether the session may make a call, or hear a topic, that declares this. */
export const mayCall = (session: Session, { permission, condition }: Pick<Call, 'permission' | 'condition'>): boolean =>
  hasPermission(session, permission) && holds(condition, session.circumstances)
