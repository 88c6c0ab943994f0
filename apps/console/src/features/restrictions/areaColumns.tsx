/** Columns of the list of restriction areas. */
import { useTranslation } from 'react-i18next'
import { restrictionLimitType } from '@gatehouse/contract/enums/access'
import type { RestrictionArea } from '@gatehouse/contract/restrictions/calls'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { Occupancy } from './Occupancy.tsx'

/** The rules that hold, in words. */
export function useRuleWords(): (area: Pick<RestrictionArea, 'antiSneakBack' | 'flowLimit' | 'limitCount'>) => string {
  const { t } = useTranslation('restrictions')
  return ({ antiSneakBack, flowLimit, limitCount }) =>
    [antiSneakBack && t('antiSneakBack'), flowLimit && t('limitOf', { count: limitCount ?? 0 })]
      .filter(Boolean)
      .join(t('common:listSeparator')) || t('noRule')
}

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
