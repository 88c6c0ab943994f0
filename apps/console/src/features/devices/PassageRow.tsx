/** One passage in a line: the face, who it was, where, and whether the door opened; why not, where it did not. */
import { useTranslation } from 'react-i18next'
import { scoreInWords } from '@gatehouse/contract'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { isPseudonym } from '@gatehouse/contract/records/pseudonym'
import { accessResult } from '@gatehouse/contract/enums/access'
import { passDirection } from '@gatehouse/contract/enums/devices'
import { EnumTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { usePersonName } from '../../shared/personName.ts'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { useRefusalLine } from '../../shared/refusalReason.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useStandIn } from '../../shared/standIn.ts'
import { isHit, useMatch } from '../../shared/watchList.ts'
import { WatchListTag } from '../../shared/WatchListTag.tsx'
import styles from './passages.module.css'

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
  const reason = useRefusalLine()(record)
  const { by } = useStandIn()(record)
  const match = useMatch()(record)
  const name = usePersonName()(record.personId, record.personName) || match.name || t('stranger')
  const letterOf = isPseudonym(record.personId) ? '' : name
  const direction = label(passDirection, record.direction)
  const where = [by, ...(pair ? [] : [record.deviceName]), direction].filter(Boolean).join(' · ')
  return (
    <li className={styles.passage} data-hit={isHit(record) || undefined}>
      <span className={styles.faces}>
        <Portrait name={letterOf} url={record.captureThumbnail || (pair ? '' : match.registeredImage)} size={face} />
        {pair && <Portrait name={letterOf} url={match.registeredImage} size={face} />}
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
