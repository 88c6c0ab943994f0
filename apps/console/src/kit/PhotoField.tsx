/** Up to three photographs of one face, by upload, drop or camera. Its value is the faceIds a person call takes. */
import { CameraOutlined, CloseOutlined, LoadingOutlined, PlusOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { lazy, Suspense, useId, useState, type DragEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { FACES_PER_PERSON } from '@gatehouse/contract'
import type { CachedFace, FacePhoto } from '@gatehouse/contract/faces/calls'
import { FaceChoice } from './FaceChoice.tsx'
import { LookAlikes } from './LookAlikes.tsx'
import { sentenceOf } from './refusal.ts'
import { usePhotoIntake } from './usePhotoIntake.ts'
import styles from './photo.module.css'

const CameraDialog = lazy(() => import('./CameraDialog.tsx'))
const ACCEPT = 'image/jpeg,image/png,image/webp,image/bmp'

interface PhotoFieldProps {
  /** Given by `<Form.Item>`. */
  value?: string[]
  onChange?: (faceIds: string[]) => void
  /** Pictures of the faceIds the record already has. */
  known?: FacePhoto[]
  /** Whose they are, once he is registered. */
  personId?: string | undefined
}

export function PhotoField({ value = [], onChange, known = [], personId }: PhotoFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const [added, setAdded] = useState<CachedFace[]>([])
  const [camera, setCamera] = useState(false)
  const [over, setOver] = useState(false)
  const { intake, take, reset } = usePhotoIntake((photo) => {
    setAdded((before) => [...before, photo])
    onChange?.([...value, photo.faceId])
  }, personId)

  const photos = value.map((faceId) => [...added, ...known].find((photo) => photo.faceId === faceId) ?? { faceId, url: '', thumbnail: '' })
  const kept = added.filter(({ faceId }) => value.includes(faceId))
  const wanted = Math.max(0, ...kept.map(({ wanted: count }) => count))
  const room = value.length < FACES_PER_PERSON && (intake.step === 'idle' || intake.step === 'refused')
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file && room) void take(file)
  }

  return (
    <div>
      <div className={styles.photos} onDragOver={(event) => { event.preventDefault(); setOver(room) }} onDragLeave={() => setOver(false)} onDrop={drop} data-over={over || undefined}>
        {photos.map(({ faceId, url, thumbnail }, at) => (
          <figure key={faceId} className={styles.photo}>
            <img src={url || thumbnail} alt={t('photo.nth', { nth: at + 1 })} />
            <button type="button" aria-label={t('photo.remove', { nth: at + 1 })} onClick={() => onChange?.(value.filter((other) => other !== faceId))}>
              <CloseOutlined />
            </button>
          </figure>
        ))}
        {intake.step === 'checking' && (
          <figure className={styles.photo} role="status" aria-label={t('photo.checking')}>
            <img src={intake.preview} alt="" />
            <span className={styles.checking}><LoadingOutlined />{t('photo.checking')}</span>
          </figure>
        )}
        {room && (
          <div className={styles.add}>
            <label htmlFor={id} className={styles.choose}>
              <PlusOutlined />
              <span>{t('photo.choose')}</span>
              <small>{t('photo.drop')}</small>
              <input id={id} type="file" accept={ACCEPT} onChange={({ target }) => { const [file] = target.files ?? []; target.value = ''; if (file) void take(file) }} />
            </label>
            <Button size="small" icon={<CameraOutlined />} onClick={() => setCamera(true)}>{t('photo.camera')}</Button>
          </div>
        )}
      </div>
      <LookAlikes photos={kept} />
      {value.length < wanted && <p className={styles.hint}>{t('photo.another', { count: wanted })}</p>}
      {intake.step === 'refused' && (
        <div className={styles.refused} role="alert">
          <img src={intake.preview} alt={t('photo.refusedPicture')} />
          <Alert type="error" title={t('photo.refused')} description={sentenceOf(intake.refusal)} action={<Button size="small" onClick={reset}>{t('photo.dismiss')}</Button>} />
        </div>
      )}
      {intake.step === 'choose' && <FaceChoice file={intake.file} boxes={intake.boxes} choose={(index) => void take(intake.file, index)} cancel={reset} />}
      {camera && <Suspense fallback={null}><CameraDialog close={() => setCamera(false)} take={(picture) => { setCamera(false); void take(picture) }} /></Suspense>}
    </div>
  )
}
