/** A week as seven rows of 24 hours with bars where it is open, and the same in words for screen readers. */
import { useTranslation } from 'react-i18next'
import { periodsOf, spanOf, weekParts, WEEKDAYS, type Period } from './week.ts'
import styles from './rules.module.css'

/** Prevents a line break within a span of hours. */
const WORD_JOINER = '\u2060'

/** Return a function that puts periods in words: `Mon–Fri 08:00–18:00; Sat 09:00–12:00`. */
export function useWeekWords(): (periods: readonly Period[]) => string {
  const { t } = useTranslation('strategies')
  return (periods) =>
    weekParts(periods)
      .map(({ from, to, hours }) => {
        const span = from === to ? t(`day.${from}`) : `${t(`day.${from}`)}–${t(`day.${to}`)}`
        const days = from === 1 && to === 7 ? t('everyDay') : span
        return `${days} ${hours.join(t('common:listSeparator'))}`.replaceAll('–', `–${WORD_JOINER}`)
      })
      .join(t('partSeparator')) || t('neverOpen')
}

export function WeekPicture({ periods }: { periods: readonly Period[] }) {
  const words = useWeekWords()(periods)
  return (
    <span className={styles.picture} role="img" aria-label={words} title={words}>
      {WEEKDAYS.map((day) => (
        <span key={day} className={styles.thinDay}>
          <Bars periods={periodsOf(periods, day)} />
        </span>
      ))}
    </span>
  )
}

/** @param bad places of periods that cannot be saved */
export function Bars({ periods, bad }: { periods: ReturnType<typeof periodsOf>; bad?: ReadonlySet<number> }) {
  return periods.map((one) => {
    const span = spanOf(one)
    if (!span) return null
    return (
      <i
        key={one.place}
        data-bad={bad?.has(one.place) || undefined}
        style={{ left: `${span.from * 100}%`, width: `${span.length * 100}%` }}
      />
    )
  })
}
