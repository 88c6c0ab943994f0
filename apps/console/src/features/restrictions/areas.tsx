/** What the pages of areas share: columns, actions, addresses, and marks of persons inside. */
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { restrictionLimitType } from '@gatehouse/contract/enums/access'
import { type RestrictionArea, restrictionCalls, PERSON_STATE, type PersonState } from '@gatehouse/contract/restrictions/calls'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { useEnumLabel, StatusTag } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { modal } from '../../kit/feedback.tsx'
import type { RowAction } from '../../kit/list/RowMenu.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { path } from '../../paths.ts'

/** Return a function that puts the rules of an area in words. */
export function useRuleWords(): (area: Pick<RestrictionArea, 'antiSneakBack' | 'flowLimit' | 'limitCount'>) => string {
  const { t } = useTranslation('restrictions')
  return ({ antiSneakBack, flowLimit, limitCount }) =>
    [antiSneakBack && t('antiSneakBack'), flowLimit && t('limitOf', { count: limitCount ?? 0 })]
      .filter(Boolean)
      .join(t('common:listSeparator')) || t('noRule')
}

/** Return the columns of the list of areas. */
export function useAreaColumns(): TableColumn<RestrictionArea>[] {
  const { t } = useTranslation('restrictions')
  const label = useEnumLabel()
  const rules = useRuleWords()
  return columnsOf<RestrictionArea>([
    { field: 'name', title: t('name'), width: 170, visibility: 'always' },
    { field: 'limitType', title: t('limitType'), width: 120, render: ({ limitType }) => label(restrictionLimitType, limitType) },
    { field: 'antiSneakBack', title: t('rules'), width: 190, render: rules },
    {
      field: 'devices',
      title: t('doors'),
      width: 170,
      render: ({ devices }) => devices.map(({ name }) => name).join(t('common:listSeparator')),
    },
    { field: 'count', title: t('inside'), width: 120, render: (area) => <Occupancy {...area} /> },
    { field: 'offlinePolicy', title: t('offline'), width: 130, render: ({ offlinePolicy }) => t(`offlineShort.${offlinePolicy}`) },
    {
      field: 'updatedAt',
      title: t('updatedAt'),
      width: 120,
      visibility: 'hidden',
      render: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
    },
  ])
}

interface AreaActions {
  menu: (area: RestrictionArea) => RowAction[]
  remove: (area: RestrictionArea) => void
}

/**
 * Return the actions on an area, the same in the list and on its page.
 * @param onDeleted called once an area has been deleted
 */
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
      const go = (to: string): void => void navigate(to)
      const toggle: RowAction = {
        key: 'flowLimit',
        label: t(flowLimit ? 'flowLimitOff' : 'flowLimitOn'),
        run: () => setFlowLimit.run({ params: { id }, body: { status: flowLimit ? 0 : 1 } }),
      }
      return [
        { key: 'persons', label: t('persons'), run: () => go(personsOf(id)) },
        { key: 'muster', label: t('muster.title'), run: () => go(musterOf(id)) },
        { key: 'edit', label: t('edit'), run: () => go(formOf(id)) },
        // A limit without a number cannot be switched on; the form asks for the number.
        ...(limitCount === null ? [] : [toggle]),
        { key: 'delete', label: t('delete'), danger: true, run: () => remove(area) },
      ]
    },
  }
}

/** Return the address of an area's page, with its id in the query. */
export const detailOf = (id: string): string => `${path('accessRestrictionDetail')}?id=${encodeURIComponent(id)}`
/** Return the address of an area's form; without an id: of a new area. */
export const formOf = (id?: string): string => path('addAccessRestrictionDetail') + (id ? `?id=${encodeURIComponent(id)}` : '')
export const personsOf = (id: string): string => path('accessRestrictionPersonList', { id })
export const musterOf = (id: string): string => path('accessRestrictionMuster', { id })

/** The number of persons inside, and the limit. */
export function Occupancy({
  count,
  limitCount,
  flowLimit = true,
}: Pick<RestrictionArea, 'count' | 'limitCount'> & { flowLimit?: boolean }) {
  const { t } = useTranslation('restrictions')
  if (!flowLimit || limitCount === null) return <>{t('insideCount', { count })}</>
  return <StatusTag status={count >= limitCount ? 'bad' : 'ok'}>{t('insideOf', { count, limit: limitCount })}</StatusTag>
}

/** Whether a person is inside, as a tag and as choices. */
export function StateTag({ state }: { state: PersonState }) {
  const { t } = useTranslation('restrictions')
  return <StatusTag status={state === PERSON_STATE.inside ? 'info' : 'off'}>{t(`states.${state}`)}</StatusTag>
}

export function useStateOptions(): { value: PersonState; label: string }[] {
  const { t } = useTranslation('restrictions')
  return [PERSON_STATE.inside, PERSON_STATE.outside].map((value) => ({ value, label: t(`states.${value}`) }))
}
