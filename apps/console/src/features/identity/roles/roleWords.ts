/** What a role is called, and the addresses its pages lead to. */
import { useTranslation } from 'react-i18next'
import type { Role } from '@gatehouse/contract/identity/roles'
import { shownName } from '../../../kit/shownName.ts'
import { path } from '../../../paths.ts'

/** Names and descriptions of roles: those of ready roles in the language that is shown, whichever one they were read in. */
export function useRoleWords(): (role: Pick<Role, 'name' | 'remark' | 'ready'>) => { name: string; remark: string } {
  const { t } = useTranslation('readyRoles')
  return ({ name, remark, ready }) =>
    ready === null ? { name: shownName(name), remark } : { name: t(`${ready}.name`), remark: t(`${ready}.words`) }
}

/** The address of the accounts that hold a role. */
export const usersWith = (roleId: string): string => `${path('userManage')}?roleId=${encodeURIComponent(roleId)}`
/** The address of a new role that starts from another. */
export const copyOf = (roleId: string): string => `${path('newRole')}?from=${encodeURIComponent(roleId)}`
