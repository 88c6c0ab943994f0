/** One line at the end of a form: who gains and who loses which doors if it is saved like this. It never stops anybody from saving. */
import { Button } from 'antd'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Effect, RuleEffect } from '@gatehouse/contract/access/questions'
import { Unanswered } from '../../../kit/Unanswered.tsx'
import { BreachLine } from '../writtenRules/BreachLine.tsx'
import { effectParts, hoursOf, type Direction, type EffectPart } from './effectWords.ts'
import { useEffectOf, type EffectOf } from './useEffectOf.ts'
import { WeekDifference } from './WeekDifference.tsx'
import styles from './questions.module.css'

const EffectDrawer = lazy(() => import('./EffectDrawer.tsx'))

interface EffectLineProps {
  of: EffectOf
  /** Of what is changed; absent: of a strategy not yet made. */
  id?: string
}

export function EffectLine({ of, id }: EffectLineProps) {
  const { t } = useTranslation('questions')
  const { body, effect, pending, asked } = useEffectOf(of, id)
  const [{ what, used }, setDrawer] = useState<{ what?: Direction; used: boolean }>({ used: false })
  if (body === undefined) return null
  if (effect === undefined) return <Unanswered title={t('effect.unanswered')} asked={asked} />
  return (
    <>
      <EffectSentences
        effect={effect}
        pending={pending}
        show={(direction) => setDrawer({ what: direction, used: true })}
        label={t('effect.title')}
      >
        {of === 'rule' && <Hours effect={effect as RuleEffect} />}
      </EffectSentences>
      <BreachLine of={of === 'rule' ? 'timeRule' : 'strategy'} body={body} />
      <Suspense fallback={null}>
        {used && (
          <EffectDrawer key={what} of={of} body={body} what={what} devices={effect.devices} close={() => setDrawer({ used: true })} />
        )}
      </Suspense>
    </>
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
