/** Values of the role form. */
import { code, codesOfModules, permissionsByModule, type FieldIssue, type InputOf, type PermissionCode } from '@gatehouse/contract'
import { roleLabel, roleSign } from '@gatehouse/contract/enums/identity'
import { codesBeyondLimit, isLimitable } from '@gatehouse/contract/identity/role-limits'
import type { Role, roleChange } from '@gatehouse/contract/identity/roles'

/** Choices for the doors of a role: all, or those of device groups. Only the form has this field; the call has the ids of the groups. */
export const DOORS = ['all', 'chosen'] as const
export type RoleValues = Partial<Omit<InputOf<typeof roleChange>, 'permissions'>> & {
  doors?: (typeof DOORS)[number]
  /** Ticked codes of all modules. */
  permissions?: PermissionCode[]
}

/** Return the issues for which the server would refuse the role, so that they are shown before the user is asked for the password. */
export function roleIssues({ permissions = [], roleSign: sign, doors, deviceGroupIds = [] }: RoleValues): FieldIssue[] {
  const issues: FieldIssue[] = []
  if (permissions.length === 0) issues.push({ path: 'permissions', rule: `code.${code.roleNeedsPermission}` })
  if (doors !== 'chosen') return issues
  if (deviceGroupIds.length === 0) issues.push({ path: 'deviceGroupIds', rule: 'required' })
  if (sign != null && !isLimitable(sign)) issues.push({ path: 'roleSign', rule: 'signBeyondDeviceGroups' })
  if (codesBeyondLimit(permissions).length > 0) issues.push({ path: 'permissions', rule: 'beyondDeviceGroups' })
  return issues
}

/** Return the body of the call: permissions by module; an empty list of groups stands for all doors. */
export const roleBody = ({ doors, deviceGroupIds = [], permissions = [], ...body }: RoleValues): Record<string, unknown> => ({
  ...body,
  permissions: permissionsByModule(permissions),
  deviceGroupIds: doors === 'chosen' ? deviceGroupIds : [],
})

export const newRole = (organisationId: string): RoleValues => ({
  name: '',
  permissions: [],
  roleLabel: roleLabel.editor,
  roleSign: roleSign.other,
  organisationId,
  doors: 'all',
  deviceGroupIds: [],
  remark: '',
})

export const roleValuesOf = ({
  name,
  permissions,
  roleLabel: label,
  roleSign: sign,
  organisationId,
  deviceGroupIds,
  remark,
}: Role): RoleValues => ({
  name,
  permissions: codesOfModules(permissions),
  roleLabel: label === roleLabel.admin ? roleLabel.admin : roleLabel.editor,
  roleSign: sign,
  organisationId,
  doors: deviceGroupIds.length > 0 ? 'chosen' : 'all',
  deviceGroupIds,
  remark,
})

/** Role signs, the furthest-reaching first. */
const SIGNS = [roleSign.admin, roleSign.operator, roleSign.parkAdmin, roleSign.other] as const

/** Return the signs a user may grant: none reaches further than their own. */
export const signsBelow = (own: string | undefined): (typeof SIGNS)[number][] =>
  SIGNS.slice(
    Math.max(
      0,
      SIGNS.findIndex((sign) => sign === own),
    ),
  )

/** Return the values of a copy of a role, with the permissions the user may grant. @param own role sign of the user */
export function copyOfRole(role: Role, name: string, grantable: readonly string[], own: string | undefined): RoleValues {
  const values = roleValuesOf(role)
  const signs = signsBelow(own)
  return {
    ...values,
    name: name.slice(0, 64),
    permissions: (values.permissions ?? []).filter((one) => grantable.includes(one)),
    roleSign: signs.find((sign) => sign === role.roleSign) ?? signs[0]!,
  }
}
