/** Which time the entries are of: a preset, or from and to on the clock of the park. */
import { CalendarOutlined } from '@ant-design/icons'
import { Button, Popover, Skeleton } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import styles from './audit.module.css'

const DAY = 86_400_000
export interface Window {
  startTime?: number | undefined
  endTime?: number | undefined
}
/** With a calendar, which the list itself does without. */
const WindowFields = lazy(() => import('./WindowFields.tsx'))
/** Days back from now; the first is what holds when nothing is chosen. */
const PRESETS = [7, 30, 90, 365] as const

export function LogWindow({ value, onChange }: { value: Window; onChange: (window: Window) => void }) {
  const { t } = useTranslation('audit')
  const { offset } = useZoneOffset()
  const [open, setOpen] = useState(false)
  const { startTime, endTime } = value
  const choose = (days: number): void => {
    onChange({ startTime: days === PRESETS[0] ? undefined : Date.now() - days * DAY, endTime: undefined })
    setOpen(false)
  }
  const short = (at: number | undefined, none: string): string => (at === undefined ? none : formatInstant(at, offset).slice(0, 16))
  const label =
    startTime === undefined && endTime === undefined
      ? t('window.days', { count: PRESETS[0] })
      : `${short(startTime, '…')} – ${short(endTime, t('window.now'))}`
  const content = (
    <div className={styles.window} role="dialog" aria-label={t('window.title')}>
      <div>
        {PRESETS.map((days) => (
          <Button key={days} size="small" onClick={() => choose(days)}>
            {t('window.days', { count: days })}
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
