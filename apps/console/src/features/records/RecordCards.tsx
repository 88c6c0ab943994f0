/** Records as cards, to compare faces. Arrows move, Enter opens. */
import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import { accessResult } from '@gatehouse/contract/enums/access'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { moveAmongCards } from '../../kit/list/cardKeys.ts'
import { ListEmpty, ListError } from '../../kit/list/ListStates.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { isHit } from '../../shared/watchList.ts'
import { WatchListTag } from '../../shared/WatchListTag.tsx'
import { Direction } from './Direction.tsx'
import { FacePair } from './FacePair.tsx'
import { useRecordWords } from './recordWords.ts'
import type { Records } from './useRecords.ts'
import styles from './records.module.css'
import listStyles from './list.module.css'

const FACE = 104
const SKELETONS = 6

export function RecordCards({
  list,
  open,
  empty,
}: {
  list: Records
  open: (id: string) => void
  empty: { title: string; action?: ReactNode }
}) {
  const { t } = useTranslation('records')
  const wordsOf = useRecordWords()
  if (list.error && list.rows.length === 0) return <ListError error={list.error} retry={list.retry} />
  if (list.pending)
    return (
      <div className={styles.cards}>
        {Array.from({ length: SKELETONS }, (_, at) => (
          <span key={at} className={styles.cardSkeleton} />
        ))}
      </div>
    )
  if (list.rows.length === 0) return <ListEmpty filtered={list.filtered} clear={list.clear} {...empty} />
  return (
    <ul className={styles.cards} aria-label={t('records')}>
      {list.rows.map((record, at) => {
        const { who, by, reason } = wordsOf(record)
        return (
          <li key={record.id} className={list.arrived.has(record.id) ? listStyles.arrived : undefined}>
            <button
              type="button"
              className={styles.card}
              data-hit={isHit(record) || undefined}
              tabIndex={at === 0 ? 0 : -1}
              onClick={() => open(record.id)}
              onKeyDown={moveAmongCards}
            >
              <FacePair record={record} size={FACE} />
              <span className={styles.cardHead}>
                <b title={who}>{who}</b>
                <EnumTag of={accessResult} value={record.result} />
              </span>
              <span className={styles.cardFoot}>
                <span title={record.deviceName}>{record.deviceName}</span>
                <Direction value={record.direction} />
                <RelativeTime at={record.time} />
              </span>
              <span className={styles.reason} title={reason}>
                {isHit(record) && <WatchListTag />} {reason}
              </span>
              {by && (
                <span className={styles.cardFoot}>
                  <span title={by}>{by}</span>
                </span>
              )}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
