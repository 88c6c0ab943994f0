/** The state of a device in colour and word: without authorisation, never paired, offline or online. */
import type { Device } from '@gatehouse/contract/devices/device'
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
