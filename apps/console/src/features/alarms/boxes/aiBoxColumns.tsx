/** Columns of the list of alarms of AI boxes. */
import { useTranslation } from 'react-i18next'
import type { AiBoxAlarm } from '@gatehouse/contract/alarms/ai-box'
import { alarmHandlingStatusAlt } from '@gatehouse/contract/enums/alarms'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { EventCell } from '../list/EventCell.tsx'
import { useSharedColumns } from '../list/useSharedColumns.tsx'

export function useAiBoxColumns(): TableColumn<AiBoxAlarm>[] {
  const { t } = useTranslation('alarms')
  const shared = useSharedColumns(alarmHandlingStatusAlt)
  return columnsOf<AiBoxAlarm>([
    {
      field: 'eventTypeName',
      title: t('event'),
      width: 200,
      visibility: 'always',
      render: ({ eventTypeName, imagePath }) => <EventCell picture={imagePath} name={eventTypeName} />,
    },
    shared.level,
    shared.status,
    { field: 'ipcName', title: t('camera'), width: 140, visibility: 'always' },
    { field: 'deviceName', title: t('device'), width: 140 },
    { field: 'eventTime', title: t('time'), width: 110, visibility: 'always', render: ({ eventTime }) => <RelativeTime at={eventTime} /> },
    ...shared.handling,
    {
      field: 'receivedAt',
      title: t('receivedAt'),
      width: 104,
      visibility: 'hidden',
      render: ({ receivedAt }) => <RelativeTime at={receivedAt} />,
    },
  ])
}
