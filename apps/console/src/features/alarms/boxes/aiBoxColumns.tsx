/** Columns of the list of alarms of AI boxes. */
import { useTranslation } from 'react-i18next'
import type { AiBoxAlarm } from '@gatehouse/contract/alarms/ai-box'
import { alarmHandlingStatusAlt, alarmLevel } from '@gatehouse/contract/enums/alarms'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { EventCell } from '../list/EventCell.tsx'

export function useAiBoxColumns(): TableColumn<AiBoxAlarm>[] {
  const { t } = useTranslation('alarms')
  return columnsOf<AiBoxAlarm>([
    {
      field: 'eventTypeName',
      title: t('event'),
      width: 200,
      visibility: 'always',
      render: ({ eventTypeName, imagePath }) => <EventCell picture={imagePath} name={eventTypeName} />,
    },
    { field: 'level', title: t('level'), width: 72, render: ({ level }) => <EnumTag of={alarmLevel} value={level} /> },
    {
      field: 'status',
      title: t('status'),
      width: 92,
      visibility: 'always',
      render: ({ status }) => <EnumTag of={alarmHandlingStatusAlt} value={status} />,
    },
    { field: 'ipcName', title: t('camera'), width: 140, visibility: 'always' },
    { field: 'deviceName', title: t('device'), width: 140 },
    { field: 'eventTime', title: t('time'), width: 110, visibility: 'always', render: ({ eventTime }) => <RelativeTime at={eventTime} /> },
    { field: 'operator', title: t('operator'), width: 100 },
    { field: 'dealtAt', title: t('dealtAt'), width: 104, visibility: 'hidden', render: ({ dealtAt }) => <RelativeTime at={dealtAt} /> },
    { field: 'dealingRecord', title: t('dealingRecord'), width: 140, visibility: 'hidden' },
    {
      field: 'receivedAt',
      title: t('receivedAt'),
      width: 104,
      visibility: 'hidden',
      render: ({ receivedAt }) => <RelativeTime at={receivedAt} />,
    },
  ])
}
