/** One day of the week: its bar, its periods, and what can be done with both. */
import { CopyOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Dropdown, Tooltip } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { weekday } from '@gatehouse/contract/enums/common'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { PeriodInput } from './PeriodInput.tsx'
import { useDrawing } from './useDrawing.ts'
import { clockOf, copied, offeredPeriod, WEEKDAYS, type Period, type PlacedPeriod } from './week.ts'
import { Bars } from './WeekPicture.tsx'
import styles from './rules.module.css'

interface DayRowProps {
  day: number
  periods: PlacedPeriod[]
  /** Of the whole week. */
  all: Period[]
  /** What is wrong with a period, by its place in the week. */
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
