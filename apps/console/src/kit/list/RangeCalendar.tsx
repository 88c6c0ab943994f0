/** Presets and two months of days: a click chooses a day, a second one makes it a range. Arrows move, Enter chooses. */
import { DoubleLeftOutlined, DoubleRightOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Switch } from 'antd'
import { useEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ClockInput } from '../form/ClockInput.tsx'
import { dayAfter, monthAfter, monthOf, placeInWeek, sameDayIn, weeksOf } from '../months.ts'
import { ALL_DAY, daysOfPeriod, daysOfPreset, periodOf, presetOf, type Days, type Period, type Preset, type Times } from './range.ts'
import { useZoneOffset } from '../time.ts'
import styles from './range.module.css'

/** Windows in which two months do not fit beside each other. */
const NARROW = matchMedia('(max-width: 680px)')
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/
const WEEK = [0, 1, 2, 3, 4, 5, 6]
/** Placeholder for days that belong to another month. */
const NOTHING = ''

interface RangeCalendarProps {
  value: Period
  onChange: (period: Period) => void
  presets: readonly Preset[]
  today: string
  weekStart: 0 | 1
  /** What it means to choose nothing; absent where something is always chosen. */
  unset: number | 'any' | undefined
  /** Set while nothing is chosen. */
  selected: number | 'any' | undefined
  withTimes: boolean
  close: () => void
  wordsOf: (preset: Preset | 'any') => string
}

export default function RangeCalendar({
  value,
  onChange,
  presets,
  today,
  weekStart,
  unset,
  selected,
  withTimes,
  close,
  wordsOf,
}: RangeCalendarProps) {
  const { t } = useTranslation()
  const { offset } = useZoneOffset()
  const found = daysOfPeriod(value, today, offset)
  const days = found?.days
  // Stored as they were chosen, not derived from the period: between the two clicks of a night shift the period is one day, which cannot
  // hold them.
  const [times, setTimes] = useState(found?.times ?? ALL_DAY)
  const isWhole = !found || isAllDay(found.times)
  const [timed, setTimed] = useState(!isWhole)
  const preset = isWhole && days ? presetOf(days, presets, today, weekStart) : undefined
  const give = (next: Days, at: Times): void => onChange(periodOf(next, at, today, offset))
  const choose = (chosen: Preset | 'any'): void => {
    onChange(
      chosen === 'any' || chosen === unset
        ? { startTime: undefined, endTime: undefined }
        : periodOf(daysOfPreset(chosen, today, weekStart), ALL_DAY, today, offset),
    )
    close()
  }
  const setTime = (part: Partial<Times>): void => {
    const next = { ...times, ...part }
    if (!days || !TIME.test(next.from) || !TIME.test(next.to)) return
    setTimes(next)
    give(days, next)
  }
  return (
    <div className={styles.panel}>
      <div className={styles.presets} role="group" aria-label={t('range.presets')}>
        {[...(unset === 'any' ? (['any'] as const) : []), ...presets].map((one) => (
          <Button key={one} type="text" size="small" aria-pressed={one === (selected ?? preset)} onClick={() => choose(one)}>
            {wordsOf(one)}
          </Button>
        ))}
      </div>
      <div className={styles.right}>
        <Months days={days} today={today} weekStart={weekStart} give={(next) => give(next, times)} done={() => !timed && close()} />
        <p className={styles.hint}>{t('range.hint')}</p>
        {withTimes && (
          <div className={styles.times}>
            <label>
              <Switch
                size="small"
                checked={timed}
                disabled={!days}
                onChange={(on) => {
                  setTimed(on)
                  if (on) return
                  setTimes(ALL_DAY)
                  if (days && !isWhole) give(days, ALL_DAY)
                }}
              />
              {t('range.withTimes')}
            </label>
            {timed && days && (
              <span>
                <ClockInput label={t('range.from')} value={times.from} set={(from) => setTime({ from })} />
                –
                <ClockInput label={t('range.to')} value={times.to} set={(to) => setTime({ to: to === '24:00' ? ALL_DAY.to : to })} />
              </span>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

const isAllDay = ({ from, to }: Times): boolean => from === ALL_DAY.from && to === ALL_DAY.to

interface MonthsProps {
  days: Days | undefined
  today: string
  weekStart: 0 | 1
  give: (days: Days) => void
  /** Called once both ends have been chosen. */
  done: () => void
}

function Months({ days, today, weekStart, give, done }: MonthsProps) {
  const { t } = useTranslation()
  const isNarrow = useSyncExternalStore(
    (onChange) => {
      NARROW.addEventListener('change', onChange)
      return () => NARROW.removeEventListener('change', onChange)
    },
    () => NARROW.matches,
  )
  const count = isNarrow ? 1 : 2
  const latest = days && days.to > today ? days.to : today
  const [last, setLast] = useState(monthOf(days?.to ?? today))
  /** The one day that Tab leads to. */
  const [current, setCurrent] = useState(days?.to ?? today)
  /** The end that is chosen while the other one is not yet. */
  const [anchor, setAnchor] = useState<string>()
  const [pointed, setPointed] = useState<string>()
  const grid = useRef<HTMLDivElement>(null)
  const follow = useRef(true)
  useEffect(() => {
    if (follow.current) grid.current?.querySelector<HTMLElement>(`[data-day="${current}"]`)?.focus({ preventScroll: true })
    follow.current = false
  }, [current, last])

  const months = Array.from({ length: count }, (_, place) => monthAfter(last, place + 1 - count))
  const [marked, markedTo] = anchor === undefined ? [days?.from, days?.to] : ends(anchor, pointed ?? anchor)
  const show = (month: string): void => {
    setLast(month)
    setCurrent(sameDayWithin(month, current, latest))
  }
  const goTo = (day: string): void => {
    const to = day > latest ? latest : day
    follow.current = true
    setCurrent(to)
    const month = monthOf(to)
    if (month > last) setLast(month)
    else if (month < months[0]!) setLast(monthAfter(month, count - 1))
  }
  const click = (day: string): void => {
    setCurrent(day)
    if (anchor === undefined) {
      setAnchor(day)
      return give({ from: day, to: day })
    }
    const [from, to] = ends(anchor, day)
    setAnchor(undefined)
    give({ from, to })
    done()
  }
  const move = (event: KeyboardEvent): void => {
    const to = {
      ArrowLeft: () => dayAfter(current, -1),
      ArrowRight: () => dayAfter(current, 1),
      ArrowUp: () => dayAfter(current, -7),
      ArrowDown: () => dayAfter(current, 7),
      PageUp: () => sameDayIn(monthAfter(monthOf(current), -1), current),
      PageDown: () => sameDayIn(monthAfter(monthOf(current), 1), current),
      Home: () => dayAfter(current, -placeInWeek(current, weekStart)),
      End: () => dayAfter(current, 6 - placeInWeek(current, weekStart)),
    }[event.key]
    if (!to) return
    event.preventDefault()
    goTo(to())
  }
  const step = (words: string, icon: ReactNode, by: number) => {
    const month = monthAfter(last, by)
    return <Button type="text" size="small" aria-label={words} icon={icon} disabled={month > monthOf(latest)} onClick={() => show(month)} />
  }
  return (
    <div className={styles.months} ref={grid} onPointerLeave={() => setPointed(undefined)}>
      <span className={styles.back}>
        {step(t('range.previousYear'), <DoubleLeftOutlined />, -12)}
        {step(t('range.previousMonth'), <LeftOutlined />, -1)}
      </span>
      <span className={styles.on}>
        {step(t('range.nextMonth'), <RightOutlined />, 1)}
        {step(t('range.nextYear'), <DoubleRightOutlined />, 12)}
      </span>
      {months.map((month) => (
        <Month key={month} {...{ month, today, latest, weekStart, click, move, current }} point={setPointed} from={marked} to={markedTo} />
      ))}
    </div>
  )
}

const ends = (one: string, other: string): [string, string] => (one <= other ? [one, other] : [other, one])
/** Return the same day of a month, or the latest day allowed. */
function sameDayWithin(month: string, day: string, latest: string): string {
  const same = sameDayIn(month, day)
  return same > latest ? latest : same
}

interface MonthProps {
  month: string
  today: string
  /** Days after it cannot be chosen. */
  latest: string
  weekStart: 0 | 1
  from: string | undefined
  to: string | undefined
  current: string
  click: (day: string) => void
  point: (day: string) => void
  move: (event: KeyboardEvent) => void
}

function Month({ month, today, latest, weekStart, from, to, current, click, point, move }: MonthProps) {
  const { i18n } = useTranslation()
  const inWords = (options: Intl.DateTimeFormatOptions, day: string): string =>
    new Intl.DateTimeFormat(i18n.language, { ...options, timeZone: 'UTC' }).format(Date.parse(day))
  const title = inWords({ year: 'numeric', month: 'long' }, `${month}-01`)
  // Any week with the same first day.
  const firstOfWeek = dayAfter('2026-03-01', weekStart)
  const dayOf = (day: string) => {
    const isIn = from !== undefined && to !== undefined && day >= from && day <= to
    return (
      <td key={day} data-in={isIn || undefined} data-end={day === from || day === to || undefined}>
        <button
          type="button"
          data-day={day}
          disabled={day > latest}
          tabIndex={day === current ? 0 : -1}
          aria-current={day === today ? 'date' : undefined}
          aria-pressed={isIn}
          aria-label={inWords({ year: 'numeric', month: 'long', day: 'numeric', weekday: 'long' }, day)}
          onClick={() => click(day)}
          onPointerEnter={() => point(day)}
          onFocus={() => point(day)}
          onKeyDown={move}
        >
          {Number(day.slice(8))}
        </button>
      </td>
    )
  }
  return (
    <div className={styles.month}>
      <b aria-live="polite">{title}</b>
      <table aria-label={title}>
        <thead>
          <tr>
            {WEEK.map((place) => {
              const day = dayAfter(firstOfWeek, place)
              return (
                <th key={place} scope="col" abbr={inWords({ weekday: 'long' }, day)}>
                  {inWords({ weekday: i18n.language === 'en' ? 'short' : 'narrow' }, day)}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month, weekStart).map((week) => (
            <tr key={week.find((day) => day !== null)}>
              {week.map((day, place) => (day === null ? <td key={place}>{NOTHING}</td> : dayOf(day)))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
