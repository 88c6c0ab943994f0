/** The control of a door that something else on the screen names, such as a record. */
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { useRead } from '../../api/query.ts'
import { DoorButton } from './DoorButton.tsx'

export default function DoorOf({ deviceId }: { deviceId: string }) {
  const device = useRead(deviceCalls.read, { params: { id: deviceId } })
  return device.data ? <DoorButton device={device.data} /> : null
}
