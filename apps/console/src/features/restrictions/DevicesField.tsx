/** Chooses devices by name, of however many; each says whether it leads in or out. Its value is their ids. */
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PAGE_SIZE_MAX } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { passDirection } from '@gatehouse/contract/enums/devices'
import type { RestrictionArea } from '@gatehouse/contract/restrictions/calls'
import { useEnumLabel } from '../../kit/EnumTag.tsx'
import { useRead } from '../../kit/query.ts'
import { useMay } from '../../kit/session.ts'

type Device = RestrictionArea['devices'][number]

interface DevicesFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (ids: string[]) => void
  /** Those chosen already. */
  known?: readonly Device[] | undefined
  /** Only devices of this direction are offered. */
  direction?: number
}

export function DevicesField({ id, value = [], onChange, known = [], direction }: DevicesFieldProps) {
  const { t } = useTranslation('restrictions')
  const label = useEnumLabel()
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<readonly Device[]>([])
  const name = typed.trim()
  const devices = useRead(
    deviceCalls.list,
    { query: { size: PAGE_SIZE_MAX, ...(name !== '' && { name }) } },
    { enabled: useMay('device.list') },
  )
  const offered = (devices.data?.content ?? []).filter((device) => direction === undefined || device.direction === direction)
  const chosen = [...known, ...picked].filter((device) => value.includes(device.id))
  const options = [...new Map([...chosen, ...offered].map((device) => [device.id, device])).values()]
  return (
    <Select
      {...(id && { id })}
      mode="multiple"
      allowClear
      showSearch={{ filterOption: false, onSearch: setTyped, searchValue: typed }}
      value={value}
      options={options.map((device) => ({
        value: device.id,
        label: t('doorWithDirection', { name: device.name, direction: label(passDirection, device.direction) }),
      }))}
      loading={devices.isFetching}
      placeholder={t('chooseDoors')}
      onChange={(ids: string[]) => {
        setPicked(options.filter((device) => ids.includes(device.id)))
        setTyped('')
        onChange?.(ids)
      }}
    />
  )
}
