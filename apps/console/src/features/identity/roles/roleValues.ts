/** What the role form starts from. */
import { code, codesOfModules, permissionsByModule, type FieldIssue, type InputOf, type PermissionCode } from '@gatehouse/contract'
import { roleLabel, roleSign } from '@gatehouse/contract/enums/identity'
import { codesBeyondLimit, isLimitable } from '@gatehouse/contract/identity/role-limits'
import type { Role, roleChange } from '@gatehouse/contract/identity/roles'

/** For which doors a role holds: all, or those of chosen device groups. The form's own: the call knows the groups alone. */
export const DOORS = ['all', 'chosen'] as const
export type RoleValues = Partial<Omit<InputOf<typeof roleChange>, 'permissions'>> & {
  doors?: (typeof DOORS)[number]
  /** Ticked one by one, in whichever module. */
  permissions?: PermissionCode[]
}

/** What the server would refuse, said before the password is asked for. */
export function roleIssues({ permissions = [], roleSign: sign, doors, deviceGroupIds = [] }: RoleValues): FieldIssue[] {
  const issues: FieldIssue[] = []
  if (permissions.length === 0) issues.push({ path: 'permissions', rule: `code.${code.roleNeedsPermission}` })
  if (doors !== 'chosen') return issues
  if (deviceGroupIds.length === 0) issues.push({ path: 'deviceGroupIds', rule: 'required' })
  if (sign != null && !isLimitable(sign)) issues.push({ path: 'roleSign', rule: 'signBeyondDeviceGroups' })
  if (codesBeyondLimit(permissions).length > 0) issues.push({ path: 'permissions', rule: 'beyondDeviceGroups' })
  return issues
}

/** The body of the call: permissions by module; no groups stand for every door, and none are sent by a form that says so. */
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

/** From the one that reaches furthest. */
const SIGNS = [roleSign.admin, roleSign.operator, roleSign.parkAdmin, roleSign.other] as const

/** Signs that somebody may grant: nobody grants one that reaches further than his own. */
export const signsBelow = (own: string | undefined): (typeof SIGNS)[number][] =>
  SIGNS.slice(
    Math.max(
      0,
      SIGNS.findIndex((sign) => sign === own),
    ),
  )

/** A role of one's own that starts from another, as far as one may grant it. @param own one's own role sign */
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
