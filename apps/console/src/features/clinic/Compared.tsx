/** The face at the door and each photograph of the person, the same size, with what each of them scores. */
import { useTranslation } from 'react-i18next'
import { scoreInWords } from '@gatehouse/contract'
import type { MatchAnalysis } from '@gatehouse/contract/clinic/calls'
import { Portrait } from '../../kit/media/Portrait.tsx'
import styles from './clinic.module.css'

const SIDE = 112

/** @param captured address of the picture taken at the door; empty where there is none */
export function Compared({ analysis, captured }: { analysis: MatchAnalysis; captured: string }) {
  const { t } = useTranslation('clinic')
  const { contact, personName, photos, score, threshold, unavailable } = analysis
  // Asked for more, or without the photograph that did it, the person is only the nearest.
  const isMatch = score !== null && score >= threshold
  return (
    <ul className={styles.photos}>
      {captured && (
        <li data-door>
          <Portrait name="" url={captured} size={SIDE} />
          <small>{t('common:pair.captured')}</small>
        </li>
      )}
      {contact && (
        <li>
          <Portrait name={contact.name} url={contact.url || contact.thumbnail} size={SIDE} />
          <small>{t('contact', { name: contact.name })}</small>
          {!unavailable && <b title={t('common:pair.score')}>{scoreInWords(contact.score)}</b>}
        </li>
      )}
      {photos.map((photo, at) => (
        <li
          key={photo.faceId}
          data-carried={photo.carried ? (isMatch ? 'match' : 'nearest') : undefined}
          data-aside={photo.setAsideAt !== null || undefined}
        >
          <Portrait name={personName} url={photo.url || photo.thumbnail} size={SIDE} />
          <small>{t('photo', { nth: at + 1 })}</small>
          {!unavailable && <b title={t('common:pair.score')}>{scoreInWords(photo.score)}</b>}
          {photo.carried && <strong>{t(isMatch ? 'carried' : 'nearest')}</strong>}
          {photo.setAsideAt !== null && <small>{t('isAside')}</small>}
        </li>
      ))}
    </ul>
  )
}
