/** What a user may grant: no permission, role sign, area or device group that they lack. */
import { DEVICE_CODES } from '@gatehouse/contract/identity/role-limits'
import type { Database } from '../../platform/database/database.ts'
import { NO_LIMITS } from '../../platform/session/device-limits.ts'
import type { DeviceLimits, Session } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import { findClientUnscoped } from './client-data.ts'
import { rolesOfUnscoped } from './data.ts'
import { knownUsersUnscoped, rolesOfUsersUnscoped } from './users-data.ts'

/** Role signs, from the one with the widest reach. */
const RANK = ['admin', 'operator', 'parkAdmin', 'other']
/** Return the rank of a role sign; 0 has the widest reach. */
export const rankOf = (roleSign: string): number => (RANK.includes(roleSign) ? RANK.indexOf(roleSign) : RANK.length)

/** A role as it is stored. */
export interface Grant {
  roleSign: string
  permissions: readonly string[]
  /** Empty: every device. */
  deviceGroupIds: readonly string[]
}

/** What a role, a user or an API user may do. */
export interface Power extends Omit<Grant, 'deviceGroupIds'> {
  limits: DeviceLimits
}
export interface Holding extends Power {
  /** Node at and below which the power applies. */
  organisationId: string
}

/** Return the device groups to which these roles together are limited; null where one of them has no limit. */
function limitOf(roles: readonly Grant[]): string[] | null {
  if (roles.length === 0 || roles.some(({ deviceGroupIds }) => deviceGroupIds.length === 0)) return null
  return [...new Set(roles.flatMap(({ deviceGroupIds }) => deviceGroupIds))]
}

/**
 * Return the limit of each code, which comes from the roles that grant it. The limit for calls without a code comes from the roles that
 * show devices, or from all roles where none does.
 */
function limitsOf(roles: readonly Grant[], permissions: readonly string[]): DeviceLimits {
  if (roles.every(({ deviceGroupIds }) => deviceGroupIds.length === 0)) return NO_LIMITS
  const granting = (code: string): Grant[] => roles.filter((role) => role.permissions.includes(code))
  const showing = roles.filter((role) => DEVICE_CODES.some((code) => role.permissions.includes(code)))
  const limits = permissions.map((code): [string, string[] | null] => [code, limitOf(granting(code))])
  limits.push(['self', limitOf(showing.length > 0 ? showing : roles)])
  return new Map(limits.flatMap(([code, groupIds]) => (groupIds === null ? [] : [[code, groupIds] as const])))
}

/** Return the combined power of several roles of one person. */
export function powerOf(roles: readonly Grant[]): Power {
  const permissions = [...new Set(roles.flatMap((role) => role.permissions))]
  const roleSign = RANK[Math.min(RANK.length - 1, ...roles.map((role) => rankOf(role.roleSign)))]!
  return { roleSign, permissions, limits: limitsOf(roles, permissions) }
}

/** Return the permissions of a power that somebody lacks, or has for fewer devices. @param limits none by default */
export const lackedBy = (
  holding: Power,
  { permissions, limits = NO_LIMITS }: Pick<Power, 'permissions'> & Partial<Pick<Power, 'limits'>>,
): string[] =>
  permissions.filter((code) => {
    const [own, required] = [holding.limits.get(code), limits.get(code)]
    return !holding.permissions.includes(code) || (own !== undefined && required?.every((id) => own.includes(id)) !== true)
  })

/** Return whether a caller has everything that a power consists of. */
export const covers = (holding: Power, power: Power): boolean =>
  rankOf(holding.roleSign) <= rankOf(power.roleSign) && lackedBy(holding, power).length === 0

/** Device groups of all parks. */
export interface DeviceGroupTree {
  /** Return the parks of these groups, by group; deleted groups are left out. */
  parks(groupIds: readonly string[]): Promise<Map<string, string>>
  /** Return these groups and all below them; deleted groups are left out. */
  below(groupIds: readonly string[]): Promise<string[]>
}

export interface Privilege {
  /** Return the power of the caller, regardless of modules that are off in the caller's park. Limits name every group they reach. */
  of(session: Session): Promise<Holding>
  /** Return whether a node lies in the caller's part of the tree. */
  reaches(session: Pick<Session, 'organisationId'>, organisationId: string): boolean
  /**
   * Return those of these users on whose accounts the caller may act: they lie in the caller's part of the tree, and the caller has
   * everything that their roles give. With the password or a code of another user, the caller would gain that user's rights.
   */
  covered(session: Session, userIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Return the real names of those of these users that lie in the caller's part of the tree. */
  names(session: Pick<Session, 'organisationId'>, userIds: readonly string[]): Promise<Map<string, string>>
}

export function createPrivilege(db: Database, organisation: OrganisationService, deviceGroups: Pick<DeviceGroupTree, 'below'>): Privilege {
  const reaches: Privilege['reaches'] = (session, organisationId) => organisation.isBelow(organisationId, session.organisationId)
  const within = async (session: Pick<Session, 'organisationId'>, userIds: readonly string[]) =>
    userIds.length === 0 ? [] : (await knownUsersUnscoped(db, userIds)).filter(({ organisationId }) => reaches(session, organisationId))

  /** Return limits that also name the groups below their groups. */
  async function reaching(limits: DeviceLimits): Promise<DeviceLimits> {
    const pending = new Map<string, Promise<string[]>>()
    const entries = [...limits].map(async ([code, groupIds]) => {
      const key = groupIds.join()
      const below = pending.get(key) ?? deviceGroups.below(groupIds)
      pending.set(key, below)
      return [code, [...new Set([...groupIds, ...(await below)])]] as const
    })
    return new Map(await Promise.all(entries))
  }

  async function of({ kind, userId, roleSign, permissions, organisationId }: Session): Promise<Holding> {
    const stored =
      kind === 'client'
        ? { permissions: (await findClientUnscoped(db, { id: userId }))?.permissions ?? [], limits: NO_LIMITS }
        : powerOf(await rolesOfUnscoped(db, userId))
    return {
      roleSign,
      permissions: [...new Set([...stored.permissions, ...permissions])],
      limits: await reaching(stored.limits),
      organisationId,
    }
  }

  return {
    of,
    reaches,
    async covered(session, userIds) {
      const ids = (await within(session, userIds)).map(({ id }) => id)
      if (ids.length === 0) return new Set()
      const [holding, roles] = await Promise.all([of(session), rolesOfUsersUnscoped(db, ids)])
      return new Set(ids.filter((id) => covers(holding, powerOf(roles.filter(({ userId }) => userId === id)))))
    },
    names: async (session, userIds) => new Map((await within(session, userIds)).map(({ id, realName }) => [id, realName])),
  }
}
