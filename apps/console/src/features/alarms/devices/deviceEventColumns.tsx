/** Columns of the list of events at doors. */
import { useTranslation } from 'react-i18next'
import type { DeviceEvent } from '@gatehouse/contract/alarms/device-events'
import { alarmHandlingStatusAlt, alarmType } from '@gatehouse/contract/enums/alarms'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { EventCell } from '../list/EventCell.tsx'
import { Two } from '../list/Two.tsx'
import { useSharedColumns } from '../list/useSharedColumns.tsx'
import { EventEnd } from './EventEnd.tsx'

export function useDeviceEventColumns(): TableColumn<DeviceEvent>[] {
  const { t } = useTranslation('alarms')
  const label = useEnumLabel()
  const shared = useSharedColumns(alarmHandlingStatusAlt)
  return columnsOf<DeviceEvent>([
    {
      field: 'type',
      title: t('event'),
      width: 200,
      visibility: 'always',
      render: ({ type, imageUrl }) => <EventCell picture={imageUrl} name={label(alarmType, type)} />,
    },
    shared.level,
    shared.status,
    {
      field: 'deviceName',
      title: t('device'),
      width: 150,
      visibility: 'always',
      render: ({ deviceName, deviceType: type }) => <Two first={deviceName} second={label(deviceType, type)} />,
    },
    { field: 'alertTime', title: t('time'), width: 110, visibility: 'always', render: ({ alertTime }) => <RelativeTime at={alertTime} /> },
    { field: 'endedAt', title: t('endedAt'), width: 110, render: (event) => <EventEnd event={event} /> },
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
