/** Picks a day or a time on the clock of the park; its value is epoch milliseconds or null, as calls take it. */
import type { Dayjs } from 'dayjs'
import { DatePicker } from './DatePicker.ts'
import { dayjs } from '../days.ts'
import { formatInstant, instantOfWallClock, useZoneOffset } from '../time.ts'

interface InstantFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: number | null
  onChange?: (value: number | null) => void
  /** `start`: a day counts from 00:00; `end`: until 23:59:59; `time`: to the minute. */
  as: 'start' | 'end' | 'time'
}

const TIME_OF_DAY = { start: [0, 0, 0], end: [23, 59, 59] } as const

export function InstantField({ id, value, onChange, as }: InstantFieldProps) {
  const { offset } = useZoneOffset()
  const pick = (picked: Dayjs | null): void => {
    if (!picked) return onChange?.(null)
    const [hour, minute, second] = as === 'time' ? [picked.hour(), picked.minute(), 0] : TIME_OF_DAY[as]
    onChange?.(instantOfWallClock({ year: picked.year(), month: picked.month(), day: picked.date(), hour, minute, second }, offset))
  }
  return (
    <DatePicker
      {...(id && { id })}
      value={value === null || value === undefined ? null : dayjs(formatInstant(value, offset))}
      onChange={(picked) => pick(Array.isArray(picked) ? (picked[0] ?? null) : picked)}
      {...(as === 'time' && { showTime: { format: 'HH:mm' }, format: 'YYYY-MM-DD HH:mm' })}
      style={{ width: '100%' }}
    />
  )
}
