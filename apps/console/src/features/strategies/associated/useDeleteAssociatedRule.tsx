/** Deleting an associated rule: says who loses what, then waits five seconds in which it can be taken back. */
import { useTranslation } from 'react-i18next'
import { associatedRuleCalls, type AssociatedRule } from '@gatehouse/contract/strategies/associated-rules'
import { modal } from '../../../kit/feedback.tsx'
import { useUndo } from '../../../kit/list/useUndo.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'

/** @param onAgreed called once the person at the screen has agreed, before anything is deleted */
export function useDeleteAssociatedRule(
  onAgreed?: () => void,
): (rule: Pick<AssociatedRule, 'id' | 'name' | 'parkName' | 'personCount' | 'deviceCount'>) => void {
  const { t } = useTranslation(['associated', 'access'])
  const undoable = useUndo()
  const remove = useWrite(associatedRuleCalls.delete, { done: t('access:deleted') })
  return ({ id, name, parkName, personCount, deviceCount }) =>
    void modal.confirm({
      title: t('access:deleteStrategy', { name }),
      content:
        personCount === 0
          ? t('associated:lossNobody')
          : t('associated:loss', {
              park: parkName,
              persons: t('access:persons', { count: personCount }),
              doors: t('access:doors', { count: deviceCount }),
            }),
      okText: t('access:delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => {
        onAgreed?.()
        undoable(t('access:deleting', { name }), () => remove.run({ query: { id } }))
      },
    })
}
