/** Whether a device is there: never paired, offline, or online, in colour and word. */
import { useTranslation } from 'react-i18next'
import type { Device } from '@gatehouse/contract/devices/calls'
import { deviceAuthorisationStatus, deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { EnumTag, StatusTag } from '../../kit/EnumTag.tsx'

export function DeviceState({ device: { authorisationStatus, onlineStatus } }: { device: Device }) {
  const { t } = useTranslation('devices')
  const neverPaired = authorisationStatus === deviceAuthorisationStatus.unauthorised && onlineStatus === deviceOnlineStatus.offline
  return neverPaired ? <StatusTag status="wait">{t('neverPaired')}</StatusTag> : <EnumTag of={deviceOnlineStatus} value={onlineStatus} />
}
