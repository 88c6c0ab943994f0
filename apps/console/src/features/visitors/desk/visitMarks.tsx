/** Marks of a visit: a person of the watch list, what the desk has to check, blocked, beyond its end; and its time in words. */
import { StopOutlined, WarningFilled, WarningOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { ENDED_STATUSES } from '@gatehouse/contract/visitors/transitions'
import type { VisitRow } from '@gatehouse/contract/visitors/visit'
import { EnumTag, StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import styles from './desk.module.css'

/** Warns of a person of the watch list whose phone, ID number or face the visitor has. */
export function WatchListMark({ visit: { watchList = [] } }: { visit: Pick<VisitRow, 'watchList'> }) {
  const { t } = useTranslation('visitors')
  const [match] = watchList
  if (match === undefined) return null
  const words = t('watchListOf', { name: match.personName })
  return (
    <span className={styles.watchList} title={t(`matchedBy.${match.by}`, { name: match.personName })}>
      <WarningFilled /> <span>{words}</span>
    </span>
  )
}

type DeskChecked = Pick<VisitRow, 'status' | 'intervieweeId' | 'deskChecks'>
type DeskCheck = VisitRow['deskChecks'][number]

/** Return what the desk still has to check of a visit: nothing once it is over, and no host once one is chosen. */
export const deskChecksOf = ({ status, intervieweeId, deskChecks }: DeskChecked): DeskCheck[] =>
  ENDED_STATUSES.includes(status) ? [] : deskChecks.filter((check) => check !== 'host' || intervieweeId === null)

/** Warns of what the desk has to check before it accepts the visit. */
export function DeskCheckMarks({ visit }: { visit: DeskChecked }) {
  const { t } = useTranslation('visitors')
  const checks = deskChecksOf(visit)
  if (checks.length === 0) return null
  return (
    <span className={styles.tags}>
      {checks.map((check) => (
        <span key={check} title={t(`deskCheckWords.${check}`)}>
          <StatusTag status="wait">
            <WarningOutlined /> {t(`deskCheck.${check}`)}
          </StatusTag>
        </span>
      ))}
    </span>
  )
}

function BlockedMark({ visit: { enabled } }: { visit: Pick<VisitRow, 'enabled'> }) {
  const { t } = useTranslation('visitors')
  if (enabled) return null
  return (
    <StatusTag status="bad">
      <StopOutlined /> {t('blocked')}
    </StatusTag>
  )
}

/** The status, and whether a visitor who is still there should have left. */
export function VisitStatus({ visit }: { visit: Pick<VisitRow, 'status' | 'authorisationExpiry' | 'enabled'> }) {
  const { t } = useTranslation('visitors')
  const isOverdue = visit.status === visitorStatus.checkedIn && visit.authorisationExpiry < Date.now()
  return (
    <span className={styles.tags}>
      <EnumTag of={visitorStatus} value={visit.status} />
      {isOverdue && <StatusTag status="wait">{t('overdue')}</StatusTag>}
      <BlockedMark visit={visit} />
    </span>
  )
}

/** From and until; the day is said once where both are on one day, and the year where it is not this one. */
export function useVisitSpan(): (visit: Pick<VisitRow, 'visitTime' | 'visitEndTime'>) => string {
  const { offset } = useZoneOffset()
  return ({ visitTime, visitEndTime }) => {
    const year = formatInstant(Date.now(), offset).slice(0, 4)
    const [from, until] = [formatInstant(visitTime, offset), formatInstant(visitEndTime, offset)]
    const short = (moment: string): string => (moment.startsWith(year) ? moment.slice(5, 16) : moment.slice(0, 16))
    return from.slice(0, 10) === until.slice(0, 10) ? `${short(from)}–${until.slice(11, 16)}` : `${short(from)} – ${short(until)}`
  }
}
