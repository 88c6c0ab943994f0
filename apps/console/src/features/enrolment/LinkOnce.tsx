/** A new link, large enough to be scanned across a desk. Its address is shown only once. */
import { PrinterOutlined } from '@ant-design/icons'
import { Alert, Button, Modal } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { CopyField } from '../../kit/form/CopyField.tsx'
import { printCode } from '../../kit/media/printCode.ts'
import { useMayCall, useSession } from '../../api/session.ts'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { path } from '../../paths.ts'
import styles from './enrolment.module.css'

interface OnceLink {
  url: string
  /** A data address of a picture. */
  qr: string
  expiresAt: number
  /** Whether no other device reaches the address. */
  localOnly: boolean
}

interface LinkOnceProps {
  made: OnceLink
  title: string
  /** What the code is scanned for, as it is printed below it. */
  scan: string
  close: () => void
  /** Anything else to say of the link. */
  children?: ReactNode
}

export default function LinkOnce({ made: { url, qr, expiresAt, localOnly }, title, scan, close, children }: LinkOnceProps) {
  const { t } = useTranslation('enrolment')
  const { offset } = useZoneOffset()
  const park = useSession((state) => state.park?.parkName ?? '')
  const maySetAddress = useMayCall(installationCalls.saveIpAddress)
  const until = t('link.until', { moment: formatInstant(expiresAt, offset).slice(0, 16) })
  return (
    <Modal
      open
      centered
      width={680}
      title={title}
      mask={{ closable: false }}
      keyboard={false}
      closable={false}
      footer={
        <>
          <Button icon={<PrinterOutlined />} onClick={() => printCode(park, qr, [scan, until])}>
            {t('link.print')}
          </Button>
          <Button type="primary" onClick={close}>
            {t('link.close')}
          </Button>
        </>
      }
    >
      {localOnly && (
        <Alert
          type="error"
          showIcon
          className={styles.local ?? ''}
          title={t('link.localOnly')}
          description={maySetAddress ? t('link.localOnlyWords') : t('link.localOnlyAsk', { page: t('shell:title.ipSettings') })}
          {...(maySetAddress && { action: <Link to={path('ipSettings')}>{t('link.setAddress')}</Link> })}
        />
      )}
      <Alert type="warning" showIcon title={t('link.madeWords')} />
      {children}
      <div className={styles.made}>
        <img src={qr} alt={t('link.qr')} />
        <div>
          <p>{until}</p>
          <CopyField name={t('link.address')} value={url} />
        </div>
      </div>
    </Modal>
  )
}
