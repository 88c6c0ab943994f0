/** The face in front of the terminal and the face on file, side by side and of equal size, with the score between them. */
import { CameraOutlined, UserOutlined } from '@ant-design/icons'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { scoreInWords } from '@gatehouse/contract'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { formatDate, useZoneOffset } from '../../kit/time.ts'
import { isHit, useMatch } from '../../shared/watchList.ts'
import styles from './records.module.css'

interface FacePairProps {
  record: AccessRecord
  /** Pixels of a side; absent: as wide as there is room. */
  size?: number
  large?: boolean
  /** Whether the reason for a missing picture is shown as text, not only as a tooltip. */
  worded?: boolean
}

export function FacePair({ record, size, large, worded }: FacePairProps) {
  const { t } = useTranslation('records')
  const { offset } = useZoneOffset()
  const { captureThumbnail, captureImage, pictureKeptUntil, result } = record
  const { name: matched, registeredImage, score } = useMatch()(record)
  const noPicture = pictureKeptUntil === null ? t('noPictureYet') : t('pictureKeptUntil', { date: formatDate(pictureKeptUntil, offset) })
  const name = matched || t('stranger')
  return (
    <span
      className={styles.pair}
      data-result={result}
      data-hit={isHit(record) || undefined}
      style={{ '--side': size ? `${size}px` : '100%' } as React.CSSProperties}
    >
      <Face
        url={large ? captureImage || captureThumbnail : captureThumbnail}
        words={t('faceAtDoor', { name })}
        none={noPicture}
        icon={<CameraOutlined />}
        worded={worded}
      />
      <b title={score === null ? t('notCompared') : t('common:pair.score')}>{scoreInWords(score)}</b>
      <Face
        url={registeredImage}
        words={t('faceOnFile', { name })}
        none={matched ? t('common:pair.nobody') : t('nobodyMatched')}
        icon={<UserOutlined />}
        worded={worded}
      />
    </span>
  )
}

/** A picture, or a placeholder with the reason why it is missing or has expired. */
function Face({
  url,
  words,
  none,
  icon,
  worded,
}: {
  url: string
  words: string
  none: string
  icon: ReactNode
  worded: boolean | undefined
}) {
  const [failed, setFailed] = useState('')
  if (url && url !== failed) return <img src={url} alt={words} decoding="async" onError={() => setFailed(url)} />
  return (
    <span className={styles.noFace} title={none} role="img" aria-label={none}>
      {icon}
      {worded && <small>{none}</small>}
    </span>
  )
}
