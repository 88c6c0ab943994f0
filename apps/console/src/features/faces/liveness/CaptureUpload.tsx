/** Hands in captures of people and of pictures held up, many at once; each is scored and then forgotten. */
import { LoadingOutlined, PictureOutlined, UserOutlined } from '@ant-design/icons'
import { Alert, Progress } from 'antd'
import { useState, type DragEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CAPTURE_LABELS } from '@gatehouse/contract/faces/liveness'
import { useCaptureUpload } from './useCaptureUpload.ts'
import styles from '../faces.module.css'

type Label = (typeof CAPTURE_LABELS)[number]
const ACCEPT = 'image/jpeg,image/png,image/webp,image/bmp'

export function CaptureUpload() {
  const { t } = useTranslation('faces')
  const { upload, running, failures, dismiss } = useCaptureUpload()
  return (
    <>
      <div className={styles.drops}>
        <DropZone
          label="genuine"
          icon={<UserOutlined />}
          busy={running?.label === 'genuine'}
          disabled={running !== undefined}
          take={(files) => void upload('genuine', files)}
        />
        <DropZone
          label="spoof"
          icon={<PictureOutlined />}
          busy={running?.label === 'spoof'}
          disabled={running !== undefined}
          take={(files) => void upload('spoof', files)}
        />
      </div>
      {running && (
        <Progress
          strokeColor="var(--accent)"
          aria-label={t('capture.uploading')}
          percent={Math.floor((running.done / running.total) * 100)}
          format={() => `${running.done} / ${running.total}`}
        />
      )}
      {failures.length > 0 && (
        <Alert
          type="warning"
          showIcon
          role="alert"
          closable={{ onClose: dismiss }}
          title={t('capture.notTaken', { count: failures.length })}
          description={
            <ul className={styles.failures}>
              {failures.map(({ name, reason }, at) => (
                <li key={at}>
                  <b>{name}</b> {reason}
                </li>
              ))}
            </ul>
          }
        />
      )}
    </>
  )
}

interface DropZoneProps {
  label: Label
  icon: ReactNode
  busy: boolean
  disabled: boolean
  take: (files: File[]) => void
}

function DropZone({ label, icon, busy, disabled, take }: DropZoneProps) {
  const { t } = useTranslation('faces')
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    if (!disabled && event.dataTransfer.files.length > 0) take([...event.dataTransfer.files])
  }
  return (
    <label className={styles.drop} data-over={over || undefined}>
      {busy ? <LoadingOutlined /> : icon}
      <b>{t(`capture.add.${label}`)}</b>
      <small>{t(`capture.hint.${label}`)}</small>
      {/* Covers the field, so that files can be dropped anywhere on it. */}
      <input
        type="file"
        multiple
        accept={ACCEPT}
        disabled={disabled}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(!disabled)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          if (files.length > 0) take(files)
        }}
      />
    </label>
  )
}
