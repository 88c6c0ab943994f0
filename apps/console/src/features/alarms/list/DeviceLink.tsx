/** The device of an alarm, with a link for users who may see devices. */
import { Link } from 'react-router'
import { useMayOpen } from '../../../api/session.ts'
import { path } from '../../../paths.ts'
import { screens } from '../../../screens.ts'
import type { AlarmRow } from './alarmKind.ts'

export function DeviceLink({ row: { deviceId, deviceName } }: { row: Pick<AlarmRow, 'deviceId' | 'deviceName'> }) {
  const mayOpen = useMayOpen(screens.deviceDetails)
  return mayOpen ? <Link to={path('deviceDetails', { deviceId })}>{deviceName}</Link> : <>{deviceName}</>
}
