/** Says whom a new photograph looks like: somebody registered twice, a twin, or chance. It refuses nothing. */
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { scoreInWords } from '@gatehouse/contract'
import type { CachedFace, SimilarPerson } from '@gatehouse/contract/faces/calls'
import { Portrait } from './Portrait.tsx'
import styles from './photo.module.css'

export function LookAlikes({ photos }: { photos: readonly CachedFace[] }) {
  const { t } = useTranslation()
  const persons = nearestOf(photos.flatMap(({ similar }) => similar))
  if (persons.length === 0) return null
  return (
    <Alert
      className={styles.alike}
      type="warning"
      showIcon
      title={t('photo.alike', { count: persons.length })}
      description={
        <>
          <p>{t('photo.alikeHint')}</p>
          <ul>
            {persons.map(({ personId, personName, workNumber, score, thumbnail }) => (
              <li key={personId}>
                <Portrait name={personName} url={thumbnail} size={48} />
                <span>
                  <b>{personName || t('photo.alikeSomebody')}</b>
                  <small>{workNumber}</small>
                </span>
                <output title={t('pair.score')}>{scoreInWords(score)}</output>
              </li>
            ))}
          </ul>
        </>
      }
    />
  )
}

/** Each person once, by the photograph that came nearest. */
function nearestOf(similar: readonly SimilarPerson[]): SimilarPerson[] {
  const best = new Map<string, SimilarPerson>()
  for (const person of similar) if (person.score > (best.get(person.personId)?.score ?? -1)) best.set(person.personId, person)
  return [...best.values()].toSorted((a, b) => b.score - a.score)
}
