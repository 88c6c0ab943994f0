/** Roles: what they grant, where they may be given, and by whom. */
import type { z } from 'zod'
import { PERMISSION_CODES, permissionModules, permissionsByModule, type Language, type PermissionModule } from '@gatehouse/contract'
import { codesBeyondLimit, isLimitable } from '@gatehouse/contract/identity/role-limits'
import type { Role, roleChange, roleFields } from '@gatehouse/contract/identity/roles'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, InvalidRequest, NotFound, forbid, refuse } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import type { OrganisationService } from '../organisation/index.ts'
import { demandAdministrator } from './administrators.ts'
import { covers, lackedBy, powerOf, rankOf, type DeviceGroupTree, type Holding, type Privilege } from './privilege.ts'
import { readyCalled, roleWords } from './ready-roles.ts'
import * as data from './roles-data.ts'
import type { IdentityTables } from './schema.ts'
import type { Sessions } from './sessions.ts'

export type RoleFields = z.output<typeof roleFields>
export type RoleChange = z.output<typeof roleChange>
type GroupOfPermissions = { module: PermissionModule; permissions: string[] }

export interface RoleService {
  list(
    session: Session,
    query: Omit<data.RoleFilter, 'readyCalled'>,
    language: Language,
  ): Promise<{ total: number; content: Role[]; page: number; size: number }>
  read(session: Session, id: string, language: Language): Promise<Role>
  create(session: Session, fields: RoleFields): Promise<string>
  /** What is left out stays as it was. */
  change(session: Session, change: RoleChange): Promise<void>
  delete(session: Session, id: string): Promise<void>
  /** Roles the caller may give to a user at a node of his part of the tree. */
  assignable(session: Session, organisationId?: string): Promise<data.RoleRow[]>
  /** Codes of a role, or all the caller may grant. */
  permissions(session: Session, id?: string): Promise<string[]>
  groups(session: Session): Promise<GroupOfPermissions[]>
}

interface Parts {
  organisation: OrganisationService
  sessions: Sessions
  privilege: Privilege
  deviceGroups: Pick<DeviceGroupTree, 'parks'>
}

/** Which of these fields differ, for the operation log. */
const logged = ({
  name,
  permissions,
  roleLabel,
  roleSign,
  organisationId,
  deviceGroupIds,
  remark,
}: data.RoleValues): Record<string, unknown> => ({
  name,
  permissions,
  roleLabel,
  roleSign,
  organisationId,
  deviceGroupIds,
  remark,
})

export function createRoles(platform: Platform, { organisation, sessions, privilege, deviceGroups }: Parts): RoleService {
  const db = platform.db as unknown as Database<IdentityTables>
  const nodeOf = ({ organisationId }: { organisationId: string | null }): string => organisationId ?? organisation.root().id
  const valuesOf = (row: data.RoleRow): data.RoleValues => ({ ...row, organisationId: nodeOf(row) })

  /** Nodes of the caller's part of the tree; null: all there are. */
  const nodesOf = ({ organisationId }: Session): string[] | null =>
    organisationId === organisation.root().id
      ? null
      : organisation
          .tree()
          .below(organisationId)
          .map(({ id }) => id)

  function present(session: Session, row: data.RoleRow, holding: Holding, language: Language): Role {
    // A ready role may be given wherever the caller may give one: what lies above his part of the tree is no matter of his.
    const organisationId = row.ready === null ? nodeOf(row) : session.organisationId
    return {
      ...row,
      ...roleWords(language, row),
      permissions: permissionsByModule(row.permissions),
      roleSign: row.roleSign as Role['roleSign'],
      organisationId,
      organisationName: organisation.get(organisationId)?.name ?? '',
      editable: row.ready === null && covers(holding, powerOf([row])),
    }
  }

  async function visible(session: Session, id: string): Promise<data.RoleRow> {
    const [row] = await data.findRolesUnscoped(db, [id], nodesOf(session))
    if (row === undefined || (row.ready === null && !privilege.reaches(session, nodeOf(row)))) throw new NotFound()
    return row
  }

  async function editable(session: Session, id: string): Promise<data.RoleRow> {
    const row = await visible(session, id)
    if (row.ready !== null) throw new InvalidRequest([{ path: 'id', rule: 'readyRole' }])
    if (!covers(await privilege.of(session), powerOf([row]))) forbid()
    return row
  }

  /**
   * What a limit to device groups must be: for no more than can be limited, of groups at or below the role's node.
   * @param before groups the role names already: those deleted since stay named, since without them the role might hold for every device
   */
  async function demandLimit({ permissions, roleSign }: RoleFields, groupIds: readonly string[], node: string, before: readonly string[]) {
    if (groupIds.length === 0) return
    if (!isLimitable(roleSign)) throw new InvalidRequest([{ path: 'roleSign', rule: 'signBeyondDeviceGroups' }])
    if (codesBeyondLimit(permissions).length > 0) throw new InvalidRequest([{ path: 'permissions', rule: 'beyondDeviceGroups' }])
    const parks = await deviceGroups.parks(groupIds)
    const isKnown = (id: string): boolean => (parks.has(id) ? organisation.isBelow(parks.get(id)!, node) : before.includes(id))
    if (!groupIds.every(isKnown)) throw new InvalidRequest([{ path: 'deviceGroupIds', rule: 'unknown' }])
  }

  /** What a form asks for, as far as the caller may grant it. @param before groups the role named until now */
  async function granted(session: Session, fields: RoleFields, before: readonly string[] = []): Promise<data.RoleValues> {
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
  }

  /** Whether one role stands above another: at its node or higher, and with it or before it in rank. */
  const standsAbove = (upper: data.RoleRow, lower: data.RoleRow): boolean =>
    upper.id !== lower.id &&
    organisation.isBelow(nodeOf(lower), nodeOf(upper)) &&
    rankOf(upper.roleSign) <= rankOf(lower.roleSign) &&
    (nodeOf(lower) !== nodeOf(upper) || rankOf(upper.roleSign) < rankOf(lower.roleSign))

  /**
   * Refuses to take a permission away that a role further down still grants and no other one above it has: nobody would be
   * left there who could take it back. A ready role that nobody holds grants nothing to anybody.
   */
  async function demandUnused(tx: Tx<IdentityTables>, role: data.RoleRow, permissions: readonly string[]): Promise<void> {
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
  }

  /** Users who hold the role must still be where it may be given. */
  async function demandFits(tx: Tx<IdentityTables>, roleId: string, { organisationId, roleSign }: data.RoleValues): Promise<string[]> {
    const holders = await data.holdersUnscoped(tx, roleId)
    if (holders.some((user) => !organisation.isBelow(user.organisationId, organisationId))) refuse(100201, 'organisationId')
    if (roleSign === 'admin' && holders.some((user) => user.organisationId !== organisation.root().id))
      throw new InvalidRequest([{ path: 'roleSign', rule: 'adminAtRoot' }])
    return holders.map(({ id }) => id)
  }

  function taken(error: unknown): never {
    if (violatedConstraint(error) === 'role_name') refuse(100203, 'name')
    throw error
  }

  return {
    async list(session, query, language) {
      const holding = await privilege.of(session)
      const called = query.name === undefined ? undefined : readyCalled(language, query.name)
      const { total, content } = await data.listRolesUnscoped(db, { ...query, readyCalled: called }, nodesOf(session))
      return { total, content: content.map((row) => present(session, row, holding, language)), page: query.page, size: query.size }
    },
    async read(session, id, language) {
      return present(session, await visible(session, id), await privilege.of(session), language)
    },
    async create(session, fields) {
      const values = await granted(session, fields)
      const id = newId()
      await platform
        .transaction(async (tx: Tx<IdentityTables>) => {
          await data.insertRoleValuesUnscoped(tx, id, values, platform.clock.now())
          platform.audit.note({ entity: 'role', id, label: values.name, after: logged(values) })
        })
        .catch(taken)
      return id
    },
    async change(session, { id, version, ...change }) {
      const row = await editable(session, id)
      const values = await granted(session, leftAsItWas(valuesOf(row) as RoleFields, change), row.deviceGroupIds)
      const holders = await platform
        .transaction(async (tx: Tx<IdentityTables>) => {
          if (!(await data.updateRoleUnscoped(tx, id, values, version ?? row.version, platform.clock.now())))
            throw new Conflict(['name', 'permissions'])
          await demandUnused(tx, row, values.permissions)
          const userIds = await demandFits(tx, id, values)
          await demandAdministrator(tx, organisation.root().id, platform.clock.now(), 'permissions')
          platform.audit.note({ entity: 'role', id, label: values.name, before: logged(valuesOf(row)), after: logged(values) })
          if (userIds.length > 0) await sessions.refreshOwners(tx as never, userIds)
          return userIds
        })
        .catch(taken)
      if (holders.length > 0) sessions.forgetOwners(holders)
    },
    async delete(session, id) {
      const row = await editable(session, id)
      if (row.users > 0) refuse(100201)
      await platform
        .transaction(async (tx: Tx<IdentityTables>) => {
          platform.audit.note({ entity: 'role', id, label: row.name, before: logged(valuesOf(row)) })
          await data.deleteRoleUnscoped(tx, id)
        })
        .catch((error: unknown) => {
          // Given to somebody meanwhile.
          if ((error as { code?: string }).code === '23503') refuse(100201)
          throw error
        })
    },
    async assignable(session, organisationId = session.organisationId) {
      if (!privilege.reaches(session, organisationId)) refuse(100413, 'organisationId')
      const holding = await privilege.of(session)
      const atRoot = organisationId === organisation.root().id
      const rows = await data.allRolesUnscoped(db)
      return rows.filter(
        (row) =>
          organisation.isBelow(organisationId, nodeOf(row)) && (row.roleSign !== 'admin' || atRoot) && covers(holding, powerOf([row])),
      )
    },
    async permissions(session, id) {
      if (id !== undefined) return (await visible(session, id)).permissions
      const { permissions } = await privilege.of(session)
      return PERMISSION_CODES.filter((code) => permissions.includes(code))
    },
    async groups(session) {
      const { permissions } = await privilege.of(session)
      const groups = Object.entries(permissionModules).map(([module, codes]) => ({
        module: module as PermissionModule,
        permissions: codes.filter((code) => permissions.includes(code)) as string[],
      }))
      return groups.filter((group) => group.permissions.length > 0)
    },
  }
}
