/** One day of the week: its bar, its periods, and the actions on both. */
import { CopyOutlined, PlusOutlined, CloseOutlined } from '@ant-design/icons'
import { Button, Dropdown, Tooltip } from 'antd'
import { useRef, useId, useState, type PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { weekday } from '@gatehouse/contract/enums/common'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { ClockInput } from '../../../kit/form/ClockInput.tsx'
import { clockOf, copied, offeredPeriod, WEEKDAYS, type Period, type PlacedPeriod } from './week.ts'
import { Bars } from './WeekPicture.tsx'
import styles from './rules.module.css'

interface DayRowProps {
  day: number
  periods: PlacedPeriod[]
  /** Periods of the whole week. */
  all: Period[]
  /** Faults of periods in words, by their place in the week. */
  faults: ReadonlyMap<number, string>
  change: (all: Period[]) => void
}

const WORKDAYS = [1, 2, 3, 4, 5]
const WEEKEND = [6, 7]

export function DayRow({ day, periods, all, faults, change }: DayRowProps) {
  const { t } = useTranslation('strategies')
  const label = useEnumLabel()
  const name = label(weekday, day)
  const inputs = useRef<HTMLDivElement>(null)
  const drawing = useDrawing((from, to) => change([...all, { weekday: day, start: clockOf(from), end: clockOf(to) }]))

  const copyTo = (days: readonly number[]): void => change(copied(all, day, days))
  const targets = [
    { key: 'all', label: t('copy.everyDay'), onClick: () => copyTo(WEEKDAYS) },
    { key: 'workdays', label: t('copy.workdays'), onClick: () => copyTo(WORKDAYS) },
    { key: 'weekend', label: t('copy.weekend'), onClick: () => copyTo(WEEKEND) },
    { type: 'divider' as const },
    ...WEEKDAYS.filter((other) => other !== day).map((other) => ({
      key: String(other),
      label: label(weekday, other),
      onClick: () => copyTo([other]),
    })),
  ]
  function remove(place: number): void {
    change(all.filter((_, at) => at !== place))
    inputs.current?.querySelector('button')?.focus()
  }
  return (
    <div className={styles.day} role="group" aria-label={name}>
      <b>{name}</b>
      <div className={styles.track} {...drawing.handlers}>
        <Bars periods={periods} bad={new Set(faults.keys())} />
        {drawing.span && (
          <i
            data-drawing
            style={{ left: `${(drawing.span.from / 1440) * 100}%`, width: `${((drawing.span.to - drawing.span.from) / 1440) * 100}%` }}
          >
            {clockOf(drawing.span.from)}–{clockOf(drawing.span.to)}
          </i>
        )}
      </div>
      <div className={styles.periods} ref={inputs}>
        {periods.map((one) => (
          <PeriodInput
            key={one.place}
            value={one}
            fault={faults.get(one.place)}
            change={(part) => change(all.map((other, at) => (at === one.place ? { ...other, ...part } : other)))}
            remove={() => remove(one.place)}
          />
        ))}
        {periods.length === 0 && <span className={styles.closed}>{t('closed')}</span>}
        <Button
          type="text"
          size="small"
          icon={<PlusOutlined />}
          onClick={() => change([...all, offeredPeriod(all, day)])}
          aria-label={t('addPeriodOn', { day: name })}
        >
          {t('addPeriod')}
        </Button>
        {periods.length === 0 && (
          <Button
            type="text"
            size="small"
            onClick={() => change([...all, { weekday: day, start: '00:00', end: '24:00' }])}
            aria-label={t('wholeDayOn', { day: name })}
          >
            {t('wholeDay')}
          </Button>
        )}
        <Dropdown trigger={['click']} menu={{ items: targets }}>
          <Tooltip title={t('copyDay')}>
            <Button
              type="text"
              size="small"
              icon={<CopyOutlined />}
              aria-label={t('copyDayOf', { day: name })}
              className={styles.copy ?? ''}
            />
          </Tooltip>
        </Dropdown>
      </div>
    </div>
  )
}

interface PeriodInputProps {
  value: Period
  /** The fault in words; undefined where there is none. */
  fault: string | undefined
  change: (part: Partial<Period>) => void
  remove: () => void
}

/** One period in figures, with its fault. */
function PeriodInput({ value, fault, change, remove }: PeriodInputProps) {
  const { t } = useTranslation('strategies')
  const id = useId()
  const bad = {
    status: fault ? ('error' as const) : ('success' as const),
    'aria-describedby': fault ? id : undefined,
    'aria-invalid': fault !== undefined,
  }
  return (
    <span className={styles.period}>
      <ClockInput label={t('start')} value={value.start} set={(start) => change({ start })} {...bad} />
      –
      <ClockInput label={t('end')} value={value.end} set={(end) => change({ end })} {...bad} />
      <Button
        type="text"
        size="small"
        icon={<CloseOutlined />}
        onClick={remove}
        aria-label={t('removePeriod', { period: `${value.start}–${value.end}` })}
      />
      {fault && (
        <small id={id} className={styles.fault}>
          {fault}
        </small>
      )}
    </span>
  )
}

const STEP = 30
const DAY_MINUTES = 1440

interface Span {
  from: number
  to: number
}

/**
 * Let the mouse draw a period on the bar of a day, by half hours. Keyboard users type the figures instead.
 * @param done called with the minutes past midnight of the period drawn
 */
function useDrawing(done: (from: number, to: number) => void) {
  const [drawn, setDrawn] = useState<{ anchor: number; head: number }>()
  const minuteAt = (event: PointerEvent<HTMLElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const share = Math.min(Math.max((event.clientX - left) / width, 0), 1)
    return Math.round((share * DAY_MINUTES) / STEP) * STEP
  }
  const span: Span | undefined = drawn && { from: Math.min(drawn.anchor, drawn.head), to: Math.max(drawn.anchor, drawn.head) }
  return {
    /** The period being drawn. */
    span,
    handlers: {
      onPointerDown: (event: PointerEvent<HTMLElement>) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const at = minuteAt(event)
        setDrawn({ anchor: at, head: at })
      },
      onPointerMove: (event: PointerEvent<HTMLElement>) => {
        const head = minuteAt(event)
        setDrawn((before) => before && { ...before, head })
      },
      onPointerUp: () => {
        // A click without a movement draws nothing.
        if (span && span.to > span.from) done(span.from, span.to)
        setDrawn(undefined)
      },
      onPointerCancel: () => setDrawn(undefined),
    },
  }
}
