/** Short marks of a person: their validity, and their consent to recognition by face. */
import { useTranslation } from 'react-i18next'
import { useState } from 'react'
import type { ConsentState } from '@gatehouse/contract/people/person-fields'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { DateOnly } from '../../kit/detail/RelativeTime.tsx'
import { daysUntil } from '../../kit/time.ts'
import type { Status } from '../../theme/tokens.ts'
import styles from './people.module.css'

/** Days before the end of validity from which a mark is shown. */
const SOON = 30

/** The validity of a person, and the time left. */
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

/** The time left; nothing while there is enough. */
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

/** The consent of a person to recognition by face, with its date. */
export function ConsentTag({ state, at }: { state: ConsentState; at?: number | null }) {
  const { t } = useTranslation('people')
  return (
    <span className={styles.validity}>
      <StatusTag status={STATUS[state]}>{t(`consent.${state}`)}</StatusTag>
      {at != null && state !== 'none' && <DateOnly at={at} />}
    </span>
  )
}
