/** The owners of sessions: users and API users, with what their roles or their key permit. */
import type { Platform } from '../../platform/context.ts'
import { NO_LIMITS } from '../../platform/session/device-limits.ts'
import type { DeviceLimits, NoSession } from '../../platform/session/session.ts'
import { findClientUnscoped } from './client-data.ts'
import { findAccountUnscoped, rolesOfUnscoped } from './data.ts'
import { powerOf, type Power } from './privilege.ts'
import { isEnrolledUnscoped } from './second-factor-data.ts'
import type { SecondFactorDemand } from './second-factor-demand.ts'
import type { TokenRow } from './token-data.ts'

export interface SessionOwner {
  id: string
  kind: 'user' | 'client'
  account: string
  operator: string
  organisationId: string
  roleSign: string
  permissions: readonly string[]
  limits: DeviceLimits
  masking: boolean
  /** When the account expires, in epoch milliseconds; null: never. */
  endsAt: number | null
  secondFactorMissing: boolean
}

/** Power of an account that lacks the second factor demanded of it, whatever its roles grant. */
const POWERLESS: Power = { roleSign: 'other', permissions: [], limits: NO_LIMITS }

/** Return the owner of a token, or why there is none. */
export type OwnerOf = (token: Pick<TokenRow, 'userId' | 'clientId'>) => Promise<SessionOwner | NoSession>

export function createSessionOwners({ db }: Pick<Platform, 'db'>, secondFactor: SecondFactorDemand): OwnerOf {
  async function clientOf(clientId: string): Promise<SessionOwner | NoSession> {
    const client = await findClientUnscoped(db, { id: clientId })
    if (client === undefined) return 'unknown'
    if (!client.enabled) return 'disabled'
    const { id, name, apiKey, organisationId, permissions, masking } = client
    const names = { account: apiKey, operator: name, organisationId, masking }
    return { id, kind: 'client', ...names, roleSign: 'other', permissions, limits: NO_LIMITS, endsAt: null, secondFactorMissing: false }
  }

  async function userOf(userId: string): Promise<SessionOwner | NoSession> {
    const [account, roles] = await Promise.all([findAccountUnscoped(db, { id: userId }), rolesOfUnscoped(db, userId)])
    if (account === undefined) return 'unknown'
    if (!account.enabled) return 'disabled'
    const { id, realName, organisationId, masking, expiresAt } = account
    const power = powerOf(roles)
    const secondFactorMissing = secondFactor.isDemandedOf(power.roleSign) && !(await isEnrolledUnscoped(db, id))
    return {
      id,
      kind: 'user',
      account: account.account,
      operator: realName,
      organisationId,
      ...(secondFactorMissing ? POWERLESS : power),
      masking,
      endsAt: expiresAt,
      secondFactorMissing,
    }
  }

  return ({ userId, clientId }) => (clientId !== null ? clientOf(clientId) : userOf(userId!))
}
