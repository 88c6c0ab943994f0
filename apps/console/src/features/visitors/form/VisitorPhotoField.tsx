/** The photo of a visitor or a companion, by upload, drop or camera. Its value is the address that bodies take; empty for none. */
import { CameraOutlined, CloseOutlined, LoadingOutlined, PlusOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { lazy, Suspense, useId, useState, type DragEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { sentenceOf } from '../../../api/refusal.ts'
import { FaceChoice } from '../../../shared/photoIntake.tsx'
import { useVisitorPhoto } from './useVisitorPhoto.ts'
import styles from '../../../kit/media/photo.module.css'

const CameraDialog = lazy(() => import('../../../kit/media/CameraDialog.tsx'))
const ACCEPT = 'image/jpeg,image/png,image/webp,image/bmp'

interface VisitorPhotoFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (address: string) => void
}

export function VisitorPhotoField({ id, value, onChange }: VisitorPhotoFieldProps) {
  const { t } = useTranslation()
  const [isFilming, setFilming] = useState(false)
  const [isOver, setOver] = useState(false)
  const { intake, take, reset } = useVisitorPhoto((address) => {
    setFilming(false)
    onChange?.(address)
  })
  const hasRoom = !value && (intake.step === 'idle' || intake.step === 'refused')
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file && hasRoom) take(file)
  }
  return (
    <div>
      <div
        className={styles.photos}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(hasRoom)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        data-over={isOver || undefined}
      >
        {value && intake.step !== 'checking' && (
          <figure className={styles.photo}>
            <img src={value} alt={t('photo.nth', { nth: 1 })} />
            <button type="button" aria-label={t('photo.remove', { nth: 1 })} onClick={() => onChange?.('')}>
              <CloseOutlined />
            </button>
          </figure>
        )}
        {intake.step === 'checking' && (
          <figure className={styles.photo} role="status" aria-label={t('photo.checking')}>
            <img src={intake.preview} alt="" />
            <span className={styles.checking}>
              <LoadingOutlined />
              {t('photo.checking')}
            </span>
          </figure>
        )}
        {hasRoom && <AddPhoto id={id} take={take} film={() => setFilming(true)} />}
      </div>
      {intake.step === 'refused' && (
        <div className={styles.refused} role="alert">
          <img src={intake.preview} alt={t('photo.refusedPicture')} />
          <Alert
            type="error"
            title={t('photo.refused')}
            description={sentenceOf(intake.refusal)}
            action={
              <Button size="small" onClick={reset}>
                {t('photo.dismiss')}
              </Button>
            }
          />
        </div>
      )}
      {intake.step === 'choose' && (
        <FaceChoice file={intake.file} boxes={intake.boxes} choose={(index) => take(intake.file, index)} cancel={reset} />
      )}
      {/* Which of several faces is the right one is chosen in the form, not in the camera dialog. */}
      {isFilming && intake.step !== 'choose' && (
        <Suspense fallback={null}>
          <CameraDialog
            close={() => setFilming(false)}
            take={take}
            checking={intake.step === 'checking'}
            refused={intake.step === 'refused' ? sentenceOf(intake.refusal) : undefined}
          />
        </Suspense>
      )}
    </div>
  )
}

/** @param film opens the camera */
function AddPhoto({ id, take, film }: { id: string | undefined; take: (file: File) => void; film: () => void }) {
  const { t } = useTranslation()
  const own = useId()
  const inputId = id ?? own
  return (
    <div className={styles.add}>
      <label htmlFor={inputId} className={styles.choose}>
        <PlusOutlined />
        <span>{t('photo.choose')}</span>
        <small>{t('photo.drop')}</small>
        <input
          id={inputId}
          type="file"
          accept={ACCEPT}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            target.value = ''
            if (file) take(file)
          }}
        />
      </label>
      <Button size="small" icon={<CameraOutlined />} onClick={film}>
        {t('photo.camera')}
      </Button>
    </div>
  )
}
