/** Where the pages of associated rules are, and how one is deleted. */
import { useTranslation } from 'react-i18next'
import { associatedRuleCalls, type AssociatedRule } from '@gatehouse/contract/strategies/associated-rules'
import { path } from '../../../paths.ts'
import { modal } from '../../../kit/feedback.tsx'
import { useUndo } from '../../../kit/list/useUndo.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'

type Kind = { kind: string }
const isVisitor = ({ kind }: Kind): boolean => kind === 'visitor'

/** Addresses of associated rules: those about staff and those about visitors have pages of their own. */
export const detailOf = (rule: Kind & { id: string }): string =>
  isVisitor(rule)
    ? path('associatedRuleVisitorDetail', { id: rule.id })
    : `${path('associatedRuleDetail')}?id=${encodeURIComponent(rule.id)}`

/** Without an id: a rule not yet made. */
export const formOf = ({ id, ...rule }: Kind & { id?: string }): string =>
  path(isVisitor(rule) ? 'addAssociatedRuleVisitorDetail' : 'addAssociatedRuleDetail') +
  (id === undefined ? '' : `?id=${encodeURIComponent(id)}`)

/**
 * Deleting an associated rule: says who loses what, then waits five seconds in which it can be taken back.
 * @param onAgreed called once the person at the screen has agreed, before anything is deleted
 */
export function useDeleteAssociatedRule(
  onAgreed?: () => void,
): (rule: Pick<AssociatedRule, 'id' | 'name' | 'parkName' | 'personCount' | 'deviceCount'>) => void {
  const { t } = useTranslation('strategies')
  const undoable = useUndo()
  const remove = useWrite(associatedRuleCalls.delete, { done: t('deleted') })
  return ({ id, name, parkName, personCount, deviceCount }) =>
    void modal.confirm({
      title: t('deleteStrategy', { name }),
      content:
        personCount === 0
          ? t('associated.lossNobody')
          : t('associated.loss', {
              park: parkName,
              persons: t('persons', { count: personCount }),
              doors: t('doors', { count: deviceCount }),
            }),
      okText: t('delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => {
        onAgreed?.()
        undoable(t('deleting', { name }), () => remove.run({ query: { id } }))
      },
    })
}
