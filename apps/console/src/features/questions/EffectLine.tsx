/** One line in a form: who gains and who loses which doors if it is saved like this. It never stops anybody from saving. */
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
  /** What the form does not ask, such as the id of what is changed. */
  hidden?: object
}

const NOTHING = {}

export default function EffectLine({ of, hidden = NOTHING }: EffectLineProps) {
  const { t } = useTranslation('questions')
  const { body, effect, pending, asked } = useEffectOf(of, hidden)
  const mayName = useMayCall(EFFECT_CALLS[of].persons)
  const [{ what, used }, setDrawer] = useState<{ what?: Direction; used: boolean }>({ used: false })
  if (body === undefined) return null
  if (effect === undefined && asked.error === null) return <Asking />
  if (effect === undefined) return <Unanswered title={t('effect.unanswered')} asked={asked} />
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

/** A move cannot wait for a second person, so it is refused by a rule that asks for one, too. */
const refused = (breach: Breach): Breach => ({ ...breach, reaction: 'refuse' })

/** Stands where the first answer will. */
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
  /** A newer answer is on its way. */
  pending?: boolean
  /** Shows who they are; absent where that is not asked. */
  show?: (what: Direction) => void
  /** What it is, where it is told anew as a form is filled in. */
  label?: string
  children?: ReactNode
}

/** Who gains and who loses which doors, in few sentences. */
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

/** What the week gains and loses, in figures and drawn. */
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

/** What a week gains and loses, drawn: seven rows of 24 hours; the same in words for those who do not see it. */
function WeekDifference({ gained, lost }: { gained: readonly Period[]; lost: readonly Period[] }) {
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
