/** Which time the records are of: a preset, or from and to on the clock of the park. */
import { CalendarOutlined } from '@ant-design/icons'
import { Button, Popover, Skeleton } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RECORD_WINDOW_DEFAULT } from '@gatehouse/contract'
import { useSession } from '../../../kit/session.ts'
import { formatInstant, startOfDay, useZoneOffset } from '../../../kit/time.ts'
import type { RecordQuery } from './recordFeed.ts'
import styles from './records.module.css'

const DAY = 86_400_000
export type Window = Pick<RecordQuery, 'startTime' | 'endTime'>
/** With a calendar, which the list itself does without. */
const WindowFields = lazy(() => import('./WindowFields.tsx'))
const ALL_OF_IT: Window = { startTime: undefined, endTime: undefined }

export function TimeWindow({ value, onChange }: { value: Window; onChange: (window: Window) => void }) {
  const { t } = useTranslation('access')
  const { offset } = useZoneOffset()
  const [open, setOpen] = useState(false)
  const { startTime, endTime } = value
  // As far as the park's lists look back when no time is chosen.
  const days = useSession(({ park }) => park?.recordDays ?? RECORD_WINDOW_DEFAULT)
  const midnight = (): number => startOfDay(Date.now(), offset)
  const presets: [string, () => Window][] = [
    [t('window.today'), () => ({ ...ALL_OF_IT, startTime: midnight() })],
    [t('window.yesterday'), () => ({ startTime: midnight() - DAY, endTime: midnight() - 1 })],
    [t('window.week', { count: days }), () => ALL_OF_IT],
    [t('window.month'), () => ({ ...ALL_OF_IT, startTime: midnight() - 29 * DAY })],
  ]
  const short = (at: number | undefined, none: string): string => (at === undefined ? none : formatInstant(at, offset).slice(5, 16))
  const label =
    startTime === undefined && endTime === undefined
      ? t('window.week', { count: days })
      : `${short(startTime, '…')} – ${short(endTime, t('window.now'))}`
  const content = (
    <div className={styles.window} role="dialog" aria-label={t('window.title')}>
      <div>
        {presets.map(([words, windowOf]) => (
          <Button
            key={words}
            size="small"
            onClick={() => {
              onChange(windowOf())
              setOpen(false)
            }}
          >
            {words}
          </Button>
        ))}
      </div>
      <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 4, width: '100%' }} />}>
        <WindowFields value={value} onChange={onChange} />
      </Suspense>
    </div>
  )
  return (
    <Popover trigger="click" placement="bottomRight" arrow={false} open={open} onOpenChange={setOpen} content={content}>
      <Button icon={<CalendarOutlined />} aria-label={`${t('window.title')}: ${label}`}>
        {label}
      </Button>
    </Popover>
  )
}
