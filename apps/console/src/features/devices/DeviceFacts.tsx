/** The facts about a device, as far as its type has them. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device, DeviceDetail } from '@gatehouse/contract/devices/device'
import { accessType } from '@gatehouse/contract/enums/access'
import {
  deviceAuthorisationStatus,
  deviceChannelCount,
  deviceLicense,
  deviceModel,
  deviceType,
  gateStatus,
  networkMode,
  passDirection,
} from '@gatehouse/contract/enums/devices'
import { isTamperingRecent } from '@gatehouse/contract/devices/tampering'
import { Connection } from '../../shared/Connection.tsx'
import { Facts } from '../../kit/detail/DetailPage.tsx'
import { EnumTag, StatusTag } from '../../kit/detail/EnumTag.tsx'
import { DateOnly } from '../../kit/detail/RelativeTime.tsx'
import { shownName } from '../../kit/shownName.ts'
import { clockOrDate, useZoneOffset } from '../../kit/time.ts'
import { hasPart } from './deviceValues.ts'
import { SignedInBy } from './deviceMarks.tsx'
import styles from './devices.module.css'

type Fact = [name: string, value: ReactNode]

export function DeviceFacts({ device }: { device: DeviceDetail }) {
  const { t, i18n } = useTranslation('devices')
  const figure = (value: number | null): string | null => value?.toLocaleString(i18n.language) ?? null
  const yesNo = (value: boolean): string => (value ? t('yes') : t('no'))
  const code = (text: string): ReactNode => text && <span className={styles.code}>{text}</span>
  const { type } = device

  const network: Fact[] = [
    [t('port'), device.port === null ? null : String(device.port)],
    [t('userName'), device.userName],
    [t('password'), device.hasPassword ? t('isSet') : null],
  ]
  const door: Fact[] = [
    [t('gateStatus'), <EnumTag of={gateStatus} value={device.gateStatus} />],
    [t('accessType'), device.accessType === null ? t('anyAccessType') : <EnumTag of={accessType} value={device.accessType} />],
    [t('relayMac'), code(device.relayMac)],
    [t('lockMacs'), device.lockMacs.length > 0 ? code(device.lockMacs.join(t('common:listSeparator'))) : null],
  ]
  const intercom: Fact[] = [
    [t('digitalCode'), code(device.digitalCode)],
    [t('openDoorConfirm'), yesNo(device.openDoorConfirm)],
  ]
  return (
    <Facts
      facts={[
        [t('code'), code(device.code)],
        [t('authorisation'), <EnumTag of={deviceAuthorisationStatus} value={device.authorisationStatus} />],
        [t('signIn.column'), <SignedInBy way={device.signedInBy} />],
        [t('pairedBy'), shownName(device.pairedBy)],
        // A device that was added before devices were released has no user who released it.
        [t('release.by'), device.released ? shownName(device.releasedBy) : t('release.not')],
        [t('lastSeenAt'), <Connection of={device} />],
        [t('type'), <EnumTag of={deviceType} value={type} />],
        [t('model'), <EnumTag of={deviceModel} value={device.model} />],
        [t('direction'), <EnumTag of={passDirection} value={device.direction} />],
        [t('group'), device.groupName],
        [t('todayAccessCount'), figure(device.todayAccessCount)],
        [t('totalAccessCount'), figure(device.totalAccessCount)],
        [t('capacity'), figure(device.capacity)],
        [t('storeTampering.name'), <StoreTampering found={device.storeTampering} />],
        [t('ip'), device.ip],
        ...(hasPart(type, 'network') ? network : []),
        [t('networkMode'), <EnumTag of={networkMode} value={device.networkMode} />],
        ...(hasPart(type, 'channels')
          ? ([[t('channelCount'), <EnumTag of={deviceChannelCount} value={device.channelCount} />]] satisfies Fact[])
          : []),
        ...(hasPart(type, 'door') ? door : []),
        ...(hasPart(type, 'passcode') ? ([[t('devicePassword'), device.hasDevicePassword ? t('isSet') : null]] satisfies Fact[]) : []),
        ...(hasPart(type, 'intercom') ? intercom : []),
        ...(hasPart(type, 'video') ? ([[t('supportsVideo'), yesNo(device.supportsVideo)]] satisfies Fact[]) : []),
        [t('firmware'), device.firmwareVersion],
        [t('apkName'), device.apkName],
        [t('platform'), device.platform],
        [t('license'), <EnumTag of={deviceLicense} value={device.license} />],
        [t('createdAt'), <DateOnly at={device.createdAt} />],
      ]}
    />
  )
}

/** Changes in the store of a device that the device had not made itself, and when it found them. */
function StoreTampering({ found }: { found: Device['storeTampering'] }) {
  const { t } = useTranslation('devices')
  const { offset } = useZoneOffset()
  if (found === null) return <>{t('storeTampering.never')}</>
  const { at, persons, rules } = found
  const now = Date.now()
  const withPersons = rules ? 'both' : 'persons'
  const withoutPersons = rules ? 'rules' : 'file'
  return (
    <StatusTag status={isTamperingRecent(at, now) ? 'bad' : 'info'}>
      {t(`storeTampering.${persons > 0 ? withPersons : withoutPersons}`, { at: clockOrDate(at, now, offset), count: persons })}
    </StatusTag>
  )
}
