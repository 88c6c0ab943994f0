/** What a caller may grant by a role, and what a change of a role must leave as it is. */
import { codesBeyondLimit, isLimitable } from '@gatehouse/contract/identity/role-limits'
import type { Transaction } from '../../platform/database/database.ts'
import { InvalidRequest, forbid, refuse } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import { lackedBy, powerOf, rankOf } from './privilege.ts'
import type { RoleParts, RoleFields } from './roles-types.ts'
import * as data from './roles-data.ts'

export interface RoleGrants {
  /** Return the node of a role. */
  nodeOf(role: { organisationId: string | null }): string
  /**
   * Return the values of a form, as far as the caller may grant them.
   * @param before device groups that the role named before
   * @throws InvalidRequest; Refusal 100413, 100200, 100510
   */
  granted(session: Session, fields: RoleFields, before?: readonly string[]): Promise<data.RoleValues>
  /**
   * Refuse to remove a permission that a role further down still grants and that no other role above that one has: nobody there could
   * remove it any more. A ready role that no user holds grants nothing.
   * @throws Refusal 100101
   */
  demandUnused(tx: Transaction, role: data.RoleRow, permissions: readonly string[]): Promise<void>
  /**
   * Check that the users who hold the role are still where it may be given; return their ids.
   * @throws Refusal 100201; InvalidRequest for a role of administrators that a user below the root holds
   */
  demandFits(tx: Transaction, roleId: string, values: data.RoleValues): Promise<string[]>
}

export function createRoleGrants({
  organisation,
  privilege,
  deviceGroups,
}: Pick<RoleParts, 'organisation' | 'privilege' | 'deviceGroups'>): RoleGrants {
  const nodeOf: RoleGrants['nodeOf'] = ({ organisationId }) => organisationId ?? organisation.root().id

  /**
   * Check a limit to device groups: everything that the role grants can be limited, and the groups are at or below the role's node.
   * @param before device groups that the role names already. Those deleted since stay named, because without them the role might hold for
   * every device
   * @throws InvalidRequest
   */
  async function demandLimit({ permissions, roleSign }: RoleFields, groupIds: readonly string[], node: string, before: readonly string[]) {
    if (groupIds.length === 0) return
    if (!isLimitable(roleSign)) throw new InvalidRequest([{ path: 'roleSign', rule: 'signBeyondDeviceGroups' }])
    if (codesBeyondLimit(permissions).length > 0) throw new InvalidRequest([{ path: 'permissions', rule: 'beyondDeviceGroups' }])
    const parks = await deviceGroups.parks(groupIds)
    const isUsable = (id: string): boolean => (parks.has(id) ? organisation.isBelow(parks.get(id)!, node) : before.includes(id))
    if (!groupIds.every(isUsable)) throw new InvalidRequest([{ path: 'deviceGroupIds', rule: 'unknown' }])
  }

  /** Return whether one role stands above another: at its node or higher, and equal or before it in rank. */
  const standsAbove = (upper: data.RoleRow, lower: data.RoleRow): boolean =>
    upper.id !== lower.id &&
    organisation.isBelow(nodeOf(lower), nodeOf(upper)) &&
    rankOf(upper.roleSign) <= rankOf(lower.roleSign) &&
    (nodeOf(lower) !== nodeOf(upper) || rankOf(upper.roleSign) < rankOf(lower.roleSign))

  return {
    nodeOf,
    async granted(session, fields, before = []) {
      const organisationId = fields.organisationId ?? session.organisationId
      if (!privilege.reaches(session, organisationId)) refuse(100413, 'organisationId')
      if (fields.permissions.length === 0) refuse(100200, 'permissions')
      const holding = await privilege.of(session)
      const deviceGroupIds = [...new Set(fields.deviceGroupIds)]
      if (fields.permissions.some((code) => !holding.permissions.includes(code))) forbid('permissions')
      if (lackedBy(holding, powerOf([{ ...fields, deviceGroupIds }])).length > 0) forbid('deviceGroupIds')
      if (rankOf(holding.roleSign) > rankOf(fields.roleSign)) forbid('roleSign')
      if (fields.roleSign === 'admin' && organisationId !== organisation.root().id)
        throw new InvalidRequest([{ path: 'roleSign', rule: 'adminAtRoot' }])
      await demandLimit(fields, deviceGroupIds, organisationId, before)
      const { name, roleLabel, roleSign, remark } = fields
      return {
        name,
        roleLabel,
        roleSign,
        organisationId,
        deviceGroupIds,
        remark: remark ?? '',
        permissions: [...new Set(fields.permissions)],
      }
    },
    async demandUnused(tx, role, permissions) {
      const removed = role.permissions.filter((code) => !permissions.includes(code))
      if (removed.length === 0) return
      const all = (await data.allRolesUnscoped(tx)).filter(({ ready, users }) => ready === null || users > 0)
      const stuck = removed.filter((code) =>
        all.some(
          (lower) =>
            lower.permissions.includes(code) &&
            standsAbove(role, lower) &&
            !all.some((other) => other.id !== role.id && other.permissions.includes(code) && standsAbove(other, lower)),
        ),
      )
      if (stuck.length > 0) refuse(100101, 'permissions', { permissions: stuck })
    },
    async demandFits(tx, roleId, { organisationId, roleSign }) {
      const users = await data.holdersUnscoped(tx, roleId)
      if (users.some((user) => !organisation.isBelow(user.organisationId, organisationId))) refuse(100201, 'organisationId')
      if (roleSign === 'admin' && users.some((user) => user.organisationId !== organisation.root().id))
        throw new InvalidRequest([{ path: 'roleSign', rule: 'adminAtRoot' }])
      return users.map(({ id }) => id)
    },
  }
}
