/** The photograph to search for: chosen, dropped, pasted or taken, and shown large enough to compare. */
import { CameraOutlined, LoadingOutlined, ScanOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { lazy, Suspense, useEffect, useEffectEvent, useId, useState, type DragEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { CachedFace } from '@gatehouse/contract/faces/calls'
import { cachePhoto, FaceChoice, usePhotoIntake } from '../../../shared/photoIntake.tsx'
import { sentenceOf } from '../../../api/refusal.ts'
import styles from './oneToN.module.css'

const CameraDialog = lazy(() => import('../../../kit/media/CameraDialog.tsx'))
const ACCEPT = 'image/jpeg,image/png,image/webp,image/bmp'

interface SearchPhotoProps {
  /** The picture that is searched for now, whatever it is of; null: none yet. */
  photo: { url: string } | null
  onPhoto: (photo: CachedFace) => void
}

export function SearchPhoto({ photo, onPhoto }: SearchPhotoProps) {
  const { t } = useTranslation('people')
  const { t: common } = useTranslation()
  const id = useId()
  const [camera, setCamera] = useState(false)
  const [over, setOver] = useState(false)
  const { intake, take, reset } = usePhotoIntake(cachePhoto(), onPhoto)
  const checking = intake.step === 'checking'
  const takeFirst = (files: Iterable<File> | null | undefined): void => {
    const file = [...(files ?? [])].find(({ type }) => type === '' || type.startsWith('image/'))
    if (file && !checking) take(file)
  }

  const paste = useEffectEvent((event: ClipboardEvent): void => takeFirst(event.clipboardData?.files))
  useEffect(() => {
    const listen = (event: ClipboardEvent): void => paste(event)
    window.addEventListener('paste', listen)
    return () => window.removeEventListener('paste', listen)
  }, [])

  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    takeFirst(event.dataTransfer.files)
  }
  const shown = intake.step === 'idle' ? photo?.url : intake.preview

  return (
    <section className={styles.photo} aria-label={t('search.searchedPhoto')}>
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <label htmlFor={id} className={styles.drop} data-over={over || undefined} data-filled={shown ? true : undefined}>
          {shown ? <img src={shown} alt={t('search.searchedPhoto')} /> : <ScanOutlined />}
          {checking && (
            <span className={styles.checking} role="status">
              <LoadingOutlined />
              {t('search.checking')}
            </span>
          )}
          <span className={styles.words}>
            <b>{shown ? t('search.another') : t('search.choose')}</b>
            <small>{t('search.drop')}</small>
          </span>
          <input
            id={id}
            type="file"
            accept={ACCEPT}
            disabled={checking}
            onChange={({ target }) => {
              const files = [...(target.files ?? [])]
              target.value = ''
              takeFirst(files)
            }}
          />
        </label>
      </div>
      <Button block icon={<CameraOutlined />} onClick={() => setCamera(true)}>
        {t('search.camera')}
      </Button>
      {intake.step === 'refused' && (
        <Alert
          type="error"
          title={common('photo.refused')}
          description={
            <>
              <p>{sentenceOf(intake.refusal)}</p>
              {intake.heic && <p>{common('photo.heic')}</p>}
            </>
          }
          action={
            <Button size="small" onClick={reset}>
              {common('photo.dismiss')}
            </Button>
          }
        />
      )}
      {intake.step === 'choose' && (
        <FaceChoice file={intake.file} boxes={intake.boxes} choose={(index) => take(intake.file, index)} cancel={reset} />
      )}
      {camera && (
        <Suspense fallback={null}>
          <CameraDialog
            close={() => setCamera(false)}
            take={(picture) => {
              setCamera(false)
              take(picture)
            }}
          />
        </Suspense>
      )}
    </section>
  )
}
