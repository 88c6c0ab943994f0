/** The QR pass of a visitor who may pass by one: its code, how long and how often it works, and a new one for it. */
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '@gatehouse/contract'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { PERMISSION_STATUS, type Visit } from '@gatehouse/contract/visitors/visit'
import { useRead } from '../../../api/query.ts'
import { useMayCall } from '../../../api/session.ts'
import { DetailPage, Facts, Section } from '../../../kit/detail/DetailPage.tsx'
import { modal } from '../../../kit/feedback.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import styles from './desk.module.css'

const BY_CODE: readonly number[] = [accessMethod.qrCode, accessMethod.qrCodeAndFace]

export function VisitPass({ visit }: { visit: Visit }) {
  const isByCode = visit.passMethods.some((method) => BY_CODE.includes(method))
  return isByCode && visit.permissionStatus === PERMISSION_STATUS.granted ? <QrPass visit={visit} /> : null
}

type Pass = NonNullable<DataOf<typeof visitorCalls.pass>['pass']>

function QrPass({ visit: { id, name } }: { visit: Visit }) {
  const { t } = useTranslation('visitors')
  const found = useRead(visitorCalls.pass, { query: { id } })
  const mayRenew = useMayCall(visitorCalls.renewPass)
  const renew = useWrite(visitorCalls.renewPass, { done: t('qr.renewed') })
  const ask = (): void =>
    modal.confirm({
      title: t('qr.renewTitle', { name }),
      content: t('qr.renewWords'),
      okText: t('qr.renew'),
      cancelText: t('common:cancel'),
      onOk: () => renew.run({ body: { id } }),
    })
  const button = mayRenew && (
    <Button loading={renew.pending} onClick={ask}>
      {t('qr.renew')}
    </Button>
  )
  return (
    <Section title={t('qr.title')}>
      <DetailPage query={found}>
        {({ pass }) =>
          pass === null ? (
            <Alert type="info" showIcon title={t('qr.none')} {...(mayRenew && { description: t('qr.noneWords'), action: button })} />
          ) : (
            <div className={styles.pass}>
              <img src={pass.image} alt={t('qr.of', { name })} />
              <div>
                <PassBounds pass={pass} />
                {button}
              </div>
            </div>
          )
        }
      </DetailPage>
    </Section>
  )
}

/** When and how often the pass works. */
function PassBounds({ pass: { validFrom, validTo, oneUse } }: { pass: Pass }) {
  const { t } = useTranslation('visitors')
  const { offset } = useZoneOffset()
  return (
    <Facts
      facts={[
        ...(validFrom > Date.now() ? [[t('qr.validFrom'), formatInstant(validFrom, offset)] as [string, string]] : []),
        [t('qr.validTo'), formatInstant(validTo, offset)],
        [t('qr.use'), t(oneUse ? 'qr.once' : 'qr.many')],
      ]}
    />
  )
}
