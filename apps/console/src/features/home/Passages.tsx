/**
 * The latest passages: the newest large, with both faces to compare, and as many earlier ones below as there is room for. The newest
 * refusal of today is highlighted, with its reason and a link to what has to change.
 */
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passDirection } from '@gatehouse/contract/enums/devices'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { usePersonName } from '../../shared/personName.ts'
import { Portrait } from '../../kit/media/Portrait.tsx'
import { PicturePair } from '../../shared/PicturePair.tsx'
import { useRefusalLine } from '../../shared/refusalReason.ts'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useContactWords } from '../../shared/contactWords.ts'
import { useMayOpen } from '../../api/session.ts'
import { isHit, useMatch } from '../../shared/watchList.ts'
import { WatchListTag } from '../../shared/WatchListTag.tsx'
import { screens } from '../../screens.ts'
import { PassageRow } from '../devices/index.ts'
import { stepAfter } from './refusals.ts'
import type { Cockpit } from './useCockpit.ts'
import { ScreenLink } from './ScreenLink.tsx'
import styles from './home.module.css'
import own from './newest.module.css'

/** Pixels: height of a row, and sides of the faces. */
const ROW = 60
const FACE = 42
const REFUSED_FACE = 56
const LARGE_FACE = 104

export function Passages({ latest, refused }: Pick<Cockpit, 'latest' | 'refused'>) {
  const { t } = useTranslation('home')
  const [list, room] = useRoom()
  const [newest, ...before] = latest.data ?? []
  const apart = refused && refused.id !== newest?.id ? refused : undefined
  return (
    <section className={styles.passages} aria-labelledby="home-passages">
      <header>
        <h2 id="home-passages">{t('passages.title')}</h2>
        <ScreenLink screen="staffCurrent">{t('passages.all')}</ScreenLink>
      </header>
      {newest ? (
        <Newest key={newest.id} record={newest} />
      ) : (
        <div className={own.newest}>{latest.isPending ? <i className={styles.block} /> : <p>{t('passages.none')}</p>}</div>
      )}
      {apart && <Refused key={apart.id} record={apart} />}
      <ul ref={list}>
        {before
          .filter(({ id }) => id !== apart?.id)
          .slice(0, room)
          .map((record) => (
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
  const { by } = useContactWords()(record)
  const match = useMatch()(record)
  const name = usePersonName()(record.personId, record.personName) || match.name || t('passages.stranger')
  const words = [by, ...(reason ? [reason] : [record.deviceName, label(passDirection, record.direction)])].filter(Boolean).join(' · ')
  return (
    <div className={own.newest} data-hit={isHit(record) || undefined}>
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
        <b title={name}>{name}</b>
        {isHit(record) && <WatchListTag />}
        <RelativeTime at={record.time} />
      </p>
      <p data-reason={reason || undefined} title={words}>
        {words}
      </p>
      <NextStep record={record} />
    </div>
  )
}

/** The newest refusal of today, where it is not the newest passage. */
function Refused({ record }: { record: AccessRecord }) {
  const { t } = useTranslation('home')
  const reason = useRefusalLine()(record)
  const match = useMatch()(record)
  const name = usePersonName()(record.personId, record.personName) || match.name || t('passages.stranger')
  const words = [reason, record.deviceName].filter(Boolean).join(' · ')
  return (
    <div className={own.refused}>
      <h3>{t('passages.refused')}</h3>
      <Portrait name={name} url={record.captureThumbnail || match.registeredImage} size={REFUSED_FACE} />
      <p>
        <b title={name}>{name}</b>
        <RelativeTime at={record.time} />
      </p>
      <p data-reason title={words}>
        {words}
      </p>
      <NextStep record={record} />
    </div>
  )
}

/** The link to what would let the person of a refused record pass, or to the registration of a stranger; nothing for other records. */
function NextStep({ record }: { record: AccessRecord }) {
  const { t } = useTranslation('home')
  const mayRegister = useMayOpen(screens.staffAdd)
  const step = stepAfter(record)
  if (step === undefined) return null
  return (
    <span className={own.next}>
      {step === 'register' && mayRegister && <ScreenLink screen="staffAdd">{t('passages.register')}</ScreenLink>}
      <ScreenLink screen="staffCurrent" filter={{ record: record.id }}>
        {t(step === 'pass' ? 'records:why.remedy.title' : 'records:why.title')}
      </ScreenLink>
    </span>
  )
}

/** Return the number of whole rows the list has room for. */
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
