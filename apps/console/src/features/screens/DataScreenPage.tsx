/** /dataScreen: the park on a wall display, readable from five metres and scaled from 16:9 to 32:9, with nothing to click. */
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListError } from '../../kit/list/ListStates.tsx'
import { useSession } from '../../api/session.ts'
import { useLiveState } from '../../api/live.ts'
import { formatInstant, useZoneOffset, hourFrom } from '../../kit/time.ts'
import { useHour } from '../../kit/useHour.ts'
import { DoorsNow, InsideNow, PeopleNow, TodayNow } from './Figures.tsx'
import { Passages } from './Passages.tsx'
import { useScreenData, type Today } from './useScreenData.ts'
import { busiestOf, lineThrough, pointsOf, topOf } from './curve.ts'
import styles from './wall.module.css'
import drawingStyles from './drawing.module.css'

export default function DataScreenPage() {
  const { t } = useTranslation('screens')
  const data = useScreenData()
  const park = useSession((state) => state.park?.parkName ?? '')
  const { settings, shows, today } = data
  if (data.failed !== undefined && data.failed !== null)
    return (
      <main className={styles.wall}>
        <ListError error={data.failed} retry={() => window.location.reload()} />
      </main>
    )
  if (settings === undefined) return <main className={styles.wall} aria-busy="true" />
  const side = shows('figures') || shows('people') || shows('devices')
  const nothing = !side && !shows('curve') && !shows('latest')
  return (
    <main
      className={styles.wall}
      data-theme={settings.theme}
      data-picture={settings.background !== '' || undefined}
      style={settings.background ? { backgroundImage: `url("${settings.background}")` } : undefined}
    >
      <header className={styles.head}>
        <div>
          <h1>{settings.title || park}</h1>
          {settings.subtitle && <p>{settings.subtitle}</p>}
        </div>
        <Clock />
      </header>
      {nothing ? (
        <p className={styles.nothing}>{t('nothing')}</p>
      ) : (
        <div
          className={styles.blocks}
          data-side={side || undefined}
          data-latest={shows('latest') || undefined}
          data-curve={shows('curve') || undefined}
        >
          {side && (
            <section className={styles.side} aria-label={t('now')}>
              {shows('figures') && <InsideNow today={today} />}
              {shows('figures') && <TodayNow today={today} />}
              {shows('people') && <PeopleNow people={data.people} />}
              {shows('devices') && <DoorsNow devices={data.devices} />}
            </section>
          )}
          {shows('curve') && <DayCurve today={today} />}
          {shows('latest') && <Passages latest={data.latest} />}
        </div>
      )}
    </main>
  )
}

/** Time and date in the park's time zone, and whether the data is live. */
function Clock() {
  const { t, i18n } = useTranslation('screens')
  const { offset } = useZoneOffset()
  const live = useLiveState(({ state }) => state)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  // The park's local time, formatted as if it were UTC.
  const day = new Intl.DateTimeFormat(i18n.language, { timeZone: 'UTC', weekday: 'long', month: 'long', day: 'numeric' }).format(
    now + offset * 60_000,
  )
  return (
    <div className={styles.clock}>
      <p>
        <span>{day}</span>
        <small data-live={live}>{t(`live.${live}`)}</small>
      </p>
      <time dateTime={new Date(now).toISOString()}>{formatInstant(now, offset).slice(11, 16)}</time>
    </div>
  )
}

const MARKS = [0, 6, 12, 18, 24]

/** Today hour by hour: entries as an area, exits as a line, an ordinary day in the background. */
function DayCurve({ today }: { today: Today | undefined }) {
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
      <div className={drawingStyles.drawing}>
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
            <line key={y} x1="0" x2="24" y1={y} y2={y} className={drawingStyles.grid} />
          ))}
          {isKnown && <path d={lineThrough(pointsOf(hours, 'ordinary', 24))} className={drawingStyles.ordinary} />}
          <path d={area} fill="url(#wall-entries)" />
          <path d={lineThrough(entries)} className={drawingStyles.entries} />
          <path d={lineThrough(pointsOf(hours, 'out', now))} className={drawingStyles.exits} />
          <line x1={now} x2={now} y1="0" y2="100" className={drawingStyles.moment} />
        </svg>
        {last && <i className={drawingStyles.tip} style={{ left: `${(last[0] / 24) * 100}%`, top: `${last[1]}%` }} />}
        <b className={drawingStyles.top} aria-hidden="true">
          {top}
        </b>
      </div>
      <ol className={drawingStyles.hours} aria-hidden="true">
        {MARKS.map((hour) => (
          <li key={hour}>{String(hour).padStart(2, '0')}:00</li>
        ))}
      </ol>
    </section>
  )
}
