/** Names and descriptions of roles: those of ready roles in the language that is shown, whichever one they were read in. */
import { useTranslation } from 'react-i18next'
import type { Role } from '@gatehouse/contract/identity/roles'
import { shownName } from '../../../kit/shownName.ts'

export function useRoleWords(): (role: Pick<Role, 'name' | 'remark' | 'ready'>) => { name: string; remark: string } {
  const { t } = useTranslation('readyRoles')
  return ({ name, remark, ready }) =>
    ready === null ? { name: shownName(name), remark } : { name: t(`${ready}.name`), remark: t(`${ready}.words`) }
}
