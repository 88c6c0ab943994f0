/** Handlers of roles and permission groups. */
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { Role } from '@gatehouse/contract/identity/roles'
import { roleWords } from './ready-roles.ts'
import type { RoleService } from './roles.ts'

export function roleHandlers(roles: RoleService): MountedCall[] {
  return [
    handler(roleCalls.list, async ({ session, query, language }) => roles.list(session, query, language)),
    handler(roleCalls.read, async ({ session, params, language }) => roles.read(session, params.id, language)),
    handler(roleCalls.create, async ({ session, body }) => ({ id: await roles.create(session, body) })),
    handler(roleCalls.change, async ({ session, body }) => {
      await roles.change(session, body)
      return { id: body.id }
    }),
    handler(roleCalls.delete, async ({ session, params }) => {
      await roles.delete(session, params.id)
      return { id: params.id }
    }),
    handler(roleCalls.subRoles, async ({ session, query, language }) =>
      (await roles.assignable(session, query.organisationId)).map((role) => ({
        id: role.id,
        ...roleWords(language, role),
        ready: role.ready,
        roleLabel: role.roleLabel,
        roleSign: role.roleSign as Role['roleSign'],
      })),
    ),
    handler(roleCalls.permissions, async ({ session, query }) =>
      (await roles.permissions(session, query.id)).map((permissionCode) => ({ permissionCode })),
    ),
    handler(roleCalls.groups, async ({ session }) => roles.groups(session)),
  ]
}
