/** The front camera over the whole page, with an oval for the face. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useCamera } from '../../kit/useCamera.ts'
import { uprightPhoto } from './upright.ts'

export function Camera({ take, close, fail }: { take: (picture: Blob) => void; close: () => void; fail: () => void }) {
  const { t } = useTranslation('enrolment')
  const dialog = useRef<HTMLDialogElement>(null)
  const { frame, running, trouble, shoot } = useCamera({ height: 1280, take: (picture) => void uprightPhoto(picture).then(take) })
  const failed = useEffectEvent(fail)

  useEffect(() => dialog.current?.showModal(), [])
  useEffect(() => {
    if (trouble) failed()
  }, [trouble])

  return (
    <dialog ref={dialog} className="camera" aria-label={t('phone.shoot')} onClose={close}>
      <video {...frame} muted />
      <i aria-hidden="true" />
      <p>{t('phone.inOval')}</p>
      <div>
        <button type="button" onClick={close}>
          {t('phone.cancel')}
        </button>
        <button type="button" className="main" disabled={!running} onClick={shoot}>
          {t('phone.shutter')}
        </button>
      </div>
    </dialog>
  )
}
