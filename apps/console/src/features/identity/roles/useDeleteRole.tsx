/** Deleting a role: not while somebody holds it, and it is said who. */
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Role } from '@gatehouse/contract/identity/roles'
import { roleCalls } from '@gatehouse/contract/identity/roles'
import { userCalls } from '@gatehouse/contract/identity/users'
import { afterConfirmation } from '../../../api/confirmation.ts'
import { modal } from '../../../kit/feedback.tsx'
import { request } from '../../../api/request.ts'
import { may } from '../../../api/session.ts'
import { useUndo } from '../../../kit/list/useUndo.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { usersWith } from './addresses.ts'

/** Names that are said before "and more". */
const NAMED = 5

export function useDeleteRole(): (role: Role) => void {
  const { t } = useTranslation('identity')
  const navigate = useNavigate()
  const undoable = useUndo()
  const remove = useWrite(roleCalls.delete, { done: t('deleted') })

  async function sayHolders({ id, name, users }: Role): Promise<void> {
    const mayList = may('system.user')
    const holders = mayList
      ? await request(userCalls.list, { query: { roleId: id, size: NAMED } }, { errors: 'silent' }).catch(() => undefined)
      : undefined
    const names = (holders?.content ?? []).map(({ account }) => account).join(t('common:listSeparator'))
    modal.confirm({
      title: t('role.inUse', { name }),
      content: names ? t('role.heldBy', { names, count: users }) : t('role.heldByCount', { count: users }),
      okText: mayList ? t('role.showHolders') : t('done'),
      cancelText: t('close'),
      onOk: () => void (mayList && navigate(usersWith(id))),
    })
  }

  return (role) => {
    if (role.users > 0) return void sayHolders(role)
    modal.confirm({
      title: t('role.deleteTitle', { name: role.name }),
      content: t('role.deleteWords'),
      okText: t('delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => afterConfirmation(() => undoable(t('role.deleting', { name: role.name }), () => remove.run({ params: { id: role.id } }))),
    })
  }
}
