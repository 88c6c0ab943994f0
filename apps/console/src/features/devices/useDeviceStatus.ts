/** The live status of devices: frames are written into the cached lists of devices and single devices. */
import { useQueryClient } from '@tanstack/react-query'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Device } from '@gatehouse/contract/devices/device'
import { topics, type TopicPayload } from '@gatehouse/contract/realtime'
import { useLive } from '../../api/live.ts'
import { changeCached, queriesOf, readAgain } from '../../api/query.ts'

type Status = TopicPayload<typeof topics.deviceStatus>['rows'][number]

/** Return the device with the status of a frame; the same object where the frame has none, so that nothing is rendered again. */
function withStatus(device: Device, rows: readonly Status[]): Device {
  const status = rows.find(({ id }) => id === device.id)
  return status ? { ...device, ...status } : device
}

export function useDeviceStatus(): void {
  const cache = useQueryClient()
  const list = queriesOf(deviceCalls.list)
  const read = queriesOf(deviceCalls.read)
  useLive(
    topics.deviceStatus,
    ({ rows, more }) => {
      // Rows that are left out of a frame are read again.
      if (more) void readAgain(cache, list)
      changeCached<{ content: Device[] }>(cache, list, (page) => ({
        ...page,
        content: page.content.map((device) => withStatus(device, rows)),
      }))
      changeCached<Device>(cache, read, (device) => withStatus(device, rows))
    },
    [list, read],
  )
}
