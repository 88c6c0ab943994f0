/** Roles and the permissions they are made of (module M02). */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { codesOfModules, PERMISSION_CODES, permissionModules, type PermissionCode, type PermissionModule } from '../permissions.ts'
import { abilities, changeOf, created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { changesByItself } from '../wire-names.ts'
import { READY_ROLE_KEYS } from './ready-roles.ts'

const call = callsOf('identity')

export const roleSignValue = z.enum(['admin', 'operator', 'parkAdmin', 'other'])
export const permissionCodeValue = z.enum(PERMISSION_CODES as [PermissionCode, ...PermissionCode[]])

/** Codes by module, such as `{ person: ['person', 'person.list'] }`. */
const byModule = z.object(
  Object.fromEntries(
    Object.entries(permissionModules).map(([module, codes]) => [module, z.array(z.enum(codes as readonly PermissionCode[])).optional()]),
  ) as Record<PermissionModule, z.ZodOptional<z.ZodArray<z.ZodEnum<Record<PermissionCode, PermissionCode>>>>>,
)
/** Former shape, accepted for one version: a single list of codes. */
const grantedPermissions = z
  .union([z.array(permissionCodeValue).max(PERMISSION_CODES.length), byModule])
  .transform((permissions) => (Array.isArray(permissions) ? permissions : codesOfModules(permissions)))

export const roleFields = z.object({
  name: z.string().trim().min(1).max(64),
  /** At least one, else 100200. */
  permissions: grantedPermissions,
  /** 1 admin, 2 editor. */
  roleLabel: z.union([z.literal(1), z.literal(2)]).default(2),
  roleSign: roleSignValue.default('other'),
  /** Organisation at and below which the role can be assigned; absent: the caller's own. */
  organisationId: id.nullish(),
  /**
   * Device groups to which the role is limited, including all groups below them: its permissions apply to their devices, and other devices
   * do not exist for it. Empty: every device. Left out of a change: unchanged.
   */
  deviceGroupIds: z.array(id).max(200).optional(),
  remark: z.string().trim().max(100).nullish(),
})
export const roleChange = changeOf(roleFields).extend({ id, version: z.number().int().optional() })
/** Key of a built-in role; null: a role that a user created. */
const ready = z.enum(READY_ROLE_KEYS).nullable()

export const role = z.object({
  id,
  /** For a built-in role: in the language of the request, like its remark. */
  name: z.string(),
  ready,
  permissions: byModule,
  roleLabel: z.number().int(),
  roleSign: roleSignValue,
  organisationId: id,
  organisationName: z.string(),
  /** Empty: every device. */
  deviceGroupIds: z.array(id),
  remark: z.string(),
  /** Number of users with this role in the caller’s part of the tree. */
  users: changesByItself(z.number().int()),
  /** False for a built-in role, and for one that grants what the caller lacks; a role that is assigned to a user cannot be deleted. */
  can: abilities('change', 'delete'),
  /** The same as `can.change`, under its former name, returned for one version. */
  editable: changesByItself(z.boolean()),
  version: z.number().int(),
  createdAt: instant,
})
export type Role = z.output<typeof role>

/** A module with its codes; only codes that the caller may grant. */
export const permissionGroup = z.object({
  module: z.enum(Object.keys(permissionModules) as [PermissionModule, ...PermissionModule[]]),
  permissions: z.array(z.string()),
})

const readRole = call({
  method: 'GET',
  service: 'as',
  path: '/roles/{id}',
  permission: 'system.role',
  summary: 'One role.',
  params: idParams,
  data: role,
})

export const roleCalls = {
  list: call({
    method: 'GET',
    service: 'as',
    path: '/roles',
    permission: 'system.role',
    summary: 'Roles of the caller’s part of the tree, after the ready ones.',
    query: pageQuery.extend({ name: z.string().max(64).optional(), roleSign: roleSignValue.optional() }),
    data: pageData(role),
  }),
  read: readRole,
  create: call({
    method: 'POST',
    service: 'as',
    path: '/roles',
    permission: 'system.role',
    freshPassword: 'ofUsers',
    summary: 'Creates a role; nobody grants what he lacks.',
    body: roleFields,
    data: created,
    errors: [100200, 100203, 100413, 100510],
  }),
  change: call({
    method: 'PUT',
    service: 'as',
    path: '/roles',
    permission: 'system.role',
    freshPassword: 'ofUsers',
    summary: 'Changes a role; its holders have it at once. Ready roles are not changed.',
    record: readRole,
    body: roleChange,
    data: created,
    errors: [100101, 100200, 100201, 100203, 100413, 100510],
  }),
  delete: call({
    method: 'DELETE',
    service: 'as',
    path: '/roles/{id}',
    permission: 'system.role',
    freshPassword: 'ofUsers',
    summary: 'Deletes a role nobody holds; ready roles are not deleted.',
    params: idParams,
    data: created,
    errors: [100201, 100510],
  }),
  subRoles: call({
    method: 'GET',
    service: 'as',
    path: '/roles/subRole',
    permission: 'system.user',
    summary: 'Roles that may be given to a user at a node of the tree.',
    query: z.object({ organisationId: id.optional() }),
    data: z.array(role.pick({ id: true, name: true, roleLabel: true, roleSign: true, ready: true, remark: true })),
    errors: [100413],
  }),
  permissions: call({
    method: 'GET',
    service: 'as',
    path: '/roles/permissions',
    permission: 'system.role',
    summary: 'Permission codes of a role, or of all the caller holds.',
    query: z.object({ id: id.optional() }),
    data: z.array(z.object({ permissionCode: z.string() })),
  }),
  groups: call({
    method: 'GET',
    service: 'as',
    path: '/permissions/group',
    permission: 'system.role',
    summary: 'Permissions by module, as far as the caller may grant them.',
    data: z.array(permissionGroup),
  }),
}
