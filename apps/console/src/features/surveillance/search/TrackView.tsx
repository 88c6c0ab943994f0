/** The way of a face: its steps in the order of time beside the plan, on which they are numbered and joined. */
import { PauseOutlined, CaretRightOutlined } from '@ant-design/icons'
import { Alert, Button, Skeleton } from 'antd'
import { lazy, Suspense, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { DataOf } from '@gatehouse/contract'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { useRead } from '../../../api/query.ts'
import { useMayOpen } from '../../../api/session.ts'
import { ListError } from '../../../kit/list/ListStates.tsx'
import { PlanMap } from '../../../kit/map/PlanMap.tsx'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { path } from '../../../paths.ts'
import { screens } from '../../../screens.ts'
import { RecordDrawer } from '../../records/index.ts'
import { PlaceDevices } from './PlaceDevices.tsx'
import { TrackSteps } from './TrackSteps.tsx'
import type { TrackSearch } from './trackSearch.ts'
import { useOneSearch } from './useOneSearch.ts'
import { useStep } from './useStep.ts'
import { legTo, nextAt, numbersOf, unplacedOf, type Track } from './way.ts'
import styles from './track.module.css'

const CaptureDrawer = lazy(() => import('../CaptureDrawer.tsx'))

type Positions = DataOf<(typeof faceSearchCalls)['positions']>

/** Milliseconds that a step is shown for while the way is played. */
const PLAY_MS = 1400

/** @param startedAt when the user started the search. Epoch milliseconds */
export default function TrackView({ search, startedAt }: { search: TrackSearch; startedAt: number }) {
  const { t } = useTranslation('surveillance')
  const track = useOneSearch(faceSearchCalls.track, { body: search }, { startedAt })
  const positions = useRead(faceSearchCalls.positions, {})
  const failure = track.error ?? positions.error
  if (track.data === undefined || positions.data === undefined) {
    if (failure === null) return <Skeleton active className={styles.state ?? ''} paragraph={{ rows: 8 }} />
    const again = (): void => {
      for (const query of [track, positions]) if (query.isError) void query.refetch()
    }
    return <ListError error={failure} retry={again} />
  }
  if (track.data.steps.length === 0)
    return (
      <div className={styles.state}>
        <Title track={track.data} />
        <p>{t('track.none')}</p>
        <p>{t('track.compared', { count: track.data.searched })}</p>
      </div>
    )
  return <Way key={JSON.stringify(search)} track={track.data} plan={positions.data} />
}

function Way({ track, plan }: { track: Track; plan: Positions }) {
  const { t } = useTranslation('surveillance')
  const { steps } = track
  const [current, setCurrent] = useState<number>()
  const [hovered, setHovered] = useState<string>()
  const play = usePlay(steps.length, current, setCurrent)
  const { shown, close, ...step } = useStep()
  const placed = useMemo(() => new Set(plan.devices.map(({ deviceId }) => deviceId)), [plan])
  const numbers = useMemo(() => numbersOf(steps, placed), [steps, placed])
  const way = useMemo(() => steps.map(({ deviceId }) => deviceId), [steps])
  const pins = useMemo(
    () =>
      plan.devices.map(({ deviceId: id, deviceName: label, x, y }) => {
        const number = numbers.get(id)
        return { id, label, x, y, ...(number !== undefined && { tone: 'active' as const, number }) }
      }),
    [plan, numbers],
  )
  const leg = useMemo(() => legTo(steps, current, placed), [steps, current, placed])
  const select = (index: number): void => {
    play.stop()
    setCurrent(index)
  }
  return (
    <div className={styles.track}>
      <header>
        <Title track={track} />
        <Span track={track} />
        <output className={styles.at}>
          {current !== undefined && t('track.at', { at: current + 1, of: steps.length })}
          <span className="unseen"> {current !== undefined && steps[current]?.deviceName}</span>
        </output>
        {steps.length > 1 && (
          <Button icon={play.isPlaying ? <PauseOutlined /> : <CaretRightOutlined />} onClick={play.isPlaying ? play.stop : play.start}>
            {t(play.isPlaying ? 'track.pause' : 'track.play')}
          </Button>
        )}
      </header>
      {track.more && <Alert type="warning" showIcon title={t('track.more', { count: steps.length })} />}
      <div className={styles.columns}>
        <TrackSteps steps={steps} numbers={numbers} current={current} highlighted={hovered} select={select} hover={setHovered} {...step} />
        <div className={styles.plan}>
          {plan.picture === '' ? (
            <NoPlan />
          ) : (
            <PlanMap
              picture={plan.picture}
              label={t('track.plan')}
              pins={pins}
              path={way}
              leg={leg}
              selected={current === undefined ? undefined : steps[current]?.deviceId}
              highlighted={hovered}
              onHover={setHovered}
              onSelect={(id) => {
                const next = nextAt(steps, id, current)
                if (next !== undefined) select(next)
              }}
            />
          )}
          {plan.picture !== '' && <NotOnPlan devices={unplacedOf(steps, placed)} />}
        </div>
      </div>
      <Suspense fallback={null}>
        {shown.capture && (
          <CaptureDrawer
            capture={shown.open ? shown.capture : undefined}
            rows={[shown.capture]}
            show={(id) => id === undefined && close()}
          />
        )}
        {shown.record && (
          <RecordDrawer record={shown.open ? shown.record : undefined} rows={[shown.record]} show={(id) => id === undefined && close()} />
        )}
      </Suspense>
    </div>
  )
}

function Title({ track: { person } }: { track: Track }) {
  const { t } = useTranslation('surveillance')
  return <h2>{person === null ? t('track.ofFace') : t('track.ofPerson', { name: person.name })}</h2>
}

/** How many steps there are, at how many places, and from when to when. */
function Span({ track: { steps, notComparable } }: { track: Track }) {
  const { t } = useTranslation('surveillance')
  const { offset } = useZoneOffset()
  const [from, to] = [steps[0]!.time, steps.at(-1)!.until].map((moment) => formatInstant(moment, offset).slice(0, 16))
  const places = new Set(steps.map(({ deviceId }) => deviceId)).size
  return (
    <p>
      {t('track.steps', { count: steps.length })} · {t('track.places', { count: places })} · {t('capture.fromTo', { from, to })}
      {notComparable > 0 && <> · {t('track.notComparable', { count: notComparable })}</>}
    </p>
  )
}

function NoPlan() {
  const { t } = useTranslation('surveillance')
  const mayUpload = useMayOpen(screens.mapSettings)
  return (
    <div className={styles.noPlan}>
      <p>{t('track.noPlan')}</p>
      {mayUpload ? <Link to={path('mapSettings')}>{t('track.upload')}</Link> : <p>{t('track.uploadElsewhere')}</p>}
    </div>
  )
}

function NotOnPlan({ devices }: { devices: { id: string; name: string }[] }) {
  const { t } = useTranslation('surveillance')
  return (
    <div className={styles.notOnPlan}>
      {devices.length > 0 && (
        <p>
          {t('track.notOnPlan', {
            devices: devices.map(({ name }) => name).join(t('common:listSeparator')),
            interpolation: { escapeValue: false },
          })}
        </p>
      )}
      <PlaceDevices devices={devices} />
    </div>
  )
}

/** Walk through the steps, one after the other, to the last. */
function usePlay(count: number, current: number | undefined, show: (index: number) => void) {
  const [isPlaying, setIsPlaying] = useState(false)
  const advance = useEffectEvent((): void => {
    const next = (current ?? -1) + 1
    if (next < count) show(next)
    if (next >= count - 1) setIsPlaying(false)
  })
  useEffect(() => {
    if (!isPlaying) return
    const timer = setInterval(() => advance(), PLAY_MS)
    return () => clearInterval(timer)
  }, [isPlaying])
  return {
    isPlaying,
    stop: () => setIsPlaying(false),
    start: () => {
      // From the last step it begins again.
      show(current === undefined || current >= count - 1 ? 0 : current + 1)
      setIsPlaying(true)
    },
  }
}
