/** A new link, large enough to be scanned across a desk. Its address is shown only once. */
import { PrinterOutlined } from '@ant-design/icons'
import { Alert, Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { CopyField } from '../../kit/form/CopyField.tsx'
import { printCode } from '../../kit/media/printCode.ts'
import { useMayCall, useSession } from '../../api/session.ts'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { path } from '../../paths.ts'
import type { MadeLink } from './LinkDialog.tsx'
import styles from './enrolment.module.css'

export default function LinkOnce({ made: { url, qr, expiresAt, localOnly }, close }: { made: MadeLink; close: () => void }) {
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
      title={t('shell:title.enrolmentLinks')}
      mask={{ closable: false }}
      keyboard={false}
      closable={false}
      footer={
        <>
          <Button icon={<PrinterOutlined />} onClick={() => printCode(park, qr, [t('link.scan'), until])}>
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
