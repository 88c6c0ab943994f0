/** Columns of the list of events at doors. */
import { useTranslation } from 'react-i18next'
import type { DeviceEvent } from '@gatehouse/contract/alarms/device-events'
import { alarmHandlingStatusAlt, alarmLevel, alarmType } from '@gatehouse/contract/enums/alarms'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { EnumTag, useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { columnsOf, type TableColumn } from '../../../kit/list/columns.tsx'
import { EventCell } from '../list/EventCell.tsx'
import { Two } from '../list/Two.tsx'
import { EventEnd } from './EventEnd.tsx'

export function useDeviceEventColumns(): TableColumn<DeviceEvent>[] {
  const { t } = useTranslation('alarms')
  const label = useEnumLabel()
  return columnsOf<DeviceEvent>([
    {
      field: 'type',
      title: t('event'),
      width: 200,
      visibility: 'always',
      render: ({ type, imageUrl }) => <EventCell picture={imageUrl} name={label(alarmType, type)} />,
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
      width: 150,
      visibility: 'always',
      render: ({ deviceName, deviceType: type }) => <Two first={deviceName} second={label(deviceType, type)} />,
    },
    { field: 'alertTime', title: t('time'), width: 110, visibility: 'always', render: ({ alertTime }) => <RelativeTime at={alertTime} /> },
    { field: 'endedAt', title: t('endedAt'), width: 110, render: (event) => <EventEnd event={event} /> },
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
