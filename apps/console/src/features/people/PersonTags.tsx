/** Short marks of a person: how long they may pass, and whether they agreed to be known by the face. */
import { useTranslation } from 'react-i18next'
import { useState } from 'react'
import type { ConsentState } from '@gatehouse/contract/people/calls'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { DateOnly } from '../../kit/detail/RelativeTime.tsx'
import { daysUntil } from '../../kit/time.ts'
import type { Status } from '../../theme/tokens.ts'
import styles from './people.module.css'

/** Days before the end from which it is pointed out. */
const SOON = 30

/** From when to when somebody may pass at all, and how much of it is left. */
export function Validity({ from, to }: { from: number | null; to: number | null }) {
  const { t } = useTranslation('people')
  if (from === null && to === null) return <>{t('unlimited')}</>
  return (
    <span className={styles.validity}>
      {from === null ? t('fromAlways') : <DateOnly at={from} />} – {to === null ? t('unlimited') : <DateOnly at={to} />}
      {to !== null && <TimeLeft until={to} />}
    </span>
  )
}

/** Nothing while there is time enough. */
export function TimeLeft({ until }: { until: number }) {
  const { t } = useTranslation('people')
  const [now] = useState(() => Date.now())
  const left = daysUntil(until, now)
  if (left > SOON) return null
  return left <= 0 ? (
    <StatusTag status="bad">{t('ended')}</StatusTag>
  ) : (
    <StatusTag status="wait">{t('daysLeft', { count: left })}</StatusTag>
  )
}

const STATUS: Record<ConsentState, Status> = { none: 'off', given: 'ok', withdrawn: 'bad' }

/** Whether somebody agreed to be known by the face, and since when. */
export function ConsentTag({ state, at }: { state: ConsentState; at?: number | null }) {
  const { t } = useTranslation('people')
  return (
    <span className={styles.validity}>
      <StatusTag status={STATUS[state]}>{t(`consent.${state}`)}</StatusTag>
      {at != null && state !== 'none' && <DateOnly at={at} />}
    </span>
  )
}
