/** A choice of doors by name or code, of however many; its value is the ids of their devices. */
import { useQueries } from '@tanstack/react-query'
import { Select } from 'antd'
import { useState } from 'react'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Device } from '@gatehouse/contract/devices/device'
import { DOOR_SEARCH, doorChoice, doorOption, useDevices, type DoorChoice } from './doorChoices.tsx'
import { readOptions } from '../api/query.ts'
import { useMay } from '../api/session.ts'

/** The facts about a door that was chosen before. */
type Door = Pick<Device, 'id' | 'name'> & Partial<Pick<Device, 'code' | 'direction'>>

interface DoorsFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (ids: string[]) => void
  placeholder: string
  /** Doors that are chosen already, for users who may not list devices. */
  initial?: readonly Door[] | undefined
  /** Only devices of this type are offered; absent: of all types. */
  type?: number
  /** Whether a door is offered; absent: all are. */
  offers?: (device: Device) => boolean
  /** Returns the label of a door where its name is not enough. */
  labelOf?: (device: Door) => string
}

export function DoorsField({
  id,
  value = [],
  onChange,
  placeholder,
  initial = [],
  type,
  offers = () => true,
  labelOf = ({ name }) => name,
}: DoorsFieldProps) {
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<readonly Door[]>([])
  const { devices, searching, loaded } = useDevices(typed, type)
  const here = new Map<string, Door>([...initial, ...picked, ...devices].map((device) => [device.id, device]))
  const missing = useMay('device.list') && loaded ? value.filter((one) => !here.has(one)) : []
  // Doors that were chosen before, and are not among those offered now.
  const named = useQueries({
    queries: missing.map((one) => readOptions(deviceCalls.read, { params: { id: one } })),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  })
  const chosen = [...here.values(), ...named].filter((device) => value.includes(device.id))
  const options = new Map<string, Door>([...chosen, ...devices.filter(offers)].map((device) => [device.id, device]))
  return (
    <Select<string[], DoorChoice>
      {...(id && { id })}
      mode="multiple"
      allowClear
      showSearch={{ optionFilterProp: DOOR_SEARCH, onSearch: setTyped, searchValue: typed }}
      value={value}
      options={[...options.values()].map((device) => ({ ...doorChoice(device), label: labelOf(device) }))}
      loading={searching}
      placeholder={placeholder}
      notFoundContent={searching ? null : undefined}
      optionRender={doorOption}
      onChange={(ids) => {
        setPicked([...options.values()].filter((device) => ids.includes(device.id)))
        setTyped('')
        onChange?.(ids)
      }}
    />
  )
}
