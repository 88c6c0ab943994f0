/** Today hour by hour against an ordinary day, and the same in a sentence. */
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { hourFrom } from '../../kit/time.ts'
import { useHour } from '../../kit/useHour.ts'
import { ENOUGH, hasOrdinary, paceOf, type Pace } from './pace.ts'
import type { Today } from './useCockpit.ts'
import styles from './home.module.css'

const TodayChart = lazy(() => import('./TodayChart.tsx'))
/** Percent within which a day counts as ordinary. */
const SAME = 5

/** @param today undefined while it is on its way */
export function TodayCurve({ today }: { today: Today | undefined }) {
  const { t } = useTranslation('home')
  const hour = useHour()
  const sentence = useSentence()
  const words = today ? sentence(paceOf(today.hours, hour)) : ' '
  const waiting = <div className={styles.chartWaiting} />
  return (
    <section className={styles.today} aria-label={t('curve.title')}>
      <header>
        <h2>{t('curve.title')}</h2>
        <ul className={styles.legend} aria-hidden="true">
          <li data-series="in">{t('curve.in')}</li>
          <li data-series="out">{t('curve.out')}</li>
          {today && hasOrdinary(today.hours) && <li data-series="ordinary">{t('curve.ordinary')}</li>}
        </ul>
      </header>
      <p title={words}>{words}</p>
      <div className={styles.chart} role="img" aria-label={words}>
        {today ? (
          <Suspense fallback={waiting}>
            <TodayChart hours={today.hours} now={Math.floor(hour)} />
          </Suspense>
        ) : (
          waiting
        )}
      </div>
    </section>
  )
}

function useSentence(): (pace: Pace) => string {
  const { t, i18n } = useTranslation('home')
  return ({ entries, ordinary, difference, busiest }) => {
    if (entries === 0) return t('curve.nobody')
    const count = { count: entries, entries: entries.toLocaleString(i18n.language) }
    const percent = Math.abs(difference ?? 0)
    const compared =
      ordinary === undefined
        ? t('curve.unknown', count)
        : difference === undefined
          ? t('curve.early', { ...count, enough: ENOUGH })
          : percent < SAME
            ? t('curve.same', count)
            : t(difference > 0 ? 'curve.more' : 'curve.less', { ...count, percent })
    return busiest === undefined ? compared : t('curve.withBusiest', { compared, hour: hourFrom(busiest) })
  }
}
