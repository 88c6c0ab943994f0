/**
 * Today hour by hour against an ordinary day, and the same in a sentence. Before the first passage the day before is drawn faintly
 * instead; where that had none either, only the sentence is shown.
 */
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { hourFrom } from '../../kit/time.ts'
import { useHour } from '../../kit/useHour.ts'
import { busiestOf, ENOUGH, hadPassages, hasPassages, hasOrdinary, paceOf, type Pace } from './figures.ts'
import type { Today } from './useCockpit.ts'
import styles from './today.module.css'

const TodayChart = lazy(() => import('./TodayChart.tsx'))
/** Percent within which a day counts as ordinary. */
const SAME = 5

/** @param today undefined while it is being read */
export function TodayCurve({ today }: { today: Today | undefined }) {
  const { t } = useTranslation('home')
  const hour = useHour()
  const paceIn = useSentence()
  const yesterdayIn = usePreviousSentence()
  const hasStarted = !today || hasPassages(today)
  const words = !today ? ' ' : hasStarted ? paceIn(paceOf(today.hours, hour)) : yesterdayIn(today)
  const waiting = <div className={styles.chartWaiting} />
  return (
    <section className={styles.today} aria-labelledby="home-curve">
      <header>
        <h2 id="home-curve">{t('curve.title')}</h2>
        {(hasStarted || hadPassages(today)) && (
          <ul className={styles.legend} aria-hidden="true" data-quiet={!hasStarted || undefined}>
            <li data-series="in">{t(hasStarted ? 'curve.in' : 'curve.previousIn')}</li>
            <li data-series="out">{t(hasStarted ? 'curve.out' : 'curve.previousOut')}</li>
            {hasStarted && today && hasOrdinary(today.hours) && <li data-series="ordinary">{t('curve.ordinary')}</li>}
          </ul>
        )}
      </header>
      <p title={words}>{words}</p>
      {(hasStarted || hadPassages(today)) && (
        <div className={styles.chart} role="img" aria-label={words}>
          {today ? (
            <Suspense fallback={waiting}>
              {hasStarted ? (
                <TodayChart key="today" hours={today.hours} now={Math.floor(hour)} />
              ) : (
                <TodayChart key="previous" hours={today.previous.hours} />
              )}
            </Suspense>
          ) : (
            waiting
          )}
        </div>
      )}
    </section>
  )
}

function usePreviousSentence(): (today: Today) => string {
  const { t, i18n } = useTranslation('home')
  return (today) => {
    if (!hadPassages(today)) return t('curve.nobodyTwice')
    const { hours } = today.previous
    const entries = hours.reduce((sum, hour) => sum + hour.in, 0)
    const busiest = busiestOf(hours)
    const compared = t('curve.previous', { count: entries, entries: entries.toLocaleString(i18n.language) })
    return busiest === undefined ? compared : t('curve.withBusiest', { compared, hour: hourFrom(busiest) })
  }
}

function useSentence(): (pace: Pace) => string {
  const { t, i18n } = useTranslation('home')
  return ({ entries, ordinary, difference, busiest }) => {
    if (entries === 0) return t('curve.nobody')
    const count = { count: entries, entries: entries.toLocaleString(i18n.language) }
    const compare = (): string => {
      if (ordinary === undefined) return t('curve.unknown', count)
      if (difference === undefined) return t('curve.early', { ...count, enough: ENOUGH })
      const percent = Math.abs(difference)
      return percent < SAME ? t('curve.same', count) : t(difference > 0 ? 'curve.more' : 'curve.less', { ...count, percent })
    }
    const compared = compare()
    return busiest === undefined ? compared : t('curve.withBusiest', { compared, hour: hourFrom(busiest) })
  }
}
