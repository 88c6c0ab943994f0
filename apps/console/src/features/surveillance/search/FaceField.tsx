/** Whose face is searched for: an uploaded photo, a person of the register, or a capture that the address names. */
import { CloseOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../../api/session.ts'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { PersonField } from '../../../shared/PersonField.tsx'
import { SearchPhoto } from '../../people/index.ts'
import type { FaceSearch } from './useFaceSearch.ts'
import type { SearchedFace } from './useSearchedFace.ts'
import styles from './search.module.css'

interface FaceFieldProps {
  search: FaceSearch
  face: SearchedFace
  /** What is wrong with the face; absent: nothing. */
  error: string | undefined
}

export function FaceField({ search, face, error }: FaceFieldProps) {
  const { t } = useTranslation('surveillance')
  const { offset } = useZoneOffset()
  const mayFindPerson = useMay('person.list')
  const { personId, captureId, captureTime } = search.settings
  const { picture, person } = face
  return (
    <div className={styles.face}>
      <SearchPhoto photo={picture === undefined ? null : { url: picture }} onPhoto={search.choosePhoto} />
      {mayFindPerson && (
        <>
          <span className={styles.label}>{t('search.orPerson')}</span>
          <PersonField
            label={t('search.person')}
            initial={person}
            value={captureId === undefined && person !== undefined ? personId : undefined}
            onChange={(id) => search.change({ personId: id, captureId: undefined })}
          />
        </>
      )}
      {captureId !== undefined && (
        <p className={styles.chosen}>
          <span>
            {captureTime === undefined ? t('search.ofCapture') : t('search.ofCaptureAt', { time: formatInstant(captureTime, offset) })}
          </span>
          <Unset search={search} />
        </p>
      )}
      {captureId === undefined && personId !== undefined && !mayFindPerson && (
        <p className={styles.chosen}>
          <span>{t('search.ofPerson')}</span>
          <Unset search={search} />
        </p>
      )}
      {error !== undefined && <Alert type="error" title={error} role="alert" />}
    </div>
  )
}

function Unset({ search }: { search: FaceSearch }) {
  const { t } = useTranslation('surveillance')
  return (
    <Button
      type="text"
      size="small"
      icon={<CloseOutlined />}
      aria-label={t('search.unset')}
      onClick={() => search.change({ personId: undefined, captureId: undefined })}
    />
  )
}
