/** Columns of the list of maintenance alarms. */
import { useTranslation } from 'react-i18next'
import type { MaintenanceAlarm } from '@gatehouse/contract/alarms/maintenance-alarms'
import { alarmHandlingStatusAlt, alarmLevel } from '@gatehouse/contract/enums/alarms'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { Two } from '../list/Two.tsx'
import { ResourceEnd } from './ResourceEnd.tsx'

export function useMaintenanceColumns(): TableColumn<MaintenanceAlarm>[] {
  const { t } = useTranslation('alarms')
  return columnsOf<MaintenanceAlarm>([
    {
      field: 'alertType',
      title: t('resource.what'),
      width: 200,
      visibility: 'always',
      render: ({ alertType, usagePercent, threshold }) => (
        <Two first={t(`resource.short.${alertType}`)} second={t('resource.share', { value: Math.round(usagePercent), threshold })} />
      ),
    },
    { field: 'level', title: t('level'), width: 72, render: ({ level }) => <EnumTag of={alarmLevel} value={level} /> },
    {
      field: 'status',
      title: t('status'),
      width: 92,
      visibility: 'always',
      render: ({ status }) => <EnumTag of={alarmHandlingStatusAlt} value={status} />,
    },
    {
      field: 'deviceName',
      title: t('device'),
      width: 160,
      visibility: 'always',
      render: ({ deviceName, deviceCode }) => <Two first={deviceName} second={deviceCode} />,
    },
    { field: 'checkTime', title: t('time'), width: 110, visibility: 'always', render: ({ checkTime }) => <RelativeTime at={checkTime} /> },
    { field: 'clearedAt', title: t('endedAt'), width: 110, render: (alarm) => <ResourceEnd alarm={alarm} /> },
    { field: 'operator', title: t('operator'), width: 100 },
    { field: 'dealtAt', title: t('dealtAt'), width: 104, visibility: 'hidden', render: ({ dealtAt }) => <RelativeTime at={dealtAt} /> },
    { field: 'dealingRecord', title: t('dealingRecord'), width: 140, visibility: 'hidden' },
    {
      field: 'escalatedAt',
      title: t('escalatedAt'),
      width: 104,
      visibility: 'hidden',
      render: ({ escalatedAt }) => <RelativeTime at={escalatedAt} />,
    },
  ])
}
