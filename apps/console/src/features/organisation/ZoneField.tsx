/** A time zone by its name, found by typing; beside it how far it is from UTC now. */
import { Select } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

interface ZoneFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (zone: string) => void
}

/** `GMT+8`, as it is now. */
const offsetOf = (zone: string): string => {
  const part = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
    .formatToParts(Date.now())
    .find(({ type }) => type === 'timeZoneName')
  return part?.value.replace('GMT', 'UTC') ?? ''
}

export function ZoneField({ id, value, onChange }: ZoneFieldProps) {
  const { t } = useTranslation('organisation')
  const options = useMemo(() => {
    // A zone that was set by another name than the browser's own stays what it is.
    const names = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...(value ? [value] : [])])
    return [...names].toSorted().map((zone) => ({ value: zone, label: `${zone.replaceAll('_', ' ')} (${offsetOf(zone)})` }))
  }, [value])
  return (
    <Select
      {...(id && { id })}
      {...(value && { value })}
      onChange={(zone: string) => onChange?.(zone)}
      options={options}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t('zone')}
      style={{ width: '100%' }}
    />
  )
}
