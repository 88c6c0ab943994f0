/** The face at the door and each photograph of the person, the same size, with what each of them scores. */
import { useTranslation } from 'react-i18next'
import { scoreInWords } from '@gatehouse/contract'
import type { MatchAnalysis } from '@gatehouse/contract/access/clinic'
import { Portrait } from '../../../kit/Portrait.tsx'
import styles from './clinic.module.css'

const SIDE = 112

/** @param captured address of the picture taken at the door; empty where there is none */
export function Compared({ analysis, captured }: { analysis: MatchAnalysis; captured: string }) {
  const { t } = useTranslation('access')
  const { personName, photos, score, threshold } = analysis
  const carried = t(score !== null && score >= threshold ? 'clinic.carried' : 'clinic.nearest')
  return (
    <ul className={styles.photos}>
      {captured && (
        <li data-door>
          <Portrait name="" url={captured} size={SIDE} />
          <small>{t('common:pair.captured')}</small>
        </li>
      )}
      {photos.map((photo, at) => (
        <li key={photo.faceId} data-carried={photo.carried || undefined} data-aside={photo.setAsideAt !== null || undefined}>
          <Portrait name={personName} url={photo.url || photo.thumbnail} size={SIDE} />
          <small>{t('clinic.photo', { nth: at + 1 })}</small>
          <b title={t('common:pair.score')}>{scoreInWords(photo.score)}</b>
          {photo.carried && <strong>{carried}</strong>}
          {photo.setAsideAt !== null && <small>{t('clinic.isAside')}</small>}
        </li>
      ))}
    </ul>
  )
}
