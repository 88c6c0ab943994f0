/** The front camera over the whole page, with an oval for the face. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { uprightPhoto } from './upright.ts'

export function Camera({ take, close, fail }: { take: (picture: Blob) => void; close: () => void; fail: () => void }) {
  const { t } = useTranslation('enrolment')
  const dialog = useRef<HTMLDialogElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const [running, setRunning] = useState(false)
  const failed = useEffectEvent(fail)

  useEffect(() => {
    dialog.current?.showModal()
    let stream: MediaStream | undefined
    let gone = false
    const stop = (): void => stream?.getTracks().forEach((track) => track.stop())
    navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user', width: { ideal: 1280 }, height: { ideal: 1280 } } }).then(
      (opened) => {
        stream = opened
        if (gone) stop()
        else if (video.current) video.current.srcObject = opened
      },
      () => {
        if (!gone) failed()
      },
    )
    return () => {
      gone = true
      stop()
    }
  }, [])

  function shoot(): void {
    const source = video.current
    if (!source) return
    const canvas = document.createElement('canvas')
    canvas.width = source.videoWidth
    canvas.height = source.videoHeight
    canvas.getContext('2d')?.drawImage(source, 0, 0)
    canvas.toBlob((picture) => picture && void uprightPhoto(picture).then(take), 'image/jpeg', 0.95)
  }

  return (
    <dialog ref={dialog} className="camera" aria-label={t('phone.shoot')} onClose={close}>
      <video ref={video} autoPlay playsInline muted onPlaying={() => setRunning(true)} />
      <i aria-hidden="true" />
      <p>{t('phone.inOval')}</p>
      <div>
        <button type="button" onClick={close}>{t('phone.cancel')}</button>
        <button type="button" className="main" disabled={!running} onClick={shoot}>{t('phone.shutter')}</button>
      </div>
    </dialog>
  )
}
