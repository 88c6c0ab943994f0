/** The captures that a search found, as cards to compare faces. Arrows move, Enter opens. */
import { UserOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { scoreInWords } from '@gatehouse/contract'
import { alarmMatchType } from '@gatehouse/contract/enums/alarms'
import type { CaptureHit } from '@gatehouse/contract/surveillance/face-search'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { moveAmongCards } from '../../../kit/list/cardKeys.ts'
import { alarmScore } from '../../../shared/AlarmFaces.tsx'
import { PicturePair } from '../../../shared/PicturePair.tsx'
import styles from './search.module.css'

/** Pixels of each side of a picture of a pair. */
const FACE = 112

interface HitCardsProps {
  hits: readonly CaptureHit[]
  /** Whether each capture is shown beside the registered person whom a task identified. */
  isMatchView: boolean
  open: (id: string) => void
}

export function HitCards({ hits, isMatchView, open }: HitCardsProps) {
  const { t } = useTranslation('surveillance')
  return (
    <ol className={isMatchView ? styles.pairs : styles.captures} aria-label={t('search.results')}>
      {hits.map((hit, at) => (
        <li key={hit.id}>
          <button
            type="button"
            data-id={hit.id}
            className={styles.card}
            tabIndex={at === 0 ? 0 : -1}
            onClick={() => open(hit.id)}
            onKeyDown={moveAmongCards}
          >
            {isMatchView ? <Matched hit={hit} /> : <Captured hit={hit} />}
          </button>
        </li>
      ))}
    </ol>
  )
}

function Captured({ hit }: { hit: CaptureHit }) {
  const { t } = useTranslation('surveillance')
  const { captureFaceImage, captureThumbnail, searchScore, personName, deviceName, captureTime } = hit
  const picture = captureFaceImage || captureThumbnail
  return (
    <>
      {picture === '' ? (
        <span className={styles.noPicture}>
          <UserOutlined />
        </span>
      ) : (
        <img className={styles.picture} src={picture} alt="" loading="lazy" decoding="async" />
      )}
      <span className={styles.line}>
        <b title={t('search.similarity')}>{scoreInWords(searchScore)}</b>
        {personName !== '' && <span title={personName}>{personName}</span>}
      </span>
      <Place deviceName={deviceName} captureTime={captureTime} />
    </>
  )
}

function Matched({ hit }: { hit: CaptureHit }) {
  const { t } = useTranslation('surveillance')
  const { captureFaceImage, captureThumbnail, hitFaceImage, searchScore, score, personName, groupName, surveillanceName, matchType } = hit
  const name = matchType === alarmMatchType.matched ? personName : t('capture.stranger')
  return (
    <>
      <PicturePair
        captured={captureFaceImage || captureThumbnail}
        leftWords={t('capture.captured')}
        registered={hitFaceImage}
        score={score}
        {...(score !== null && { scoreWords: alarmScore(score) })}
        result={null}
        name={name}
        size={FACE}
      />
      <span className={styles.line}>
        <span title={groupName}>{groupName}</span>
        <span title={surveillanceName}>{surveillanceName}</span>
      </span>
      <span className={styles.line}>
        <span>{t('search.toFace', { score: scoreInWords(searchScore) })}</span>
      </span>
      <Place deviceName={hit.deviceName} captureTime={hit.captureTime} />
    </>
  )
}

function Place({ deviceName, captureTime }: Pick<CaptureHit, 'deviceName' | 'captureTime'>) {
  return (
    <span className={styles.place}>
      <span title={deviceName}>{deviceName}</span>
      <RelativeTime at={captureTime} />
    </span>
  )
}
