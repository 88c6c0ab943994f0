/** One line in a form: the persons who would gain and lose doors. It never prevents saving. */
import { Button } from 'antd'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Effect, RuleEffect } from '@gatehouse/contract/questions/calls'
import type { Breach } from '@gatehouse/contract/approvals/written-rules'
import { useMayCall } from '../../api/session.ts'
import { Unanswered } from '../../kit/detail/Unanswered.tsx'
import { BreachesAhead, BreachLine } from '../approvals/index.ts'
import { periodsOf, spanOf, WEEKDAYS, type Period, useWeekWords } from '../strategies/index.ts'
import { effectParts, hoursOf, type Direction, type EffectPart } from './effectWords.ts'
import { EFFECT_CALLS, useEffectOf, type EffectOf } from './useEffectOf.ts'
import styles from './questions.module.css'

const EffectDrawer = lazy(() => import('./EffectDrawer.tsx'))

interface EffectLineProps {
  of: EffectOf
  /** Fields of the body that the form does not have, such as the id. */
  hidden?: object
}

const NOTHING = {}

export default function EffectLine({ of, hidden = NOTHING }: EffectLineProps) {
  const { t } = useTranslation('questions')
  const { body, effect, pending, query } = useEffectOf(of, hidden)
  const mayName = useMayCall(EFFECT_CALLS[of].persons)
  const [{ what, used }, setDrawer] = useState<{ what?: Direction; used: boolean }>({ used: false })
  if (body === undefined) return null
  if (effect === undefined && query.error === null) return <Asking />
  if (effect === undefined) return <Unanswered title={t('effect.unanswered')} asked={query} />
  return (
    <>
      <EffectSentences
        effect={effect}
        pending={pending}
        {...(mayName && { show: (direction) => setDrawer({ what: direction, used: true }) })}
        label={t('effect.title')}
      >
        {'week' in effect && <Hours effect={effect} />}
      </EffectSentences>
      {'breaches' in effect ? (
        <BreachesAhead
          breaches={of === 'accessGroup' ? effect.breaches : effect.breaches.map(refused)}
          change={of === 'accessGroup' ? { accessGroup: body } : undefined}
        />
      ) : (
        <BreachLine of={of === 'rule' ? 'timeRule' : 'strategy'} body={body} />
      )}
      <Suspense fallback={null}>
        {used && (
          <EffectDrawer key={what} of={of} body={body} what={what} devices={effect.devices} close={() => setDrawer({ used: true })} />
        )}
      </Suspense>
    </>
  )
}

/** Return a breach as refused: a move cannot wait for a second person, so a rule that asks for one refuses it. */
const refused = (breach: Breach): Breach => ({ ...breach, reaction: 'refuse' })

/** Placeholder of the first answer. */
function Asking() {
  const { t } = useTranslation('questions')
  return (
    <div className={styles.effect} data-idle data-pending role="status" aria-label={t('effect.title')}>
      <p>{t('effect.asking')}</p>
    </div>
  )
}

interface EffectSentencesProps {
  effect: Effect
  /** A newer answer is being read. */
  pending?: boolean
  /** Show the persons by name; absent: there is no button. */
  show?: (what: Direction) => void
  /** Label of a region that is announced again after each change of the form. */
  label?: string
  children?: ReactNode
}

/** The persons who gain and lose doors, in few sentences. */
export function EffectSentences({ effect, pending = false, show, label, children }: EffectSentencesProps) {
  const { t } = useTranslation('questions')
  const parts = effectParts(effect)
  const doorsOf = ({ doors, more }: EffectPart): string => {
    const named = doors.join(t('common:listSeparator'))
    return more > 0 ? t('andMore', { doors: named, count: more }) : named
  }
  return (
    <div
      className={styles.effect}
      data-idle={(parts.length === 0 && effect.otherHours === 0) || undefined}
      data-pending={pending || undefined}
      {...(label !== undefined && { role: 'status', 'aria-label': label })}
    >
      <p>
        {parts.map((part) => {
          const words = t(`effect.${part.what}`, { count: part.count, doors: doorsOf(part) })
          return show ? (
            <Button key={part.what} type="link" size="small" data-what={part.what} onClick={() => show(part.what)}>
              {words}
            </Button>
          ) : (
            <span key={part.what} data-what={part.what}>
              {words}
            </span>
          )
        })}
        {effect.otherHours > 0 && <span>{t('effect.otherHours', { count: effect.otherHours })}</span>}
        {parts.length === 0 && effect.otherHours === 0 && <span>{t('effect.nothing')}</span>}
      </p>
      {children}
    </div>
  )
}

/** The hours a week gains and loses, in figures and drawn. */
function Hours({ effect: { week, strategyCount } }: { effect: RuleEffect }) {
  const { t } = useTranslation('questions')
  if (week.minutesGained + week.minutesLost === 0) return null
  return (
    <div className={styles.hours}>
      <WeekDifference gained={week.gained} lost={week.lost} />
      <span>
        {week.minutesGained > 0 && <b data-what="gain">{t('effect.moreHours', { hours: hoursOf(week.minutesGained) })}</b>}
        {week.minutesLost > 0 && <b data-what="lose">{t('effect.lessHours', { hours: hoursOf(week.minutesLost) })}</b>}
        <small>{t('effect.strategies', { count: strategyCount })}</small>
      </span>
    </div>
  )
}

/** The hours a week gains and loses, drawn as seven rows of 24 hours, with the same in words for screen readers. */
function WeekDifference({ gained, lost }: { gained: readonly Period[]; lost: readonly Period[] }) {
  const { t } = useTranslation('questions')
  const words = useWeekWords()
  const differences = [
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
    <span className={styles.difference} role="img" aria-label={differences} title={differences}>
      {WEEKDAYS.map((day) => (
        <span key={day}>
          {bars(gained, day, 'gain')}
          {bars(lost, day, 'lose')}
        </span>
      ))}
    </span>
  )
}
