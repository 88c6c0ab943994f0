/** One passage in a line: the face, who it was, where, and whether the door opened; why not, where it did not. */
import { useTranslation } from 'react-i18next'
import { scoreInWords } from '@gatehouse/contract'
import type { AccessRecord } from '@gatehouse/contract/access/calls'
import { accessResult, failReason } from '@gatehouse/contract/enums/access'
import { passDirection } from '@gatehouse/contract/enums/devices'
import { EnumTag, useEnumLabel } from '../../kit/EnumTag.tsx'
import { Portrait } from '../../kit/Portrait.tsx'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { useStandIn } from '../../kit/standIn.ts'
import { failReasonOf, isHit, matchOf } from '../../kit/watchList.ts'
import { WatchListTag } from '../../kit/WatchListTag.tsx'
import styles from './passages.module.css'

/** Why a passage was refused, in words; empty where it was not, or where the watch list says it. */
export function useRefusalReason(): (record: AccessRecord) => string {
  const label = useEnumLabel()
  return (record) => {
    const reason = failReasonOf(record)
    return reason === null ? '' : record.failText || label(failReason, reason)
  }
}

interface PassageRowProps {
  record: AccessRecord
  /** Pixels of each side of a face. */
  face: number
  /** On the page of one device: both faces and the score, and no word of where. */
  pair?: boolean
}

export function PassageRow({ record, face, pair }: PassageRowProps) {
  const { t } = useTranslation('devices')
  const label = useEnumLabel()
  const reason = useRefusalReason()(record)
  const { by } = useStandIn()(record)
  const match = matchOf(record)
  const name = record.personName || match.name || t('stranger')
  const direction = label(passDirection, record.direction)
  const where = [by, ...(pair ? [] : [record.deviceName]), direction].filter(Boolean).join(' · ')
  return (
    <li className={styles.passage} data-hit={isHit(record) || undefined}>
      <span className={styles.faces}>
        <Portrait name={name} url={record.captureThumbnail || (pair ? '' : match.registeredImage)} size={face} />
        {pair && <Portrait name={name} url={match.registeredImage} size={face} />}
      </span>
      <div className={styles.words}>
        <b title={name}>{name}</b>
        {reason ? (
          <span data-reason title={`${reason} · ${where}`}>
            {reason}
          </span>
        ) : (
          <span title={where}>{where}</span>
        )}
      </div>
      <div className={styles.verdict}>
        {isHit(record) ? <WatchListTag /> : <EnumTag of={accessResult} value={record.result} />}
        <small>
          {pair && match.score !== null && `${scoreInWords(match.score)} · `}
          <RelativeTime at={record.time} />
        </small>
      </div>
    </li>
  )
}
