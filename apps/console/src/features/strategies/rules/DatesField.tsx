/** Picks several days, one by one or from a calendar file; its value is a list of `YYYY-MM-DD` in order. */
import { CalendarOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { Dayjs } from 'dayjs'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { DatePicker } from '../../../kit/form/DatePicker.ts'
import { dayjs } from '../../../kit/days.ts'
import { useEditor } from '../../../kit/form/useEditor.ts'
import { together } from './dates.ts'
import styles from './rules.module.css'

const CalendarDialog = lazy(() => import('./CalendarDialog.tsx'))

interface DatesFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (dates: string[]) => void
  /** What the days are to the rule, as its label says. */
  label: string
}

/** Dates shown one by one; how many more there are stands behind them. */
const SHOWN = 24

export function DatesField({ id, value = [], onChange, label }: DatesFieldProps) {
  const { t } = useTranslation('strategies')
  const calendar = useEditor<never>()
  return (
    <>
      <DatePicker<Dayjs, true>
        {...(id && { id })}
        multiple
        // Calendars bring hundreds.
        maxTagCount={SHOWN}
        className={styles.dates ?? ''}
        value={value.map((date) => dayjs(date))}
        onChange={(picked) => onChange?.((picked ?? []).map((day) => day.format('YYYY-MM-DD')).sort())}
      />
      <Button
        type="link"
        size="small"
        className={styles.import ?? ''}
        icon={<CalendarOutlined />}
        aria-label={`${t('calendar.title')}: ${label}`}
        onClick={calendar.add}
      >
        {t('calendar.title')}
      </Button>
      <Suspense fallback={null}>
        {calendar.round > 0 && (
          <CalendarDialog
            key={calendar.round}
            open={calendar.open}
            close={calendar.close}
            label={label}
            there={value}
            add={(dates) => onChange?.(together(value, dates))}
          />
        )}
      </Suspense>
    </>
  )
}
