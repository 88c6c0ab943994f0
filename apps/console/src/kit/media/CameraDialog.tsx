/** Takes pictures with the camera of this computer: one, or further ones of the same face for as long as the form asks for them. */
import { Alert, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { useCamera, useRest } from './useCamera.ts'
import styles from './photo.module.css'

interface CameraDialogProps {
  take: (picture: Blob) => void
  close: () => void
  /** The pictures taken so far, where another one is needed. */
  taken?: readonly string[]
  /** Whether the last picture is being checked. */
  checking?: boolean
  /** Why the last picture cannot be used. */
  refused?: string | undefined
}

export default function CameraDialog({ take, close, taken = [], checking = false, refused }: CameraDialogProps) {
  const { t } = useTranslation()
  const { rested, tire } = useRest()
  const { frame, running, trouble, shoot } = useCamera({
    height: 720,
    take: (picture) => {
      tire()
      take(picture)
    },
  })
  const asksAgain = taken.length > 0

  return (
    <Modal
      open
      title={t('photo.camera')}
      okText={t(asksAgain ? 'photo.shootAgain' : 'photo.shoot')}
      cancelText={t(asksAgain ? 'photo.enough' : 'cancel')}
      // Not disabled while the picture is checked, so that it keeps the focus.
      okButtonProps={{ disabled: !running, loading: checking || !rested }}
      onOk={shoot}
      onCancel={close}
      width={640}
    >
      {trouble ? (
        <Alert type="warning" showIcon title={t(`photo.${trouble}`)} />
      ) : (
        <>
          <div className={styles.camera}>
            <video {...frame} muted />
            <i aria-hidden="true" />
            {asksAgain && (
              <ul>
                {taken.map((url, at) => (
                  <li key={url}>
                    <img src={url} alt={t('photo.nth', { nth: at + 1 })} />
                  </li>
                ))}
              </ul>
            )}
          </div>
          <div role="status" className={styles.again}>
            {checking && <p>{t('photo.checking')}</p>}
            {!checking && asksAgain && (
              <>
                <h3>{t('photo.again')}</h3>
                <p>{t('photo.againHow')}</p>
                <p>{t('photo.againWhy')}</p>
              </>
            )}
          </div>
          {refused !== undefined && !checking && <Alert type="error" title={t('photo.refused')} description={refused} />}
        </>
      )}
    </Modal>
  )
}
