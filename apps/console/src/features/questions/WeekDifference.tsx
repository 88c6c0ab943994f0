/** What a week gains and loses, drawn: seven rows of 24 hours; the same in words for those who do not see it. */
import { useTranslation } from 'react-i18next'
import { periodsOf, spanOf, WEEKDAYS, type Period, useWeekWords } from '../strategies/index.ts'
import styles from './questions.module.css'

export function WeekDifference({ gained, lost }: { gained: readonly Period[]; lost: readonly Period[] }) {
  const { t } = useTranslation('questions')
  const words = useWeekWords()
  const said = [
    gained.length > 0 && t('effect.opensMore', { hours: words(gained) }),
    lost.length > 0 && t('effect.opensLess', { hours: words(lost) }),
  ]
    .filter(Boolean)
    .join(' ')
  const bars = (periods: readonly Period[], day: number, what: string) =>
    periodsOf(periods, day).map((one) => {
      const span = spanOf(one)
      return (
        span && <i key={`${what} ${one.place}`} data-what={what} style={{ left: `${span.from * 100}%`, width: `${span.length * 100}%` }} />
      )
    })
  return (
    <span className={styles.difference} role="img" aria-label={said} title={said}>
      {WEEKDAYS.map((day) => (
        <span key={day}>
          {bars(gained, day, 'gain')}
          {bars(lost, day, 'lose')}
        </span>
      ))}
    </span>
  )
}
