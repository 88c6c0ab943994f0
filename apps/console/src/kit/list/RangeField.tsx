/** A period on the clock of the park: a button that shows it, and behind it presets and a calendar. */
import { CalendarOutlined } from '@ant-design/icons'
import { Button, Popover, Skeleton } from 'antd'
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '@gatehouse/contract'
import { WEEK_START } from '../months.ts'
import { ALL_DAY, daysOfPeriod, presetOf, PRESETS, type Period, type Preset } from './range.ts'
import { formatDate, useZoneOffset } from '../time.ts'
import styles from './range.module.css'

/** Loaded separately: a list needs no calendar before the field is opened. */
const RangeCalendar = lazy(() => import('./RangeCalendar.tsx'))

interface RangeFieldProps {
  value: Period
  onChange: (period: Period) => void
  /** What applies where nothing is chosen: the last so many days, or any time. Absent: something is always chosen. */
  unset?: number | 'any'
  /** Numbers of days back that are offered as presets besides. */
  back?: readonly number[]
  /** Whether times of day can be chosen. */
  withTimes?: boolean
}

export function RangeField({ value, onChange, unset, back = [], withTimes = true }: RangeFieldProps) {
  const { t, i18n } = useTranslation()
  const { offset } = useZoneOffset()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const today = formatDate(Date.now(), offset)
  const weekStart = WEEK_START[i18n.language as Language]
  const presets = [...PRESETS, ...[unset, ...back].filter((days) => typeof days === 'number' && !PRESETS.includes(days))] as Preset[]
  const wordsOf = usePresetWords()
  const words = useRangeWords(value, { presets, ...(unset !== undefined && { unset: wordsOf(unset) }) })
  const close = (): void => {
    setOpen(false)
    button.current?.focus()
  }
  const escape = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    // A dialog around the field stays open.
    event.stopPropagation()
    close()
  })
  useEffect(() => {
    if (!open) return
    document.addEventListener('keydown', escape, true)
    return () => document.removeEventListener('keydown', escape, true)
  }, [open])
  return (
    <Popover
      trigger="click"
      placement="bottomRight"
      arrow={false}
      destroyOnHidden
      open={open}
      onOpenChange={setOpen}
      content={
        <div role="dialog" aria-label={t('range.title')}>
          <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 8, width: '100%' }} className={styles.waiting ?? ''} />}>
            <RangeCalendar
              {...{ value, onChange, presets, today, weekStart, unset, withTimes, close, wordsOf }}
              selected={value.startTime === undefined && value.endTime === undefined ? unset : undefined}
            />
          </Suspense>
        </div>
      }
    >
      <Button
        ref={button}
        icon={<CalendarOutlined />}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={`${t('range.title')}: ${words}`}
      >
        {words}
      </Button>
    </Popover>
  )
}

/** Return a function that gives the words of a preset, or of any time. */
function usePresetWords(): (preset: Preset | 'any') => string {
  const { t } = useTranslation()
  return (preset) => (typeof preset === 'number' ? t('range.lastDays', { count: preset }) : t(`range.${preset}`))
}

interface RangeWords {
  presets?: readonly Preset[]
  /** Words for when nothing is chosen. */
  unset?: string
}

/** Return the words of a period: its preset, a day of the week, or from and to. */
export function useRangeWords(period: Period, { presets = PRESETS, unset = '' }: RangeWords = {}): string {
  const { t, i18n } = useTranslation()
  const { offset } = useZoneOffset()
  const wordsOf = usePresetWords()
  const today = formatDate(Date.now(), offset)
  const weekStart = WEEK_START[i18n.language as Language]
  const short = (day: string): string => (day.slice(0, 4) === today.slice(0, 4) ? day.slice(5) : day)
  const found = daysOfPeriod(period, today, offset)
  if (!found) return period.endTime === undefined ? unset : `… – ${short(formatDate(period.endTime, offset))}`
  const { days, times } = found
  const whole = times.from === ALL_DAY.from && times.to === ALL_DAY.to
  const preset = whole ? presetOf(days, presets, today, weekStart) : undefined
  if (preset !== undefined) return wordsOf(preset)
  if (days.from !== days.to)
    return whole ? `${short(days.from)} – ${short(days.to)}` : `${short(days.from)} ${times.from} – ${short(days.to)} ${times.to}`
  const weekday = new Intl.DateTimeFormat(i18n.language, { weekday: 'short', timeZone: 'UTC' }).format(Date.parse(days.from))
  const day = t('range.day', { date: short(days.from), weekday })
  return whole ? day : `${day} ${times.from}–${times.to}`
}
