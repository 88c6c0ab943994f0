/** Who may do what: the one place a call's declared permission is compared with a session. */
import type { Permission } from '@gatehouse/contract'
import type { Session } from './session.ts'

/** Whether the session may make a call that declares this permission. */
export function mayCall(session: Session, permission: Permission): boolean {
  if (permission === 'public' || permission === 'self') return true
  if (permission === 'installation') return session.roleSign === 'admin' || session.roleSign === 'operator'
  return session.permissions.has(permission)
}
