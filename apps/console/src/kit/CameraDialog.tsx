/** Takes one picture with the camera of this computer. */
import { Alert, Modal } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './photo.module.css'

/** Browsers lend a camera to https and localhost only. */
type Trouble = 'notSecure' | 'noCamera'
const JPEG_QUALITY = 0.93

export default function CameraDialog({ take, close }: { take: (picture: Blob) => void; close: () => void }) {
  const { t } = useTranslation()
  const video = useRef<HTMLVideoElement>(null)
  const [trouble, setTrouble] = useState<Trouble | undefined>(navigator.mediaDevices ? undefined : 'notSecure')
  const [running, setRunning] = useState(false)

  useEffect(() => {
    if (!navigator.mediaDevices) return
    let stream: MediaStream | undefined
    let gone = false
    const stop = (): void => stream?.getTracks().forEach((track) => track.stop())
    navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user', width: { ideal: 1280 }, height: { ideal: 720 } } }).then(
      (opened) => {
        stream = opened
        if (gone) stop()
        else if (video.current) video.current.srcObject = opened
      },
      () => { if (!gone) setTrouble('noCamera') },
    )
    return () => {
      gone = true
      stop()
    }
  }, [])

  function shoot(): void {
    const source = video.current
    if (!source) return
    const canvas = new OffscreenCanvas(source.videoWidth, source.videoHeight)
    canvas.getContext('2d')?.drawImage(source, 0, 0)
    void canvas.convertToBlob({ type: 'image/jpeg', quality: JPEG_QUALITY }).then(take)
  }

  return (
    <Modal open title={t('photo.camera')} okText={t('photo.shoot')} cancelText={t('cancel')} okButtonProps={{ disabled: !running }} onOk={shoot} onCancel={close} width={640}>
      {trouble ? (
        <Alert type="warning" showIcon title={t(`photo.${trouble}`)} />
      ) : (
        <div className={styles.camera}>
          <video ref={video} autoPlay playsInline muted onPlaying={() => setRunning(true)} />
          <i aria-hidden="true" />
        </div>
      )}
    </Modal>
  )
}
