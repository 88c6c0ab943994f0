/** The bubble of a visit: it waits for a decision, or the visitor has arrived. */
import { AuditOutlined, LoginOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { visitReason } from '@gatehouse/contract/enums/visitors'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { clockOrDate, useZoneOffset } from '../../../kit/time.ts'
import type { VisitBubble } from './alarms.ts'
import { BubbleFrame } from './BubbleFrame.tsx'
import styles from './alarms.module.css'

/** Pixels of each side of the face: to be compared with the visitor at the desk, and in a folded bubble. */
const FACE = 128
const SMALL_FACE = 48

interface VisitBubbleCardProps {
  bubble: VisitBubble
  /** Shown in one line. */
  folded: boolean
  close: () => void
}

/** The visitor's face and name, whom they visit, when and why, with a link to what is to be done. */
export function VisitBubbleCard({ bubble: { key, kind, alert }, folded, close }: VisitBubbleCardProps) {
  const { t } = useTranslation('alarms')
  const label = useEnumLabel()
  const { offset } = useZoneOffset()
  const isArrival = kind === 'visitArrive'
  const { visitorName, visiteeName, visitTime, content, remark, faceUrl, visitUrl } = alert
  const time = clockOrDate(visitTime, Date.now(), offset)
  return (
    <BubbleFrame
      id={key}
      kind={kind}
      icon={isArrival ? <LoginOutlined /> : <AuditOutlined />}
      title={t(isArrival ? 'visit.arrival' : 'visit.check')}
      folded={folded}
      close={close}
      actions={<Link to={visitUrl}>{t(isArrival ? 'visit.openVisit' : 'visit.openChecks')}</Link>}
    >
      <Portrait name={visitorName} url={faceUrl} size={folded ? SMALL_FACE : FACE} />
      <div className={styles.words}>
        <h3>{visitorName}</h3>
        {visiteeName !== '' && <p className={styles.where}>{t('visit.host', { name: visiteeName })}</p>}
        <p className={styles.where}>
          {label(visitReason, visitReason[content])} · {t(isArrival ? 'visit.came' : 'visit.planned', { time })}
        </p>
        {remark !== '' && <p className={styles.remark}>{remark}</p>}
      </div>
    </BubbleFrame>
  )
}
