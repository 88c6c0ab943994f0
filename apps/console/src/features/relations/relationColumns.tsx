/** Columns of the list of linked parks. */
import { useTranslation } from 'react-i18next'
import { parkSyncApplicationStatus } from '@gatehouse/contract/enums/access'
import type { ParkRelation } from '@gatehouse/contract/relations/calls'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'

export function useRelationColumns(): TableColumn<ParkRelation>[] {
  const { t } = useTranslation('relations')
  return columnsOf<ParkRelation>([
    { field: 'parkName', title: t('park'), width: 170, visibility: 'always' },
    { field: 'direction', title: t('direction'), width: 120, render: ({ direction }) => t(direction) },
    { field: 'status', title: t('status'), width: 110, render: ({ status }) => <EnumTag of={parkSyncApplicationStatus} value={status} /> },
    { field: 'personCount', title: t('people'), width: 100, render: ({ personCount }) => t('peopleCount', { count: personCount }) },
    { field: 'remark', title: t('remark'), width: 150 },
    { field: 'createdAt', title: t('createdAt'), width: 130, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      field: 'decidedAt',
      title: t('decidedAt'),
      width: 130,
      render: ({ decidedAt }) => decidedAt !== null && <RelativeTime at={decidedAt} />,
    },
  ])
}
