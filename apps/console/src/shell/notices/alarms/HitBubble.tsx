/** Somebody of the watch list at a door: both faces, who, where, when, why they are looked for, and what is to be done. */
import { WarningFilled } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { accessResult } from '@gatehouse/contract/enums/access'
import { passDirection } from '@gatehouse/contract/enums/devices'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { PicturePair } from '../../../shared/PicturePair.tsx'
import { useMayOpen } from '../../../api/session.ts'
import { formatInstant, startOfDay, useZoneOffset } from '../../../kit/time.ts'
import { WatchListFacts } from '../../../shared/WatchListFacts.tsx'
import { path } from '../../../paths.ts'
import { screens } from '../../../screens.ts'
import type { HitBubble as Bubble } from './alarms.ts'
import { BubbleFrame } from './BubbleFrame.tsx'
import styles from './alarms.module.css'

/** Pixels of each side of a face: to be told apart from two metres, and in a line. */
const FACE = 168
const SMALL_FACE = 48

interface HitBubbleProps {
  bubble: Bubble
  /** In one line. */
  folded: boolean
  close: () => void
}

export function HitBubble({ bubble: { key, record, late }, folded, close }: HitBubbleProps) {
  const { t } = useTranslation('alarms')
  const label = useEnumLabel()
  const { offset } = useZoneOffset()
  const mayOpenPerson = useMayOpen(screens.blackDetails)
  const { watchList: hit } = record
  const full = formatInstant(record.time, offset)
  const time = record.time >= startOfDay(Date.now(), offset) ? full.slice(11) : full.slice(5)
  return (
    <BubbleFrame
      id={key}
      kind="watchList"
      icon={<WarningFilled />}
      title={t(late ? 'hitLate' : 'hit')}
      folded={folded}
      close={close}
      actions={
        <>
          <Link to={`${path('staffCurrent')}?record=${record.id}`}>{t('openRecord')}</Link>
          {mayOpenPerson && <Link to={path('blackDetails', { id: hit.personId })}>{t('openPerson')}</Link>}
        </>
      }
    >
      <PicturePair
        captured={record.captureImage || record.captureThumbnail}
        registered={hit.registeredImage}
        score={hit.score}
        result={record.result}
        name={hit.personName}
        hit
        size={folded ? SMALL_FACE : FACE}
      />
      <div className={styles.words}>
        <h3>{hit.personName}</h3>
        <p className={styles.where}>
          <b>{record.deviceName}</b> {label(passDirection, record.direction)}{' '}
          <time dateTime={new Date(record.time).toISOString()}>{time}</time>
        </p>
        {record.result === accessResult.allowed && <p className={styles.admitted}>{t('admitted', { name: record.personName })}</p>}
        {late && <p className={styles.late}>{t('late')}</p>}
        <WatchListFacts hit={hit} />
      </div>
    </BubbleFrame>
  )
}
