/** Picks several days; its value is a list of `YYYY-MM-DD` in order. */
import { DatePicker } from 'antd'
import type { Dayjs } from 'dayjs'
import { dayjs } from '../../../kit/days.ts'
import styles from './rules.module.css'

interface DatesFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (dates: string[]) => void
}

export function DatesField({ id, value = [], onChange }: DatesFieldProps) {
  return (
    <DatePicker<Dayjs, true>
      {...(id && { id })}
      multiple
      className={styles.dates ?? ''}
      value={value.map((date) => dayjs(date))}
      onChange={(picked) => onChange?.((picked ?? []).map((day) => day.format('YYYY-MM-DD')).sort())}
    />
  )
}
