/** Doors as they are offered to choose from: found by the name or the code of their device, shown with both. */
import { useDeferredValue } from 'react'
import { PAGE_SIZE_MAX } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Device } from '@gatehouse/contract/devices/device'
import { useRead } from '../api/query.ts'
import { useMay } from '../api/session.ts'
import styles from '../kit/kit.module.css'

export interface DoorChoice {
  /** Id of the device. */
  value: string
  label: string
  code: string
}

export const doorChoice = ({ id, name, code = '' }: { id: string; name: string; code?: string }): DoorChoice => ({
  value: id,
  label: name,
  code,
})

/** Of a `<Select>` of doors. */
export const DOOR_SEARCH = ['label', 'code']

/** Devices a typed text may mean, of however many there are: the server is asked only where not all of them are here. */
export function useDevices(typed = ''): { devices: Device[]; searching: boolean; loaded: boolean } {
  const allowed = useMay('device.list')
  const keyword = useDeferredValue(typed.trim())
  const first = useRead(deviceCalls.list, { query: { size: PAGE_SIZE_MAX } }, { enabled: allowed })
  const isBeyond = keyword !== '' && first.data !== undefined && first.data.total > first.data.content.length
  const found = useRead(deviceCalls.list, { query: { keyword, size: PAGE_SIZE_MAX } }, { enabled: isBeyond })
  const { data, isFetching } = isBeyond ? found : first
  return { devices: data?.content ?? [], searching: isFetching, loaded: first.data !== undefined }
}

/** The doors of the park, for a filter; undefined until they are here, and for users who may not see them. */
export function useDoorChoices(): DoorChoice[] | undefined {
  const { devices, loaded } = useDevices()
  return loaded ? devices.map(doorChoice) : undefined
}

export const doorOption = ({ data: { label, code } }: { data: Pick<DoorChoice, 'label' | 'code'> }) => (
  <span className={styles.doorChoice}>
    <span>{label}</span>
    <small>{code}</small>
  </span>
)
