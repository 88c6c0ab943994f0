/** Columns of the device list: is it there, does it know everybody, open its door. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Device } from '@gatehouse/contract/devices/calls'
import { deviceModel, deviceOnlineStatus, deviceType, passDirection } from '@gatehouse/contract/enums/devices'
import { columnsOf, type TableColumn } from '../../kit/columns.tsx'
import { EnumTag, useEnumLabel } from '../../kit/EnumTag.tsx'
import { DateOnly, RelativeTime } from '../../kit/RelativeTime.tsx'
import { path } from '../../paths.ts'
import { DeviceState } from './DeviceState.tsx'
import { DoorButton } from './DoorButton.tsx'
import { Held } from './Held.tsx'
import styles from './devices.module.css'

export function useDeviceColumns(): TableColumn<Device>[] {
  const { t } = useTranslation('devices')
  const label = useEnumLabel()
  return columnsOf<Device>([
    {
      field: 'name',
      title: t('name'),
      width: 124,
      visibility: 'always',
      render: ({ id, name, code }) => (
        <span className={styles.twoLines}>
          <Link to={path('deviceDetails', { deviceId: id })} title={name} tabIndex={-1}>{name}</Link>
          <small title={code}>{code}</small>
        </span>
      ),
    },
    {
      field: 'onlineStatus',
      title: t('state'),
      width: 116,
      visibility: 'always',
      render: (device) => (
        <span className={styles.twoLines}>
          <span><DeviceState device={device} /></span>
          {device.lastSeenAt !== null && device.onlineStatus === deviceOnlineStatus.offline && <small><RelativeTime at={device.lastSeenAt} /></small>}
        </span>
      ),
    },
    { field: 'personsHeld', title: t('personsHeld'), width: 140, render: (device) => <Held device={device} /> },
    { field: 'direction', title: t('direction'), width: 70, render: ({ direction }) => label(passDirection, direction) },
    { field: 'type', title: t('type'), width: 166, render: ({ type }) => label(deviceType, type) },
    { field: 'id', title: t('door'), width: 128, render: (device) => <DoorButton device={device} /> },
    { field: 'lastSeenAt', title: t('lastSeenAt'), width: 128, visibility: 'hidden', render: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
    { field: 'groupName', title: t('group'), width: 128, visibility: 'hidden' },
    { field: 'model', title: t('model'), width: 132, visibility: 'hidden', render: ({ model }) => <EnumTag of={deviceModel} value={model} /> },
    { field: 'ip', title: t('ip'), width: 128, visibility: 'hidden' },
    { field: 'firmwareVersion', title: t('firmware'), width: 112, visibility: 'hidden' },
    { field: 'createdAt', title: t('createdAt'), width: 112, visibility: 'hidden', render: ({ createdAt }) => <DateOnly at={createdAt} /> },
  ])
}
