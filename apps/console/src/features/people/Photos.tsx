/** The photographs of a person: one large, the others to choose from. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import { Portrait } from '../../kit/media/Portrait.tsx'
import styles from './people.module.css'

export function Photos({ name, faces }: { name: string; faces: FacePhoto[] }) {
  const { t } = useTranslation('people')
  const [chosen, setChosen] = useState(0)
  const shown = faces[chosen] ?? faces[0]
  return (
    <div className={styles.photos}>
      <Portrait name={name} url={shown?.url} size={232} alone />
      {faces.length === 0 && <p>{t('noPhoto')}</p>}
      {faces.length > 1 && (
        <div>
          {faces.map(({ faceId, thumbnail }, at) => (
            <button
              key={faceId}
              type="button"
              aria-pressed={faceId === shown?.faceId}
              aria-label={t('photoOf', { nth: at + 1, name })}
              onClick={() => setChosen(at)}
            >
              <Portrait name={name} url={thumbnail} size={64} />
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
