/** Handlers of roles and permission groups. */
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { Role } from '@gatehouse/contract/identity/roles'
import type { RoleService } from './roles.ts'

export function roleHandlers(roles: RoleService): MountedCall[] {
  return [
    handler(roleCalls.list, async ({ session, query }) => roles.list(session, query)),
    handler(roleCalls.read, async ({ session, params }) => roles.read(session, params.id)),
    handler(roleCalls.create, async ({ session, body }) => ({ id: await roles.create(session, body) })),
    handler(roleCalls.change, async ({ session, body: { id, version, ...fields } }) => {
      await roles.change(session, id, version, fields)
      return { id }
    }),
    handler(roleCalls.delete, async ({ session, params }) => {
      await roles.delete(session, params.id)
      return { id: params.id }
    }),
    handler(roleCalls.subRoles, async ({ session, query }) =>
      (await roles.assignable(session, query.organisationId)).map(({ id, name, roleLabel, roleSign }) => ({
        id,
        name,
        roleLabel,
        roleSign: roleSign as Role['roleSign'],
      })),
    ),
    handler(roleCalls.permissions, async ({ session, query }) =>
      (await roles.permissions(session, query.id)).map((permissionCode) => ({ permissionCode })),
    ),
    handler(roleCalls.groups, async ({ session }) => roles.groups(session)),
  ]
}
