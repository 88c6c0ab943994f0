/** Counts of today above the list: each is a link that filters the list to what it counts. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { queriesOf, readAgain, readOptions } from '../../../api/query.ts'
import { startOfDay, useZoneOffset } from '../../../kit/time.ts'
import { path } from '../../../paths.ts'
import styles from './desk.module.css'

/** Milliseconds between two readings of the counts. */
const PACE = 5000
const DAY = 86_400_000
/** Days that a visit may have begun before today and still go on. */
const REGULAR_DAYS = 365

const COUNTS = ['pending', 'expected', 'present', 'overdue', 'gone'] as const
type Count = (typeof COUNTS)[number]

const STATUSES: Record<Count, readonly number[]> = {
  pending: [visitorStatus.pendingReview, visitorStatus.toConfirm],
  expected: [visitorStatus.notYetVisited],
  present: [visitorStatus.checkedIn],
  overdue: [visitorStatus.checkedIn],
  gone: [visitorStatus.signedOff, visitorStatus.left],
}

/** Days before today from which the list has to look for what is counted; undefined where its usual window is enough. */
const DAYS_BEFORE: Record<Count, number | undefined> = {
  pending: undefined,
  expected: 0,
  present: REGULAR_DAYS,
  overdue: REGULAR_DAYS,
  gone: 0,
}

/** Return whether the list is filtered by the statuses of a count. */
const isShown = (count: Count, shown: readonly number[] | undefined): boolean =>
  shown?.length === STATUSES[count].length && STATUSES[count].every((status) => shown.includes(status))

export function DeskCounts({ statuses }: { statuses: readonly number[] | undefined }) {
  const { t } = useTranslation('visitors')
  const { offset } = useZoneOffset()
  const counts = useDeskCounts()
  const addressOf = (count: Count): string => {
    const search = new URLSearchParams(STATUSES[count].map((status) => ['status', String(status)]))
    const before = DAYS_BEFORE[count]
    const today = startOfDay(Date.now(), offset)
    if (before !== undefined) search.set('startTime', String(today - before * DAY))
    if (count === 'expected') search.set('endTime', String(today + DAY - 1))
    return `${path('visitorCurrent')}?${search}`
  }
  return (
    <nav className={styles.counts} aria-label={t('counts.title')}>
      {COUNTS.map((count) => (
        <Link
          key={count}
          to={addressOf(count)}
          replace
          data-count={count}
          data-none={counts?.[count] === 0 || undefined}
          {...(count !== 'overdue' && isShown(count, statuses) && { 'aria-current': 'true' as const })}
        >
          <b>{counts?.[count] ?? '–'}</b>
          <span>{t(`counts.${count}`)}</span>
        </Link>
      ))}
    </nav>
  )
}

/** Return the counts, read every few seconds. The list is read again only when they have changed: visitors come without any action here. */
function useDeskCounts() {
  const cache = useQueryClient()
  const { data } = useQuery({ ...readOptions(visitorCalls.summary, {}), refetchInterval: PACE })
  const key = data && Object.values(data).join()
  const shown = useRef(key)
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== key) void readAgain(cache, queriesOf(visitorCalls.list))
    shown.current = key
  }, [key, cache])
  return data
}
