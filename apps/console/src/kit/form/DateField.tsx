/** Picks a day; its value is `YYYY-MM-DD` or empty, as calls take it. */
import { DatePicker } from './DatePicker.ts'
import { dayjs } from '../days.ts'

interface DateFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (value: string) => void
}

export function DateField({ id, value, onChange }: DateFieldProps) {
  return (
    <DatePicker
      {...(id && { id })}
      value={value ? dayjs(value) : null}
      onChange={(picked) => onChange?.(dayjs.isDayjs(picked) ? picked.format('YYYY-MM-DD') : '')}
      style={{ width: '100%' }}
    />
  )
}
