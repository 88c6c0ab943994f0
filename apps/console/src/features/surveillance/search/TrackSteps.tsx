/** The steps of a way by day: face, place, time and likeness. Arrow keys lead from step to step. */
import { LoginOutlined, ProfileOutlined, VideoCameraOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { formatDate, formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { alarmScore } from '../../../shared/AlarmFaces.tsx'
import { daysOf, type TrackStep } from './way.ts'
import styles from './track.module.css'

/** Pixels. */
const FACE = 52
const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }

interface TrackStepsProps {
  steps: readonly TrackStep[]
  /** Numbers of devices on the plan. */
  numbers: ReadonlyMap<string, number>
  /** Index of the selected step. */
  current: number | undefined
  /** Id of a device that is pointed at on the plan. */
  highlighted: string | undefined
  select: (index: number) => void
  hover: (deviceId: string | undefined) => void
  /** Id of the step whose record is being loaded. */
  loading: string | undefined
  mayOpen: (step: TrackStep) => boolean
  open: (step: TrackStep) => void
}

export function TrackSteps({ steps, current, select, ...rest }: TrackStepsProps) {
  const { t } = useTranslation('surveillance')
  const { offset } = useZoneOffset()
  const list = useRef<HTMLDivElement>(null)
  const stepOf = (index: number) => list.current?.querySelector<HTMLElement>(`[data-step="${index}"]`)
  useEffect(() => {
    if (current !== undefined) stepOf(current)?.scrollIntoView({ block: 'nearest' })
  }, [current])

  function lead(event: KeyboardEvent): void {
    const by = STEPS[event.key]
    const next = by === undefined ? undefined : (current ?? -1) + by
    if (next === undefined || next < 0 || next >= steps.length) return
    event.preventDefault()
    select(next)
    stepOf(next)?.querySelector('button')?.focus({ preventScroll: true })
  }
  return (
    <div ref={list} role="presentation" className={styles.steps} onKeyDown={lead}>
      {daysOf(steps, offset).map(({ date, steps: ofDay, first }) => (
        <section key={first} aria-label={date}>
          <h3>
            {date} <small>{t('track.steps', { count: ofDay.length })}</small>
          </h3>
          <ol>
            {ofDay.map((step, index) => (
              <Step key={step.id} step={step} index={first + index} isCurrent={current === first + index} select={select} {...rest} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

interface StepProps extends Omit<TrackStepsProps, 'steps' | 'current'> {
  step: TrackStep
  index: number
  isCurrent: boolean
}

function Step({ step, index, isCurrent, numbers, highlighted, select, hover, loading, mayOpen, open }: StepProps) {
  const { t } = useTranslation('surveillance')
  const { kind, id, deviceId, deviceName, image, count, score } = step
  const number = numbers.get(deviceId)
  return (
    <li data-step={index} data-highlighted={highlighted === deviceId || undefined}>
      <button
        type="button"
        aria-current={isCurrent ? 'step' : undefined}
        onClick={() => select(index)}
        onMouseEnter={() => hover(deviceId)}
        onMouseLeave={() => hover(undefined)}
      >
        <Portrait name="" url={image} size={FACE} />
        <span className={styles.words}>
          <span className={styles.where}>
            {number !== undefined && <b className={styles.number}>{number}</b>}
            <span title={deviceName}>{deviceName}</span>
          </span>
          <span className={styles.when}>
            <StepTime step={step} />
            {count > 1 && <span>{t('track.times', { count })}</span>}
          </span>
          <span className={styles.kind}>
            {kind === 'capture' ? <VideoCameraOutlined /> : <LoginOutlined />}
            {t(`track.kind.${kind}`)}
            {score !== null && <span className={styles.score}>{t('track.score', { score: alarmScore(score) })}</span>}
          </span>
        </span>
      </button>
      {mayOpen(step) && (
        <Button
          type="text"
          icon={<ProfileOutlined />}
          title={t('track.open')}
          aria-label={t('track.openOf', { device: deviceName })}
          loading={loading === id}
          onClick={() => open(step)}
        />
      )}
    </li>
  )
}

/** The time of a step: from and until, with the date of its end where it is another. */
function StepTime({ step: { time, until } }: { step: TrackStep }) {
  const { offset } = useZoneOffset()
  const from = formatInstant(time, offset).slice(11)
  const to = formatInstant(until, offset)
  const isSameDay = formatDate(time, offset) === formatDate(until, offset)
  return <time dateTime={new Date(time).toISOString()}>{until === time ? from : `${from} – ${isSameDay ? to.slice(11) : to}`}</time>
}
