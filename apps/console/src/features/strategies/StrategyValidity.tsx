/** The validity of a strategy. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import styles from './strategies.module.css'

export function StrategyValidity({ from, to }: { from: number | null; to: number | null }) {
  const { t } = useTranslation('strategies')
  const { offset } = useZoneOffset()
  const [now] = useState(() => Date.now())
  if (from === null && to === null) return <>{t('unlimited')}</>
  const day = (at: number | null, none: string): string => (at === null ? none : formatInstant(at, offset).slice(0, 10))
  const full = (at: number | null, none: string): string => (at === null ? none : formatInstant(at, offset))
  return (
    <span className={styles.reach} title={`${full(from, t('fromNow'))} – ${full(to, t('unlimited'))}`}>
      <span>{day(from, t('fromNow'))} –</span>
      <span>{day(to, t('unlimited'))}</span>
      {to !== null && to < now && <StatusTag status="off">{t('ended')}</StatusTag>}
      {from !== null && from > now && <StatusTag status="wait">{t('notBegun')}</StatusTag>}
    </span>
  )
}
