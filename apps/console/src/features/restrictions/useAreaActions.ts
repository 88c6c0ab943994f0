/** What can be done with an area, wherever it stands. */
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { restrictionCalls, type RestrictionArea } from '@gatehouse/contract/restrictions/calls'
import { modal } from '../../kit/feedback.tsx'
import type { RowAction } from '../../kit/list/RowMenu.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { formOf, musterOf, personsOf } from './addresses.ts'

interface AreaActions {
  menu: (area: RestrictionArea) => RowAction[]
  remove: (area: RestrictionArea) => void
}

/** @param onDeleted called once an area is gone */
export function useAreaActions(onDeleted?: () => void): AreaActions {
  const { t } = useTranslation('restrictions')
  const navigate = useNavigate()
  const deletion = useWrite(restrictionCalls.delete, { done: t('deleted'), ...(onDeleted && { onDone: onDeleted }) })
  const setFlowLimit = useWrite(restrictionCalls.setFlowLimit, { done: t('saved') })

  const remove = ({ id, name }: RestrictionArea): void =>
    void modal.confirm({
      title: t('deleteTitle', { name }),
      content: t('deleteWords'),
      okText: t('delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => deletion.send({ params: { id } }).catch(() => {}),
    })

  return {
    remove,
    menu: (area) => {
      const { id, flowLimit, limitCount } = area
      const go = (to: string) => () => void navigate(to)
      const toggle: RowAction = {
        key: 'flowLimit',
        label: t(flowLimit ? 'flowLimitOff' : 'flowLimitOn'),
        run: () => setFlowLimit.run({ params: { id }, body: { status: flowLimit ? 0 : 1 } }),
      }
      return [
        { key: 'persons', label: t('persons'), run: go(personsOf(id)) },
        { key: 'muster', label: t('muster.title'), run: go(musterOf(id)) },
        { key: 'edit', label: t('edit'), run: go(formOf(id)) },
        // Without a number there is nothing to switch on; the form asks for it.
        ...(limitCount === null ? [] : [toggle]),
        { key: 'delete', label: t('delete'), danger: true, run: () => remove(area) },
      ]
    },
  }
}
