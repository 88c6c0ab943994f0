/** Addresses of associated rules, and their deletion. */
import { useTranslation } from 'react-i18next'
import { associatedRuleCalls, type AssociatedRule } from '@gatehouse/contract/strategies/associated-rules'
import { path } from '../../../paths.ts'
import { modal } from '../../../kit/feedback.tsx'
import { useUndo } from '../../../kit/list/useUndo.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'

type Kind = { kind: string }
const isVisitor = ({ kind }: Kind): boolean => kind === 'visitor'

/** Return the address of a rule; rules for staff and for visitors have separate pages. */
export const detailOf = (rule: Kind & { id: string }): string =>
  isVisitor(rule)
    ? path('associatedRuleVisitorDetail', { id: rule.id })
    : `${path('associatedRuleDetail')}?id=${encodeURIComponent(rule.id)}`

/** Return the address of the form; without an id: of a new rule. */
export const formOf = ({ id, ...rule }: Kind & { id?: string }): string =>
  path(isVisitor(rule) ? 'addAssociatedRuleVisitorDetail' : 'addAssociatedRuleDetail') +
  (id === undefined ? '' : `?id=${encodeURIComponent(id)}`)

/**
 * Return a function that deletes an associated rule: it shows who loses what, then waits five seconds in which it can be undone.
 * @param onAgreed called once the user has agreed, before anything is deleted
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
