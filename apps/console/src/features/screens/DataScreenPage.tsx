/** /dataScreen: the park on a wall. Readable from five metres, scaled from 16:9 to 32:9, and nothing on it to click. */
import { useTranslation } from 'react-i18next'
import { ListError } from '../../kit/list/ListStates.tsx'
import { useSession } from '../../api/session.ts'
import { Clock } from './Clock.tsx'
import { DayCurve } from './DayCurve.tsx'
import { DoorsNow, InsideNow, PeopleNow, TodayNow } from './Figures.tsx'
import { Passages } from './Passages.tsx'
import { useScreenData } from './useScreenData.ts'
import styles from './wall.module.css'

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
