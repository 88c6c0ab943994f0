/** Names of roles, and addresses of their pages. */
import { useTranslation } from 'react-i18next'
import type { Role } from '@gatehouse/contract/identity/roles'
import { shownName } from '../../../kit/shownName.ts'
import { path } from '../../../paths.ts'

/** Return a function that names and describes a role; a ready one in the shown language, whichever it was read in. */
export function useRoleWords(): (role: Pick<Role, 'name' | 'remark' | 'ready'>) => { name: string; remark: string } {
  const { t } = useTranslation('readyRoles')
  return ({ name, remark, ready }) =>
    ready === null ? { name: shownName(name), remark } : { name: t(`${ready}.name`), remark: t(`${ready}.words`) }
}

/** Return the address of the accounts that hold a role. */
export const usersWith = (roleId: string): string => `${path('userManage')}?roleId=${encodeURIComponent(roleId)}`
/** Return the address of a new role that starts from another. */
export const copyOf = (roleId: string): string => `${path('newRole')}?from=${encodeURIComponent(roleId)}`
