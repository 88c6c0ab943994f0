/** What a field for photographs of one face shows: those that are there, the one that is checked, and how to add another. */
import { CameraOutlined, CloseOutlined, LoadingOutlined, PlusOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { lazy, Suspense, useId, useState, type DragEvent, type ReactNode, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { FaceChoice, type PhotoIntake } from './photoIntake.tsx'
import { sentenceOf, type Refusal } from '../api/refusal.ts'
import styles from '../kit/media/photo.module.css'

const CameraDialog = lazy(() => import('../kit/media/CameraDialog.tsx'))
const ACCEPT = 'image/jpeg,image/png,image/webp,image/bmp'

interface PhotoFrameProps {
  intake: PhotoIntake
  photos: readonly { key: string; address: string }[]
  remove: (key: string) => void
  /** Whether another photograph may be added. */
  canAdd: boolean
  camera: { isOpen: boolean; setOpen: (isOpen: boolean) => void }
  /** One photograph is there, and another is recommended. */
  another?: boolean
  /** Id of the file input, for the label of the field. */
  id?: string | undefined
  chooser?: Ref<HTMLInputElement>
  /** Between the photographs and what is said of the last one. */
  children?: ReactNode
}

export function PhotoFrame({ intake: photo, photos, remove, canAdd, camera, another = false, id, chooser, children }: PhotoFrameProps) {
  const { t } = useTranslation()
  const [over, setOver] = useState(false)
  const { intake, isFree, take, reset } = photo
  const room = canAdd && isFree

  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file && room) take(file)
  }

  return (
    <div>
      <div
        className={styles.photos}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(room)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        data-over={over || undefined}
      >
        {photos.map(({ key, address }, at) => (
          <figure key={key} className={styles.photo}>
            <img src={address} alt={t('photo.nth', { nth: at + 1 })} />
            <button type="button" aria-label={t('photo.remove', { nth: at + 1 })} onClick={() => remove(key)}>
              <CloseOutlined />
            </button>
          </figure>
        ))}
        {intake.step === 'checking' && (
          <figure className={styles.photo} role="status" aria-label={t('photo.checking')}>
            <img src={intake.preview} alt="" />
            <span className={styles.checking}>
              <LoadingOutlined />
              {t('photo.checking')}
            </span>
          </figure>
        )}
        {room && <AddPhoto id={id} another={another} chooser={chooser} take={take} film={() => camera.setOpen(true)} />}
      </div>
      {children}
      {intake.step === 'refused' && <RefusedPhoto {...intake} dismiss={reset} />}
      {intake.step === 'choose' && (
        <FaceChoice file={intake.file} boxes={intake.boxes} choose={(index) => take(intake.file, index)} cancel={reset} />
      )}
      {/* Which of several faces is the right one is chosen in the form, not in the camera dialog. */}
      {camera.isOpen && intake.step !== 'choose' && (
        <Suspense fallback={null}>
          <CameraDialog
            close={() => camera.setOpen(false)}
            take={take}
            taken={another ? photos.map(({ address }) => address) : []}
            checking={intake.step === 'checking'}
            refused={intake.step === 'refused' ? sentenceOf(intake.refusal) : undefined}
          />
        </Suspense>
      )}
    </div>
  )
}

interface AddPhotoProps {
  id: string | undefined
  another: boolean
  chooser: Ref<HTMLInputElement> | undefined
  take: (file: File) => void
  /** Opens the camera. */
  film: () => void
}

function AddPhoto({ id, another, chooser, take, film }: AddPhotoProps) {
  const { t } = useTranslation()
  const own = useId()
  const inputId = id ?? own
  return (
    <div className={styles.add}>
      <label htmlFor={inputId} className={styles.choose}>
        <PlusOutlined />
        <span>{t(another ? 'photo.chooseAgain' : 'photo.choose')}</span>
        <small>{t('photo.drop')}</small>
        <input
          id={inputId}
          ref={chooser}
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

function RefusedPhoto({ preview, refusal, heic, dismiss }: { preview: string; refusal: Refusal; heic: boolean; dismiss: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={styles.refused} role="alert">
      <img src={preview} alt={t('photo.refusedPicture')} />
      <Alert
        type="error"
        title={t('photo.refused')}
        description={<Why refusal={refusal} heic={heic} />}
        action={
          <Button size="small" onClick={dismiss}>
            {t('photo.dismiss')}
          </Button>
        }
      />
    </div>
  )
}

/** The server's message; for a picture in a format that no browser shows, what can be done about it. */
function Why({ refusal, heic }: { refusal: Refusal; heic: boolean }) {
  const { t } = useTranslation()
  return (
    <>
      <p>{sentenceOf(refusal)}</p>
      {heic && <p>{t('photo.heic')}</p>}
    </>
  )
}
