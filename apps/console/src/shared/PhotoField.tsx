/**
 * Photographs of one face, at most three by default, by upload, drop or camera. Its value is the faceIds that a person call takes.
 * The field asks for as many as the park wants, one after the other: the camera stays open for the next one, and so does the file input.
 */
import { CameraOutlined, CloseOutlined, LoadingOutlined, PlusOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { lazy, Suspense, useEffect, useId, useRef, useState, type DragEvent, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { FACES_PER_PERSON } from '@gatehouse/contract'
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import { rememberedFace, rememberFace } from './cachedFaces.ts'
import { FaceChoice, usePhotoIntake } from './photoIntake.tsx'
import { sentenceOf, type Refusal } from '../api/refusal.ts'
import styles from '../kit/media/photo.module.css'

const CameraDialog = lazy(() => import('../kit/media/CameraDialog.tsx'))
const ACCEPT = 'image/jpeg,image/png,image/webp,image/bmp'

interface PhotoFieldProps {
  /** Given by `<Form.Item>`. */
  value?: string[]
  onChange?: (faceIds: string[]) => void
  /** Pictures of the faceIds the record already has. */
  initial?: FacePhoto[]
  /** The person on the photographs, once that person is registered. */
  personId?: string | undefined
  /** Maximum number of photographs. */
  max?: number
  /** Whether another photo is recommended where there are few: doors do not recognise people of the watch list. */
  recommends?: boolean
}

export function PhotoField({ value = [], onChange, initial = [], personId, max = FACES_PER_PERSON, recommends = true }: PhotoFieldProps) {
  const { t } = useTranslation()
  const [camera, setCamera] = useState(false)
  const [over, setOver] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  const { intake, take, reset } = usePhotoIntake((photo) => {
    rememberFace(photo)
    onChange?.([...value, photo.faceId])
    if (!recommends || value.length + 1 >= Math.min(max, photo.wanted)) setCamera(false)
  }, personId)

  const photos = value.map(
    (faceId) => rememberedFace(faceId) ?? initial.find((photo) => photo.faceId === faceId) ?? { faceId, url: '', thumbnail: '' },
  )
  const recommendedCount = Math.min(max, Math.max(0, ...value.map((faceId) => rememberedFace(faceId)?.wanted ?? 0)))
  const room = value.length < max && (intake.step === 'idle' || intake.step === 'refused')
  const asksForMore = recommends && value.length < recommendedCount
  // The file input was removed while the last file was checked, and the focus was lost with it.
  useEffect(() => {
    if (asksForMore && room && !camera && document.activeElement === document.body) chooser.current?.focus()
  }, [asksForMore, room, camera])
  // Which of several faces is the right one is chosen in the form, not in the camera dialog.
  const filming = camera && intake.step !== 'choose'

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
        {photos.map(({ faceId, url, thumbnail }, at) => (
          <figure key={faceId} className={styles.photo}>
            <img src={url || thumbnail} alt={t('photo.nth', { nth: at + 1 })} />
            <button
              type="button"
              aria-label={t('photo.remove', { nth: at + 1 })}
              onClick={() => onChange?.(value.filter((other) => other !== faceId))}
            >
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
        {room && <AddPhoto another={asksForMore} chooser={chooser} take={take} film={() => setCamera(true)} />}
      </div>
      <div role="status">{asksForMore && !camera && <p className={styles.hint}>{t('photo.another', { count: recommendedCount })}</p>}</div>
      {intake.step === 'refused' && <RefusedPhoto {...intake} dismiss={reset} />}
      {intake.step === 'choose' && (
        <FaceChoice file={intake.file} boxes={intake.boxes} choose={(index) => take(intake.file, index)} cancel={reset} />
      )}
      {filming && (
        <Suspense fallback={null}>
          <CameraDialog
            close={() => setCamera(false)}
            take={take}
            taken={asksForMore ? photos.map(({ url, thumbnail }) => url || thumbnail) : []}
            checking={intake.step === 'checking'}
            refused={intake.step === 'refused' ? sentenceOf(intake.refusal) : undefined}
          />
        </Suspense>
      )}
    </div>
  )
}

interface AddPhotoProps {
  /** One photograph is there, and another is recommended. */
  another: boolean
  chooser: Ref<HTMLInputElement>
  take: (file: File) => void
  /** Opens the camera. */
  film: () => void
}

function AddPhoto({ another, chooser, take, film }: AddPhotoProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className={styles.add}>
      <label htmlFor={id} className={styles.choose}>
        <PlusOutlined />
        <span>{t(another ? 'photo.chooseAgain' : 'photo.choose')}</span>
        <small>{t('photo.drop')}</small>
        <input
          id={id}
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
