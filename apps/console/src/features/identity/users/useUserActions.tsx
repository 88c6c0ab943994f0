/** What can be done with an account: nothing to one's own but changing it, nothing to a disabled one but enabling it. */
import { useTranslation } from 'react-i18next'
import { accountState } from '@gatehouse/contract/enums/identity'
import { secondFactorCalls } from '@gatehouse/contract/identity/second-factor'
import { userCalls, type User } from '@gatehouse/contract/identity/users'
import { afterConfirmation } from '../../../api/confirmation.ts'
import { modal } from '../../../kit/feedback.tsx'
import type { RowAction } from '../../../kit/list/RowMenu.tsx'
import { useSession } from '../../../api/session.ts'
import { useUndo } from '../../../kit/list/useUndo.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'

interface Openers {
  edit: (user: User) => void
  reset: (user: User) => void
}

export function useUserActions({ edit, reset }: Openers): (user: User) => RowAction[] {
  const { t } = useTranslation('identity')
  const ownId = useSession(({ profile }) => profile?.id)
  const undoable = useUndo()
  const enable = useWrite(userCalls.enable, { done: t('user.enabled') })
  const disable = useWrite(userCalls.disable, { done: t('user.disabled') })
  const resetFactor = useWrite(secondFactorCalls.reset, { done: t('user.factorReset') })
  const remove = useWrite(userCalls.delete, { done: t('deleted') })

  function askDisable({ id, account }: User): void {
    modal.confirm({
      title: t('user.disableTitle', { account }),
      content: t('user.disableWords'),
      okText: t('disable'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => disable.run({ params: { id } }),
    })
  }
  function askResetFactor({ id, account }: User): void {
    modal.confirm({
      title: t('user.resetFactorTitle', { account }),
      content: t('user.resetFactorWords'),
      okText: t('user.resetFactor'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => resetFactor.run({ params: { id } }),
    })
  }
  function askDelete({ id, account }: User): void {
    modal.confirm({
      title: t('user.deleteTitle', { account }),
      content: t('user.deleteWords'),
      okText: t('delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => afterConfirmation(() => undoable(t('user.deleting', { account }), () => remove.run({ params: { id } }))),
    })
  }

  return (user) => {
    const change: RowAction = { key: 'edit', label: t('edit'), run: () => edit(user) }
    if (user.state === accountState.disabled)
      return [{ key: 'enable', label: t('enable'), run: () => enable.run({ params: { id: user.id } }) }]
    if (user.id === ownId) return [change]
    return [
      change,
      { key: 'reset', label: t('password.reset'), run: () => reset(user) },
      ...(user.secondFactor ? [{ key: 'resetFactor', label: t('user.resetFactor'), run: () => askResetFactor(user) }] : []),
      { key: 'disable', label: t('disable'), run: () => askDisable(user) },
      { key: 'delete', label: t('delete'), danger: true, run: () => askDelete(user) },
    ]
  }
}
