/** What the role form starts from. */
import { code, type FieldIssue, type InputOf } from '@gatehouse/contract'
import { roleLabel, roleSign } from '@gatehouse/contract/enums/identity'
import type { Role, roleFields } from '@gatehouse/contract/identity/roles'

export type RoleValues = Partial<InputOf<typeof roleFields>>

/** What the server would refuse, said before the password is asked for. */
export const roleIssues = ({ permissions }: RoleValues): FieldIssue[] =>
  permissions?.length === 0 ? [{ path: 'permissions', rule: `code.${code.roleNeedsPermission}` }] : []

export const newRole = (organisationId: string): RoleValues => ({
  name: '',
  permissions: [],
  roleLabel: roleLabel.editor,
  roleSign: roleSign.other,
  organisationId,
  remark: '',
})

export const roleValuesOf = ({ name, permissions, roleLabel: label, roleSign: sign, organisationId, remark }: Role): RoleValues => ({
  name,
  permissions: permissions as NonNullable<RoleValues['permissions']>,
  roleLabel: label === roleLabel.admin ? roleLabel.admin : roleLabel.editor,
  roleSign: sign,
  organisationId,
  remark,
})
