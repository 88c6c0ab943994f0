/** Roles: what they grant, where they may be given, and by whom. */
import type { z } from 'zod'
import { PERMISSION_CODES, permissionModules, permissionsByModule, type Language, type PermissionModule } from '@gatehouse/contract'
import type { Role, roleChange } from '@gatehouse/contract/identity/roles'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, InvalidRequest, NotFound, forbid, refuse } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import { demandAdministrator } from './administrators.ts'
import { roleAbilities } from './policy.ts'
import { covers, powerOf, type Holding } from './privilege.ts'
import { readyCalled, roleWords } from './ready-roles.ts'
import { createRoleGrants } from './role-grants.ts'
import * as data from './roles-data.ts'
import type { RoleFields, RoleParts } from './roles-types.ts'

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
  /** Change a role. Fields that are left out stay as they are. */
  change(session: Session, change: RoleChange): Promise<void>
  delete(session: Session, id: string): Promise<void>
  /** Return the roles that the caller may give to a user at a node of their part of the tree. */
  assignable(session: Session, organisationId?: string): Promise<data.RoleRow[]>
  /** Return the codes of a role, or all that the caller may grant. */
  permissions(session: Session, id?: string): Promise<string[]>
  groups(session: Session): Promise<GroupOfPermissions[]>
}

/** Return the fields that the operation log compares. */
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

/** Return the permission modules that contain some of these codes, each with those codes. */
function modulesOf(permissions: readonly string[]): GroupOfPermissions[] {
  const groups = Object.entries(permissionModules).map(([module, codes]) => ({
    module: module as PermissionModule,
    permissions: codes.filter((code) => permissions.includes(code)) as string[],
  }))
  return groups.filter((group) => group.permissions.length > 0)
}

/** Turn the violation of a constraint into a refusal. @throws Refusal 100203 for a duplicate name; any other error unchanged */
function refuseConflict(error: unknown): never {
  if (violatedConstraint(error) === 'role_name') refuse(100203, 'name')
  throw error
}

export function createRoles(platform: Platform, parts: RoleParts): RoleService {
  const db = platform.db
  const { organisation, sessions, privilege } = parts
  const { nodeOf, granted, demandUnused, demandFits } = createRoleGrants(parts)
  const valuesOf = (row: data.RoleRow): data.RoleValues => ({ ...row, organisationId: nodeOf(row) })

  /** Return the nodes of the caller's part of the tree; null: all nodes. */
  const nodesOf = ({ organisationId }: Session): string[] | null =>
    organisationId === organisation.root().id
      ? null
      : organisation
          .tree()
          .below(organisationId)
          .map(({ id }) => id)

  function present(session: Session, row: data.RoleRow, holding: Holding, language: Language): Role {
    // A ready role may be given wherever the caller may give one, so it is shown at the caller's own node.
    const organisationId = row.ready === null ? nodeOf(row) : session.organisationId
    const can = roleAbilities(row, covers(holding, powerOf([row])))
    return {
      ...row,
      ...roleWords(language, row),
      permissions: permissionsByModule(row.permissions),
      roleSign: row.roleSign as Role['roleSign'],
      organisationId,
      organisationName: organisation.get(organisationId)?.name ?? '',
      can,
      editable: can.change,
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
        .transaction(async (tx) => {
          await data.insertRoleValuesUnscoped(tx, id, values, platform.clock.now())
          platform.audit.note({ entity: 'role', id, label: values.name, after: logged(values) })
        })
        .catch(refuseConflict)
      return id
    },
    async change(session, { id, version, ...change }) {
      const row = await editable(session, id)
      const values = await granted(session, leftAsItWas(valuesOf(row) as RoleFields, change), row.deviceGroupIds)
      const holders = await platform
        .transaction(async (tx) => {
          if (!(await data.updateRoleUnscoped(tx, id, values, version ?? row.version, platform.clock.now())))
            throw new Conflict(['name', 'permissions'])
          await demandUnused(tx, row, values.permissions)
          const userIds = await demandFits(tx, id, values)
          await demandAdministrator(tx, organisation.root().id, platform.clock.now(), 'permissions')
          platform.audit.note({ entity: 'role', id, label: values.name, before: logged(valuesOf(row)), after: logged(values) })
          if (userIds.length > 0) await sessions.refreshOwners(tx, userIds)
          return userIds
        })
        .catch(refuseConflict)
      if (holders.length > 0) sessions.forgetOwners(holders)
    },
    async delete(session, id) {
      const row = await editable(session, id)
      if (row.users > 0) refuse(100201)
      await platform
        .transaction(async (tx) => {
          platform.audit.note({ entity: 'role', id, label: row.name, before: logged(valuesOf(row)) })
          await data.deleteRoleUnscoped(tx, id)
        })
        .catch((error: unknown) => {
          // A user has received the role meanwhile.
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
      return modulesOf(permissions)
    },
  }
}
