/** What a session may do with accounts, besides what a call's permission says and what `privilege.ts` reads of roles. */
import type { ApiClient } from '@gatehouse/contract/identity/clients'
import type { Role } from '@gatehouse/contract/identity/roles'
import type { User } from '@gatehouse/contract/identity/users'
import { InvalidRequest, forbid } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'

/** The permission to list users. */
const LISTS_USERS = 'system.user'

/** Return whether the session holds a permission in its park. */
export const holdsPermission = ({ permissions }: Pick<Session, 'permissions'>, code: string): boolean => permissions.has(code)

/** Return whether the session may know users by name; others see the names of roles instead. */
export const canListUsers = (session: Pick<Session, 'permissions'>): boolean => holdsPermission(session, LISTS_USERS)

/** Return whether the session may let an account see personal data unmasked: a masked user cannot create an unmasked one. */
export const canUnmask = ({ masking }: Pick<Session, 'masking'>): boolean => !masking

/**
 * Refuse to show personal data unmasked to an account that saw them masked, where the session itself sees them masked.
 * @param before whether the account saw them masked; a new account counts as masked
 * @throws Refusal 100510 (403)
 */
export function assertMayUnmask(session: Pick<Session, 'masking'>, masking: boolean, before = true): void {
  if (!canUnmask(session) && !masking && before) forbid('enablePageDataMasking')
}

/** Return whether an account is the session's own, which cannot be changed like the account of another user. */
export const isOwnAccount = ({ userId }: Pick<Session, 'userId'>, id: string): boolean => userId === id

/** Refuse a session's own account. @throws InvalidRequest */
export function assertOtherAccount(session: Pick<Session, 'userId'>, id: string): void {
  if (isOwnAccount(session, id)) throw new InvalidRequest([{ path: 'id', rule: 'ownAccount' }])
}

/** Properties of an account that decide what may be done with it. */
interface Account {
  id: string
  enabled: boolean
  /** Whether it sees personal data masked. */
  masking: boolean
  secondFactor: boolean
}

/**
 * Return what the session may do with an account: a disabled account can only be enabled, and the session's own can only be changed.
 * @param isCovered whether the session has all that the account has (`privilege.covered`)
 */
export function userAbilities(session: Session, { id, enabled, masking, secondFactor }: Account, isCovered: boolean): User['can'] {
  const isOther = isCovered && !isOwnAccount(session, id)
  // With a password or a code of an account the session sees what the account sees.
  const takesOver = isOther && (canUnmask(session) || masking)
  return {
    change: isCovered && enabled,
    enable: isCovered && !enabled,
    disable: isOther && enabled,
    delete: isOther && enabled,
    resetPassword: takesOver && enabled,
    resetSecondFactor: takesOver && secondFactor,
  }
}

/** Return what may be done with a role. @param isCovered whether the session has all that the role grants */
export function roleAbilities({ ready, users }: { ready: string | null; users: number }, isCovered: boolean): Role['can'] {
  const change = ready === null && isCovered
  return { change, delete: change && users === 0 }
}

/** Return what the session may do with an API user. @param isCovered whether the session may do all that the API user may */
export function clientAbilities(
  session: Pick<Session, 'masking'>,
  { enabled, masking }: { enabled: boolean; masking: boolean },
  isCovered: boolean,
): ApiClient['can'] {
  return {
    change: isCovered,
    enable: isCovered && !enabled,
    disable: isCovered && enabled,
    delete: isCovered,
    // With the secret of an API user the session sees what the API user sees.
    resetSecret: isCovered && (canUnmask(session) || masking),
  }
}

/** Return what the profile says of the session. The console uses it to leave out what the server refuses. */
export const capabilitiesOf = ({ permissions, circumstances }: Pick<Session, 'permissions' | 'circumstances'>) => {
  const { lite, privatised, atRoot, customerManager, deviceUpgradeType } = circumstances
  return { permissions: [...permissions], lite, privatised, atRoot, customerManager, deviceUpgradeType }
}
