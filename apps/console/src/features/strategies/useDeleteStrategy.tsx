/** Deletion of a strategy: shows who loses what, then waits five seconds in which it can be undone. */
import { useTranslation } from 'react-i18next'
import { strategyCalls, type Strategy } from '@gatehouse/contract/strategies/calls'
import { modal } from '../../kit/feedback.tsx'
import { useUndo } from '../../kit/list/useUndo.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { DeletionEffect } from '../questions/index.ts'

/** @param onAgreed called once the user has agreed, before anything is deleted */
export function useDeleteStrategy(
  onAgreed?: () => void,
): (strategy: Pick<Strategy, 'id' | 'name' | 'personCount' | 'deviceCount' | 'timeRuleIds' | 'methods'>) => void {
  const { t } = useTranslation('strategies')
  const undoable = useUndo()
  const remove = useWrite(strategyCalls.delete, { done: t('deleted') })
  return (strategy) => {
    const { id, name, personCount, deviceCount, timeRuleIds, methods } = strategy
    modal.confirm({
      title: t('deleteStrategy', { name }),
      content: (
        <>
          <p>{t('strategyLoss', { persons: t('persons', { count: personCount }), doors: t('doors', { count: deviceCount }) })}</p>
          <DeletionEffect of="strategy" body={{ id, timeRuleIds, methods }} />
        </>
      ),
      okText: t('delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => {
        onAgreed?.()
        undoable(t('deleting', { name }), () => remove.run({ query: { id } }))
      },
    })
  }
}
