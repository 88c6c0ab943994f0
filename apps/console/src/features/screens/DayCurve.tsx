/** Today hour by hour: entries as light, exits as a line, an ordinary day as the ground behind them. */
import { useTranslation } from 'react-i18next'
import { hourFrom } from '../../kit/time.ts'
import { useHour } from '../../kit/useHour.ts'
import { busiestOf, lineThrough, pointsOf, topOf } from './curve.ts'
import type { Today } from './useScreenData.ts'
import styles from './wall.module.css'

const MARKS = [0, 6, 12, 18, 24]

export function DayCurve({ today }: { today: Today | undefined }) {
  const { t } = useTranslation('screens')
  const now = useHour()
  const hours = today?.hours ?? []
  const top = topOf(hours)
  const entries = pointsOf(hours, 'in', now)
  const last = entries.at(-1)
  const area = entries.length > 1 ? `${lineThrough(entries)} L${last![0]},100 L${entries[0]![0]},100 Z` : ''
  const busiest = busiestOf(hours)
  const isKnown = hours.some(({ ordinary }) => ordinary > 0)
  return (
    <section className={styles.curve} aria-label={t('curve')}>
      <header>
        <h2>{t('curve')}</h2>
        <ul aria-hidden="true">
          <li data-series="in">{t('entries')}</li>
          <li data-series="out">{t('exits')}</li>
          {isKnown && <li data-series="ordinary">{t('ordinary')}</li>}
        </ul>
      </header>
      <div className={styles.drawing}>
        <svg
          viewBox="0 0 24 100"
          preserveAspectRatio="none"
          role="img"
          aria-label={busiest === undefined ? t('nobodyYet') : t('busiest', { hour: hourFrom(busiest) })}
        >
          <defs>
            <linearGradient id="wall-entries" x1="0" x2="0" y1="0" y2="1">
              <stop offset="0" stopColor="var(--wall-accent)" stopOpacity="0.5" />
              <stop offset="1" stopColor="var(--wall-accent)" stopOpacity="0.02" />
            </linearGradient>
          </defs>
          {[25, 50, 75, 100].map((y) => (
            <line key={y} x1="0" x2="24" y1={y} y2={y} className={styles.grid} />
          ))}
          {isKnown && <path d={lineThrough(pointsOf(hours, 'ordinary', 24))} className={styles.ordinary} />}
          <path d={area} fill="url(#wall-entries)" />
          <path d={lineThrough(entries)} className={styles.entries} />
          <path d={lineThrough(pointsOf(hours, 'out', now))} className={styles.exits} />
          <line x1={now} x2={now} y1="0" y2="100" className={styles.moment} />
        </svg>
        {last && <i className={styles.tip} style={{ left: `${(last[0] / 24) * 100}%`, top: `${last[1]}%` }} />}
        <b className={styles.top} aria-hidden="true">
          {top}
        </b>
      </div>
      <ol className={styles.hours} aria-hidden="true">
        {MARKS.map((hour) => (
          <li key={hour}>{String(hour).padStart(2, '0')}:00</li>
        ))}
      </ol>
    </section>
  )
}
