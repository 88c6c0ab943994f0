/** Visits as cards, to compare faces. Arrows move, Enter opens. */
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { visitReason } from '@gatehouse/contract/enums/visitors'
import { EnumTag } from '../../../kit/detail/EnumTag.tsx'
import { ListEmpty, ListError } from '../../../kit/list/ListStates.tsx'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { DeskCheckMarks, useVisitSpan, VisitStatus, WatchListMark } from './visitMarks.tsx'
import type { Visits } from './visits.ts'
import styles from './desk.module.css'

/** Pixels. */
const FACE = 104
const SKELETONS = 6

interface VisitCardsProps {
  list: Visits
  open: (id: string) => void
  empty: { title: string; action?: ReactNode }
}

export function VisitCards({ list, open, empty }: VisitCardsProps) {
  const { t } = useTranslation('visitors')
  const spanOf = useVisitSpan()
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
    <ul className={styles.cards} aria-label={t('visits')}>
      {list.rows.map((visit, at) => (
        <li key={visit.id}>
          <button
            type="button"
            data-id={visit.id}
            data-hit={visit.watchList?.length ? true : undefined}
            tabIndex={at === 0 ? 0 : -1}
            onClick={() => open(visit.id)}
            onKeyDown={moveOn}
          >
            <Portrait name={visit.name} url={visit.facePhoto || visit.faceThumbnail} size={FACE} />
            <span className={styles.cardFacts}>
              <b title={visit.name}>{visit.name}</b>
              <VisitStatus visit={visit} />
              <span>
                {visit.visiteeName === '' ? <EnumTag of={visitReason} value={visit.reason} /> : t('hostIs', { name: visit.visiteeName })}
              </span>
              <span>{spanOf(visit)}</span>
              <WatchListMark visit={visit} />
              <DeskCheckMarks visit={visit} />
            </span>
          </button>
        </li>
      ))}
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
