/** The front camera over the whole page, with an oval for the face. It stays open for the second picture where one is wanted. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCamera, useRest } from '../../kit/media/useCamera.ts'

interface CameraProps {
  /** Which picture is taken first. */
  from: 'first' | 'second'
  /** Whether the second one is taken after the first. */
  asksForSecond: boolean
  take: (which: 'first' | 'second', picture: Promise<Blob>) => void
  close: () => void
  fail: () => void
}

export function Camera({ from, asksForSecond, take, close, fail }: CameraProps) {
  const { t } = useTranslation('enrolment')
  const dialog = useRef<HTMLDialogElement>(null)
  const [which, setWhich] = useState(from)
  const { rested, tire } = useRest()
  const { frame, running, trouble, shoot } = useCamera({
    height: 1280,
    take: (picture) => {
      take(which, uprightPhoto(picture))
      if (which === 'second' || !asksForSecond) return close()
      tire()
      setWhich('second')
    },
  })
  const failed = useEffectEvent(fail)

  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    if (trouble) failed()
  }, [trouble])
  const isSecond = which === 'second'

  return (
    <dialog ref={dialog} className="camera" aria-label={t('phone.shoot')} onClose={close}>
      <video {...frame} muted />
      <i aria-hidden="true" />
      <p role="status">
        {isSecond && <b>{t('phone.second.title')} </b>}
        {t(isSecond ? 'phone.second.how' : 'phone.inOval')}
      </p>
      <div>
        <button type="button" onClick={close}>
          {t(isSecond && from === 'first' ? 'phone.second.skip' : 'phone.cancel')}
        </button>
        {/* Not disabled during the pause, so that it keeps the focus. */}
        <button type="button" className="main" disabled={!running} aria-disabled={!rested} onClick={() => rested && shoot()}>
          {t('phone.shutter')}
        </button>
      </div>
    </dialog>
  )
}

/** Pixels of the longer side: as many as the server keeps. */
const LONGEST = 1600
const JPEG_QUALITY = 0.92

/**
 * Return the photograph upright, as JPEG, and no larger than the server keeps; those of phones are larger. A file that this browser cannot
 * read is returned unchanged, so that the server can say what is wrong.
 */
export async function uprightPhoto(file: Blob): Promise<Blob> {
  try {
    // Rotated as the camera recorded it.
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(picture.width * scale)
    canvas.height = Math.round(picture.height * scale)
    const context = canvas.getContext('2d')
    if (context === null) return file
    context.imageSmoothingQuality = 'high'
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    return (await new Promise<Blob | null>((made) => canvas.toBlob(made, 'image/jpeg', JPEG_QUALITY))) ?? file
  } catch {
    return file
  }
}
