/** Whether a device is there: nobody may connect as it, its terminal is waited for, offline, or online, in colour and word. */
import type { Device } from '@gatehouse/contract/devices/calls'
import { deviceAuthorisationStatus, deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'

export function DeviceState({ device: { authorisationStatus, onlineStatus } }: { device: Device }) {
  const isPaired = authorisationStatus === deviceAuthorisationStatus.authorised || onlineStatus === deviceOnlineStatus.online
  return isPaired ? (
    <EnumTag of={deviceOnlineStatus} value={onlineStatus} />
  ) : (
    <EnumTag of={deviceAuthorisationStatus} value={authorisationStatus} />
  )
}
