/** Columns that the lists of several kinds of alarms share. */
import { useTranslation } from 'react-i18next'
import { alarmLevel } from '@gatehouse/contract/enums/alarms'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import type { ListColumn } from '../../../kit/list/columns.tsx'

interface Alarm {
  level: number
  status: number
  operator: string
  dealtAt: number | null
  dealingRecord: string
}

interface SharedColumns {
  level: ListColumn<Alarm>
  status: ListColumn<Alarm>
  /** By whom, when and how it was handled. */
  handling: readonly ListColumn<Alarm>[]
}

/** @param statuses the states that alarms of the list have */
export function useSharedColumns(statuses: Parameters<typeof EnumTag>[0]['of']): SharedColumns {
  const { t } = useTranslation('alarms')
  return {
    level: { field: 'level', title: t('level'), width: 72, render: ({ level }) => <EnumTag of={alarmLevel} value={level} /> },
    status: {
      field: 'status',
      title: t('status'),
      width: 92,
      visibility: 'always',
      render: ({ status }) => <EnumTag of={statuses} value={status} />,
    },
    handling: [
      { field: 'operator', title: t('operator'), width: 100 },
      { field: 'dealtAt', title: t('dealtAt'), width: 104, visibility: 'hidden', render: ({ dealtAt }) => <RelativeTime at={dealtAt} /> },
      { field: 'dealingRecord', title: t('dealingRecord'), width: 140, visibility: 'hidden' },
    ],
  }
}
