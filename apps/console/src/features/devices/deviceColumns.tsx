/**
 * Columns of the device list: whether a device is connected, whether all its persons are stored, and the button of its door. The columns
 * shown at first fit beside the groups at a width of 1280 pixels, including the menu of the row.
 */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isPartBuilt } from '@gatehouse/contract/built'
import type { Device, DeviceDetail } from '@gatehouse/contract/devices/device'
import {
  deviceAuthorisationStatus,
  deviceChannelCount,
  deviceLicense,
  deviceModel,
  deviceType,
  gateStatus,
  passDirection,
} from '@gatehouse/contract/enums/devices'
import { columnsOf, type ListColumn, type TableColumn } from '../../kit/list/columns.tsx'
import { Connection } from '../../shared/Connection.tsx'
import { EnumTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { DateOnly } from '../../kit/detail/RelativeTime.tsx'
import { path } from '../../paths.ts'
import { DeviceState } from './DeviceState.tsx'
import { DoorButton } from './DoorButton.tsx'
import { StoredPersons, NotReleased, SignedInBy } from './deviceMarks.tsx'
import styles from './devices.module.css'

/** @param release null: the user may not release persons to devices */
export function useDeviceColumns(release: ((device: Device) => void) | null): TableColumn<DeviceDetail>[] {
  return columnsOf<DeviceDetail>([...useFirstColumns(release), ...useFurtherColumns()])
}

/** Columns that are shown at first. */
function useFirstColumns(release: ((device: Device) => void) | null): ListColumn<DeviceDetail>[] {
  const { t } = useTranslation('devices')
  const label = useEnumLabel()
  return [
    {
      field: 'name',
      title: t('name'),
      width: 124,
      visibility: 'always',
      render: ({ id, name, code }) => (
        <span className={styles.twoLines}>
          <Link to={path('deviceDetails', { deviceId: id })} title={name} tabIndex={-1}>
            {name}
          </Link>
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
          <span>
            <DeviceState device={device} />
          </span>
          {device.lastSeenAt !== null && (
            <small>
              <Connection of={device} stated />
            </small>
          )}
        </span>
      ),
    },
    {
      field: 'personsHeld',
      title: t('personsHeld'),
      width: 134,
      render: (device) => (device.released ? <StoredPersons device={device} /> : <NotReleased device={device} release={release} />),
    },
    { field: 'direction', title: t('direction'), width: 70, render: ({ direction }) => label(passDirection, direction) },
    {
      field: 'type',
      title: t('type'),
      width: 130,
      render: ({ type }) => <span className={styles.wrapped}>{label(deviceType, type)}</span>,
    },
    { field: 'id', title: t('door'), width: 128, render: (device) => <DoorButton device={device} /> },
  ]
}

/** Columns that a user can add. */
function useFurtherColumns(): ListColumn<DeviceDetail>[] {
  const { t, i18n } = useTranslation('devices')
  const label = useEnumLabel()
  const figure = (value: number | null): string | null => value?.toLocaleString(i18n.language) ?? null
  return [
    {
      field: 'lastSeenAt',
      title: t('lastSeenAt'),
      width: 128,
      visibility: 'hidden',
      render: (device) => <Connection of={device} />,
    },
    { field: 'groupName', title: t('group'), width: 128, visibility: 'hidden' },
    {
      field: 'model',
      title: t('model'),
      width: 132,
      visibility: 'hidden',
      render: ({ model }) => <EnumTag of={deviceModel} value={model} />,
    },
    {
      field: 'authorisationStatus',
      title: t('authorisation'),
      width: 128,
      visibility: 'hidden',
      render: ({ authorisationStatus }) => <EnumTag of={deviceAuthorisationStatus} value={authorisationStatus} />,
    },
    {
      field: 'signedInBy',
      title: t('signIn.column'),
      width: 128,
      visibility: 'hidden',
      render: ({ signedInBy }) => <SignedInBy way={signedInBy} />,
    },
    {
      field: 'todayAccessCount',
      title: t('todayAccessCount'),
      width: 112,
      visibility: 'hidden',
      render: ({ todayAccessCount }) => figure(todayAccessCount),
    },
    {
      field: 'totalAccessCount',
      title: t('totalAccessCount'),
      width: 112,
      visibility: 'hidden',
      render: ({ totalAccessCount }) => figure(totalAccessCount),
    },
    { field: 'capacity', title: t('capacity'), width: 112, visibility: 'hidden', render: ({ capacity }) => figure(capacity) },
    {
      field: 'gateStatus',
      title: t('gateStatus'),
      width: 112,
      visibility: 'hidden',
      render: (device) => <EnumTag of={gateStatus} value={device.gateStatus} />,
    },
    {
      field: 'channelCount',
      title: t('channelCount'),
      width: 112,
      visibility: 'hidden',
      render: ({ channelCount }) => label(deviceChannelCount, channelCount),
    },
    { field: 'digitalCode', title: t('digitalCode'), width: 112, visibility: 'hidden', offered: isPartBuilt('intercom') },
    { field: 'platform', title: t('platform'), width: 112, visibility: 'hidden' },
    { field: 'apkName', title: t('apkName'), width: 140, visibility: 'hidden' },
    {
      field: 'license',
      title: t('license'),
      width: 112,
      visibility: 'hidden',
      render: ({ license }) => <EnumTag of={deviceLicense} value={license} />,
    },
    { field: 'ip', title: t('ip'), width: 128, visibility: 'hidden' },
    { field: 'port', title: t('port'), width: 80, visibility: 'hidden' },
    { field: 'firmwareVersion', title: t('firmware'), width: 112, visibility: 'hidden' },
    { field: 'createdAt', title: t('createdAt'), width: 112, visibility: 'hidden', render: ({ createdAt }) => <DateOnly at={createdAt} /> },
  ]
}
