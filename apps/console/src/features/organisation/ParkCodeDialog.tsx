/** A park's QR and verification code: shown, copied, printed, renewed. */
import { PrinterOutlined } from '@ant-design/icons'
import { Alert, Button, Modal, Segmented, Skeleton } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PARK_QR_DEFAULT } from '@gatehouse/contract'
import { areaCalls, type OrganisationDetail } from '@gatehouse/contract/organisation/areas'
import { CopyField } from '../../kit/form/CopyField.tsx'
import { modal } from '../../kit/feedback.tsx'
import { useRead } from '../../api/query.ts'
import { sentenceOf } from '../../api/refusal.ts'
import { request } from '../../api/request.ts'
import { useMay } from '../../api/session.ts'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { printCode } from '../../kit/media/printCode.ts'
import styles from './organisation.module.css'

/** Hours. */
const VALIDITIES = [PARK_QR_DEFAULT, 7 * 24, 30 * 24]
/** Pixels of the picture; shown at half of it, sharp on every screen. */
const WIDTH = 480

/** Return the object URL of a received picture, which is revoked when another replaces it. */
function usePicture(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!blob) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [blob])
  return url
}

export default function ParkCodeDialog({ park, close }: { park: OrganisationDetail; close: () => void }) {
  const { t } = useTranslation('organisation')
  const { offset } = useZoneOffset()
  const mayRenew = useMay('park.related')
  const [expireTime, setExpireTime] = useState(PARK_QR_DEFAULT)
  const query = { id: park.id, expireTime, address: `${location.origin}${location.pathname}`.replace(/\/+$/, '') }
  const info = useRead(areaCalls.qrCodeInfo, { query })
  const code = info.data?.verificationCode
  const picture = useQuery({
    queryKey: [areaCalls.qrCode.area, 'parkCode', query, code],
    enabled: code !== undefined,
    queryFn: async () => (await request(areaCalls.qrCode, { query: { ...query, width: WIDTH } }, { errors: 'inline' })).blob,
  })
  const url = usePicture(picture.data)
  const renew = useWrite(areaCalls.renewVerificationCode, { done: t('code.renewed') })
  const error = info.error ?? picture.error

  return (
    <Modal
      open
      centered
      width={620}
      title={t('code.title', { name: park.name })}
      onCancel={close}
      footer={
        <>
          {mayRenew && (
            <Button
              danger
              type="text"
              loading={renew.pending}
              onClick={() =>
                modal.confirm({
                  title: t('code.renewTitle'),
                  content: t('code.renewWords'),
                  okText: t('code.renew'),
                  cancelText: t('common:cancel'),
                  onOk: () => renew.run({ body: { id: park.id } }),
                })
              }
            >
              {t('code.renew')}
            </Button>
          )}
          <Button
            icon={<PrinterOutlined />}
            disabled={url === undefined || info.data === undefined}
            onClick={() =>
              url &&
              info.data &&
              printCode(park.name, url, [
                info.data.verificationCode,
                t('code.until', { moment: formatInstant(info.data.expiresAt, offset) }),
              ])
            }
          >
            {t('code.print')}
          </Button>
          <Button type="primary" onClick={close}>
            {t('code.close')}
          </Button>
        </>
      }
    >
      <p>{t('code.words')}</p>
      {error && <Alert type="error" showIcon role="alert" title={sentenceOf(error)} />}
      <div className={styles.code}>
        {url === undefined ? (
          <Skeleton.Node active className={styles.picture ?? ''} />
        ) : (
          <img className={styles.picture} src={url} alt={t('code.picture', { name: park.name })} />
        )}
        <div>
          <div className={styles.validity}>
            <span>{t('code.validity')}</span>
            <Segmented
              size="small"
              aria-label={t('code.validity')}
              value={expireTime}
              onChange={setExpireTime}
              options={VALIDITIES.map((hours) => ({ value: hours, label: t('code.days', { count: hours / 24 }) }))}
            />
          </div>
          {info.data && (
            <>
              <p className={styles.until}>{t('code.until', { moment: formatInstant(info.data.expiresAt, offset) })}</p>
              <CopyField name={t('code.code')} value={info.data.verificationCode} />
              <CopyField name={t('code.link')} value={info.data.link} />
            </>
          )}
        </div>
      </div>
    </Modal>
  )
}
