/** Columns of the list of maintenance alarms. */
import { useTranslation } from 'react-i18next'
import type { MaintenanceAlarm } from '@gatehouse/contract/alarms/maintenance-alarms'
import { alarmHandlingStatusAlt } from '@gatehouse/contract/enums/alarms'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { Two } from '../list/Two.tsx'
import { useSharedColumns } from '../list/useSharedColumns.tsx'
import { ResourceEnd } from './ResourceEnd.tsx'

export function useMaintenanceColumns(): TableColumn<MaintenanceAlarm>[] {
  const { t } = useTranslation('alarms')
  const shared = useSharedColumns(alarmHandlingStatusAlt)
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
    shared.level,
    shared.status,
    {
      field: 'deviceName',
      title: t('device'),
      width: 160,
      visibility: 'always',
      render: ({ deviceName, deviceCode }) => <Two first={deviceName} second={deviceCode} />,
    },
    { field: 'checkTime', title: t('time'), width: 110, visibility: 'always', render: ({ checkTime }) => <RelativeTime at={checkTime} /> },
    { field: 'clearedAt', title: t('endedAt'), width: 110, render: (alarm) => <ResourceEnd alarm={alarm} /> },
    ...shared.handling,
    {
      field: 'escalatedAt',
      title: t('escalatedAt'),
      width: 104,
      visibility: 'hidden',
      render: ({ escalatedAt }) => <RelativeTime at={escalatedAt} />,
    },
  ])
}
