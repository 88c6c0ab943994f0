/** Records as cards, to compare faces. Arrows move, Enter opens. */
import { useTranslation } from 'react-i18next'
import type { KeyboardEvent, ReactNode } from 'react'
import { accessResult } from '@gatehouse/contract/enums/access'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
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
              onKeyDown={moveOn}
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

/** Move the focus to the neighbour in the direction of an arrow, by the position of the cards. */
function moveOn(event: KeyboardEvent<HTMLButtonElement>): void {
  const all = [...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLElement>('button') ?? [])]
  const columns = all.filter(({ offsetTop }) => offsetTop === all[0]?.offsetTop).length
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key]
  if (step === undefined) return
  all[all.indexOf(event.currentTarget) + step]?.focus()
  event.preventDefault()
}
