/** Who has just passed: the newest large, both faces to compare, the ones before below it, as many as there is room for. */
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passDirection } from '@gatehouse/contract/enums/devices'
import type { AccessRecord } from '@gatehouse/contract/access/calls'
import { useEnumLabel } from '../../kit/EnumTag.tsx'
import { usePersonName } from '../../kit/personName.ts'
import { PicturePair } from '../../kit/PicturePair.tsx'
import { useRefusalLine } from '../../kit/refusalReason.ts'
import { RelativeTime } from '../../kit/RelativeTime.tsx'
import { useStandIn } from '../../kit/standIn.ts'
import { isHit, useMatch } from '../../kit/watchList.ts'
import { WatchListTag } from '../../kit/WatchListTag.tsx'
import { PassageRow } from '../devices/index.ts'
import type { Cockpit } from './useCockpit.ts'
import { Way } from './Way.tsx'
import styles from './home.module.css'

/** Pixels: height of a row, and sides of the faces. */
const ROW = 60
const FACE = 42
const LARGE_FACE = 104

export function Passages({ latest }: { latest: Cockpit['latest'] }) {
  const { t } = useTranslation('home')
  const [list, room] = useRoom()
  const [newest, ...before] = latest.data ?? []
  return (
    <section className={styles.passages} aria-label={t('passages.title')}>
      <header>
        <h2>{t('passages.title')}</h2>
        <Way screen="staffCurrent">{t('passages.all')}</Way>
      </header>
      {newest ? (
        <Newest key={newest.id} record={newest} />
      ) : (
        <div className={styles.newest}>{latest.isPending ? <i className={styles.block} /> : <p>{t('passages.none')}</p>}</div>
      )}
      <ul ref={list}>
        {before.slice(0, room).map((record) => (
          <PassageRow key={record.id} record={record} face={FACE} />
        ))}
      </ul>
    </section>
  )
}

function Newest({ record }: { record: AccessRecord }) {
  const { t } = useTranslation('home')
  const label = useEnumLabel()
  const reason = useRefusalLine()(record)
  const { by } = useStandIn()(record)
  const match = useMatch()(record)
  const who = usePersonName()(record.personId, record.personName) || match.name || t('passages.stranger')
  const words = [by, ...(reason ? [reason] : [record.deviceName, label(passDirection, record.direction)])].filter(Boolean).join(' · ')
  return (
    <div className={styles.newest} data-hit={isHit(record) || undefined}>
      <PicturePair
        captured={record.captureThumbnail}
        registered={match.registeredImage}
        score={match.score}
        result={record.result}
        name={match.name}
        hit={isHit(record)}
        size={LARGE_FACE}
      />
      <p>
        <b title={who}>{who}</b>
        {isHit(record) && <WatchListTag />}
        <RelativeTime at={record.time} />
      </p>
      <p data-reason={reason || undefined} title={words}>
        {words}
      </p>
    </div>
  )
}

/** How many rows the list has room for: whole rows only, so that none is cut. */
function useRoom(): [React.RefObject<HTMLUListElement | null>, number] {
  const list = useRef<HTMLUListElement>(null)
  const [rows, setRows] = useState(0)
  useEffect(() => {
    if (!list.current) return
    const observer = new ResizeObserver(([entry]) => setRows(Math.floor((entry?.contentRect.height ?? 0) / ROW)))
    observer.observe(list.current)
    return () => observer.disconnect()
  }, [])
  return [list, rows]
}
