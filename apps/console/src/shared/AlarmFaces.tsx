/** A captured face and the registered one it was compared with, in a cell of a list or on a card, with the score between them. */
import { useTranslation } from 'react-i18next'
import { shownScore } from '@gatehouse/contract'
import { Portrait } from '../kit/media/Portrait.tsx'
import styles from '../kit/kit.module.css'

interface AlarmFacesProps {
  captured: string
  registered: string
  /** Name of the person who was hit; empty for a stranger. */
  name: string
  /** Raw score; null where no face was near enough. */
  score: number | null
  /** Pixels of each side of a face. */
  size: number
}

/** Scores of alarms are shown with two decimals, as the specification has it. */
export const alarmScore = (score: number | null): string => (score === null ? '' : shownScore(score).toFixed(2))

export function AlarmFaces({ captured, registered, name, score, size }: AlarmFacesProps) {
  const { t } = useTranslation()
  return (
    <span className={styles.faces}>
      <Portrait name="" url={captured} size={size} />
      {score !== null && <b title={t('pair.score')}>{alarmScore(score)}</b>}
      {score !== null && <Portrait name={name} url={registered} size={size} />}
    </span>
  )
}
