/** Doors as choices: found by the name or the code of their device, shown with both. */
import { useDeferredValue } from 'react'
import { PAGE_SIZE_MAX } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { deviceType, ValueOf } from '@gatehouse/contract/enums'
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

/** Fields that a `<Select>` of doors searches. */
export const DOOR_SEARCH = ['label', 'code']

/**
 * Return the devices that a typed text may match, of however many there are: the server is asked only where not all of them are loaded.
 * @param type only of this type
 */
export function useDevices(typed = '', type?: number): { devices: Device[]; searching: boolean; loaded: boolean } {
  const allowed = useMay('device.list')
  const ofType = type === undefined ? {} : { type: type as ValueOf<typeof deviceType> }
  const keyword = useDeferredValue(typed.trim())
  const first = useRead(deviceCalls.list, { query: { size: PAGE_SIZE_MAX, ...ofType } }, { enabled: allowed })
  const isBeyond = keyword !== '' && first.data !== undefined && first.data.total > first.data.content.length
  const found = useRead(deviceCalls.list, { query: { keyword, size: PAGE_SIZE_MAX, ...ofType } }, { enabled: isBeyond })
  const { data, isFetching } = isBeyond ? found : first
  return { devices: data?.content ?? [], searching: isFetching, loaded: first.data !== undefined }
}

/**
 * Return the doors of the park, for a filter; undefined until they are loaded, and for users who may not see them.
 * @param type only of this type
 */
export function useDoorChoices(type?: number): DoorChoice[] | undefined {
  const { devices, loaded } = useDevices('', type)
  return loaded ? devices.map(doorChoice) : undefined
}

export const doorOption = ({ data: { label, code } }: { data: Pick<DoorChoice, 'label' | 'code'> }) => (
  <span className={styles.doorChoice}>
    <span>{label}</span>
    <small>{code}</small>
  </span>
)
