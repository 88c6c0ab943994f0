/** Takes one picture with the camera of this computer. */
import { Alert, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { useCamera } from './useCamera.ts'
import styles from './photo.module.css'

export default function CameraDialog({ take, close }: { take: (picture: Blob) => void; close: () => void }) {
  const { t } = useTranslation()
  const { frame, running, trouble, shoot } = useCamera({ height: 720, take })

  return (
    <Modal
      open
      title={t('photo.camera')}
      okText={t('photo.shoot')}
      cancelText={t('cancel')}
      okButtonProps={{ disabled: !running }}
      onOk={shoot}
      onCancel={close}
      width={640}
    >
      {trouble ? (
        <Alert type="warning" showIcon title={t(`photo.${trouble}`)} />
      ) : (
        <div className={styles.camera}>
          <video {...frame} muted />
          <i aria-hidden="true" />
        </div>
      )}
    </Modal>
  )
}
